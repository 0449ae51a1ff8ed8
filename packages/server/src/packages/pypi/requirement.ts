import { CoherexError } from '@coherex/contract'

/** A requirement of Python by name (PEP 508), never by address. */
export interface Requirement {
  /** As indexes know it: lower case, `-` for each run of `-`, `_` and `.`. */
  name: string
  extras: string[]
  /** `>=1,<2`; empty for any version. */
  specifier: string
  /** What follows `;`, such as `python_version < "3.12"`. */
  marker: string
  /** All of it, as resolvers read it. */
  text: string
}

const name = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?/
const extras = /^\[([A-Za-z0-9._,\- ]{0,200})\]/
const clause = /^(?:===|==|~=|!=|<=|>=|<|>)[ \t]*[A-Za-z0-9._*+!-]{1,64}$/
const marker = /^[A-Za-z0-9_.,'"()=<>!~ \t*+-]{1,300}$/
// `polars@1` as npm writes it, which people type too
const npmVersion = /^@[ \t]*(\d[A-Za-z0-9.]{0,30})$/

export function normalizeName(text: string): string {
  return text.toLowerCase().replace(/[-_.]+/g, '-')
}

/** Undefined for everything that is not a name with versions: options, addresses, paths. */
export function parseRequirement(text: string): Requirement | undefined {
  const whole = text.trim()
  const found = name.exec(whole)?.[0]
  if (found === undefined || whole.length > 500) return undefined
  let rest = whole.slice(found.length).trimStart()
  const bracket = extras.exec(rest)
  if (bracket) rest = rest.slice(bracket[0].length).trimStart()
  const [versions = '', ...after] = rest.split(';')
  const condition = after.join(';').trim()
  if (after.length > 0 && !marker.test(condition)) return undefined
  const specifier = readSpecifier(versions.trim())
  if (specifier === undefined) return undefined
  const wanted = (bracket?.[1] ?? '').split(',').map((extra) => extra.trim())
  if (bracket && bracket[1]?.trim() && wanted.some((extra) => name.exec(extra)?.[0] !== extra)) return undefined
  const listed = wanted.filter(Boolean).map(normalizeName).sort()
  const normal = normalizeName(found)
  const shown = `${normal}${listed.length > 0 ? `[${listed.join(',')}]` : ''}${specifier}`
  return { name: normal, extras: listed, specifier, marker: condition, text: shown + (condition && ` ; ${condition}`) }
}

function readSpecifier(text: string): string | undefined {
  if (text === '') return ''
  const version = npmVersion.exec(text)?.[1]
  if (version) return `==${version}${/^\d+(\.\d+)?$/.test(version) ? '.*' : ''}`
  const inner = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text
  const clauses = inner
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (clauses.length === 0 || !clauses.every((one) => clause.test(one))) return undefined
  return clauses.map((one) => one.replace(/[ \t]/g, '')).join(',')
}

/** For what people or files ask for; says which of them cannot be read, and what can. */
export function parseRequirements(texts: readonly string[]): Requirement[] {
  return texts.map((text) => {
    const parsed = parseRequirement(text)
    if (parsed) return parsed
    throw new CoherexError(
      'invalid_input',
      `Cannot add ${JSON.stringify(text.slice(0, 120))}: a Python package is named with versions, such as "polars" or "polars>=1,<2"; addresses, paths and options of pip are not taken`,
    )
  })
}
