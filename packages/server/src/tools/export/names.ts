const words = (text: string) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
const upper = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Names that JavaScript keeps for itself, or that what is written around a tool has. */
const takenInScripts = new Set(
  `arguments await break call callTool case catch class const continue debugger default definition delete do else enum eval export
   extends false finally fetch for function if implements import in instanceof interface jsonSchema let new null package private
   process protected public return server static super switch this throw tool true try typeof undefined var void while with yield`.split(
    /\s+/,
  ),
)
const takenInPython = new Set(
  `and as assert async await break call_tool class continue def del elif else except finally for from global if import in is json
   lambda nonlocal not or os pass print raise return try urllib while with yield none true false match case type`.split(
    /\s+/,
  ),
)
/** Types that are there already. */
const takenTypes = new Set(
  `Any Array Boolean Date Error Function Input Literal Map Never None NotRequired Number Object Output Promise Record Set String
   Symbol ToolError True False TypedDict Union`.split(/\s+/),
)

/** `count-words` as a function of JavaScript: `countWords`. */
export function toScriptName(name: string): string {
  const [first = 'tool', ...rest] = words(name)
  const made = [first, ...rest.map(upper)].join('')
  return takenInScripts.has(made) ? `${made}Tool` : made
}

/** `count-words` as a function of Python: `count_words`. */
export function toPythonName(name: string): string {
  const made = words(name).join('_')
  return takenInPython.has(made) ? `${made}_tool` : made
}

/** Names for types, each another one. */
export function createTypeNames() {
  const given = new Set(takenTypes)
  return (wanted: string): string => {
    const base =
      words(wanted)
        .map(upper)
        .join('')
        .slice(0, 60)
        .replace(/^(?=\d)/, 'T') || 'T'
    let name = base
    for (let number = 2; given.has(name); number++) name = `${base}${number}`
    given.add(name)
    return name
  }
}
