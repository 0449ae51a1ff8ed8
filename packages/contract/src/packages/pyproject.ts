import { CoherexError } from '../wire/errors.ts'
import { sameName, splitRequirement } from './requirement.ts'

/** A text of the list, and where it stands with its quotes. */
interface Item {
  start: number
  end: number
  value: string
}

interface Project {
  /** Behind the last field of `[project]`: a new one goes there. */
  end: number
  /** What its fields are called where it is no table of its own. */
  prefix: '' | 'project.'
  /** Undefined where it has no such list. */
  list: { start: number; items: Item[] } | undefined
}

/** Whether it describes a project: a file that only sets up tools names no packages. */
export function isProject(text: string | undefined): boolean {
  if (text === undefined) return false
  try {
    return findProject(text) !== undefined
  } catch {
    return true // whoever reads it hears what is wrong
  }
}

/** What `dependencies` of `[project]` asks for; addresses are left out. */
export function readPyproject(text: string): string[] {
  const items = findProject(text)?.list?.items ?? []
  return items.map(({ value }) => value.trim()).filter((value) => value !== '' && !value.includes('@'))
}

/** The file with a requirement in place of the one it had for that package, or without it. All else stays as it is. */
export function changePyproject(text: string, name: string, requirement: string | undefined): string {
  const project = findProject(text)
  if (!project) throw wrong('it has no [project]')
  const { list, end, prefix } = project
  const added = requirement === undefined ? undefined : JSON.stringify(requirement)
  if (!list) return added === undefined ? text : insert(text, end, `\n${prefix}dependencies = [\n    ${added},\n]`)
  const isOfName = ({ value }: Item) =>
    sameName('python', splitRequirement('python', value).name) === sameName('python', name)
  const [first, ...others] = list.items.filter(isOfName)
  // from the last on, so that places of those before stay true
  const rest = others.toReversed().reduce(removeItem, text)
  if (first) return added === undefined ? removeItem(rest, first) : replace(rest, first, added)
  return added === undefined ? rest : appendItem(rest, list, added)
}

const insert = (text: string, at: number, more: string) => text.slice(0, at) + more + text.slice(at)
const replace = (text: string, { start, end }: Pick<Item, 'start' | 'end'>, by: string) =>
  text.slice(0, start) + by + text.slice(end)

function removeItem(text: string, { start, end }: Item): string {
  const after = /^[ \t]*,[ \t]*/.exec(text.slice(end))?.[0].length ?? 0
  const before = after === 0 ? (/,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0
  const cut = { start: start - before, end: end + after }
  const lineStart = text.lastIndexOf('\n', cut.start - 1) + 1
  const isAlone = text.slice(lineStart, cut.start).trim() === '' && text[cut.end] === '\n' && before === 0
  return replace(text, isAlone ? { start: lineStart, end: cut.end + 1 } : cut, '')
}

function appendItem(text: string, { start, items }: { start: number; items: readonly Item[] }, added: string): string {
  const last = items.at(-1)
  if (!last) return insert(text, start + 1, added)
  const lineStart = text.lastIndexOf('\n', last.start) + 1
  const indent = /^[ \t]*$/.exec(text.slice(lineStart, last.start))?.[0]
  if (indent === undefined) return insert(text, last.end, `, ${added}`)
  const [comma = ''] = /^[ \t]*,/.exec(text.slice(last.end)) ?? []
  // a comment behind the last one stays with it
  const lineEnd = /^[ \t]*(#[^\n]*)?(?=\r?\n)/.exec(text.slice(last.end + comma.length))?.[0].length
  if (lineEnd === undefined) return insert(text, last.end, `,\n${indent}${added}`)
  const withNew = insert(text, last.end + comma.length + lineEnd, `\n${indent}${added}${comma === '' ? '' : ','}`)
  return comma === '' ? insert(withNew, last.end, ',') : withNew
}

/** As much of TOML as it takes to find one list and leave the rest alone. Undefined where there is no `[project]`. */
function findProject(text: string): Project | undefined {
  let table = ''
  let found: Project | undefined
  let at = 0
  for (;;) {
    at = skipBlank(text, at)
    if (at >= text.length) return found
    const rest = text.slice(at, at + 1000)
    const header = /^\[(\[?)\s*([^\]\n]*?)\s*\]/.exec(rest)
    if (header) {
      const [whole, isArray, name = ''] = header
      table = isArray ? `[${name}]` : name.replace(/["'\s]/g, '')
      at += whole.length + (isArray ? 1 : 0)
      if (table === 'project') found ??= { end: at, prefix: '', list: undefined }
      continue
    }
    const key = /^(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*(?=\s*=)/.exec(rest)?.[0]
    if (key === undefined) throw wrong(`line ${text.slice(0, at).split('\n').length} is not TOML`)
    const path = `${table === '' ? '' : `${table}.`}${key.replace(/["'\s]/g, '')}`
    const start = at + key.length + (/^\s*=[ \t]*/.exec(text.slice(at + key.length))?.[0].length ?? 0)
    const end = skipValue(text, start)
    if (path === 'project') throw wrong('[project] must be a table of its own')
    if (path.startsWith('project.') && (table === 'project' || table === '')) {
      found ??= { end, prefix: 'project.', list: undefined }
      found.end = end
      if (path === 'project.dynamic' && /["']dependencies["']/.test(text.slice(start, end))) {
        throw wrong('its dependencies are dynamic, so that another program names them')
      }
      if (path === 'project.dependencies') found.list = { start, items: readItems(text, start, end) }
    }
    at = end
  }
}

function readItems(text: string, start: number, end: number): Item[] {
  if (text[start] !== '[') throw wrong('"dependencies" must be a list')
  const items: Item[] = []
  for (let at = start + 1; ;) {
    at = skipBlank(text, at)
    if (at >= end - 1) return items
    if (text[at] === ',') {
      at++
      continue
    }
    const after = skipString(text, at)
    if (after === undefined) throw wrong('"dependencies" must be a list of texts')
    const quoted = text.slice(at, after)
    items.push({ start: at, end: after, value: unquote(quoted) })
    at = after
  }
}

function unquote(quoted: string): string {
  if (/^("""|''')/.test(quoted)) return quoted.slice(3, -3)
  if (quoted.startsWith("'")) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1) // an escape that JSON does not know
  }
}

/** Past spaces, lines and comments. */
function skipBlank(text: string, from: number): number {
  let at = from
  for (;;) {
    const char = text[at]
    if (char === '#') at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
    else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') at++
    else return at
  }
}

/** Past a text in any of the four kinds of quotes; undefined where there is none. */
function skipString(text: string, at: number): number | undefined {
  const quote = ['"""', "'''", '"', "'"].find((one) => text.startsWith(one, at))
  if (quote === undefined) return undefined
  for (let next = at + quote.length; next < text.length; next++) {
    if (text[next] === '\\' && quote.startsWith('"')) next++
    else if (text.startsWith(quote, next)) return next + quote.length
    else if (quote.length === 1 && text[next] === '\n') break
  }
  throw wrong('a text in it has no end')
}

/** Past a value: a text, a list or table with all in it, or what is left of the line. */
function skipValue(text: string, from: number): number {
  const end = skipString(text, from)
  if (end !== undefined) return end
  if (text[from] !== '[' && text[from] !== '{') {
    const line = /^[^\n#]*/.exec(text.slice(from, from + 1000))?.[0] ?? ''
    return from + line.trimEnd().length
  }
  let depth = 0
  for (let at = from; at < text.length;) {
    at = skipBlank(text, at)
    const after = skipString(text, at)
    if (after !== undefined) {
      at = after
      continue
    }
    if (text[at] === '[' || text[at] === '{') depth++
    if (text[at] === ']' || text[at] === '}') depth--
    at++
    if (depth === 0) return at
  }
  throw wrong('a list in it has no end')
}

function wrong(why: string): CoherexError {
  return new CoherexError('invalid_input', `Cannot read pyproject.toml: ${why}`)
}
