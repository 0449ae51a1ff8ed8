const definitions = [
  // Python and R: a name, or several, at the start of a line that get a value
  /^([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*(?::[^=\n]+)?(?:=|<-)(?!=)/gm,
  /^(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)/gm,
  /^import\s+(?:[\w.]+\s+as\s+)?([A-Za-z_]\w*)\s*(?:#.*)?$/gm,
  /^from\s+[\w.]+\s+import\s+([\w\s,]+)$/gm,
  // JavaScript and TypeScript
  /^(?:export\s+)?(?:const|let|var|function\*?|async\s+function|class)\s+([A-Za-z_$][\w$]*)/gm,
  /^import\s+([A-Za-z_$][\w$]*)\s+from/gm,
  /^(?:const|let|var|import)\s*\{([^}]*)\}/gm,
]

/** Names that code uses and only the cells before it define, as far as a look at the text can tell. */
export function earlierNames(code: string, before: readonly string[]): string[] {
  const own = definedIn(code)
  const used = new Set(withoutWords(code).match(/(?<![.\w$])[A-Za-z_$][\w$]*/g))
  const known = new Set(before.flatMap((cell) => [...definedIn(cell)]))
  return [...known].filter((name) => used.has(name) && !own.has(name))
}

function definedIn(code: string): Set<string> {
  const found = definitions.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ''))
  // of `a as b` and `a: b` the last is the name
  const names = found.flatMap((list) =>
    list.split(',').map(
      (one) =>
        one
          .split(/\sas\s|:/)
          .at(-1)
          ?.trim() ?? '',
    ),
  )
  return new Set(names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name)))
}

/** The code without what is in strings and comments. */
function withoutWords(code: string): string {
  return code.replaceAll(/"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|\/\/.*/g, ' ')
}
