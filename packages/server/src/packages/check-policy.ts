import { CoherexError, type PackageLanguage, type PackagePolicy } from '@coherex/contract'
import { normalizeName } from './pypi/requirement.ts'
import { parseRequirement, type Requirement } from './requirement.ts'
import { isWithin } from './version-range.ts'

const waysOut = 'ask an admin to change the rules in Settings › Packages'

interface Listed {
  matches(name: string): boolean
  range: string
}

/** Refuses what the team's rules do not let its members ask for. What a listed package needs itself comes along. */
export function checkAsked(policy: PackagePolicy, language: PackageLanguage, asked: readonly Requirement[]): void {
  const why = refusalOf(policy, language, asked)
  if (why !== undefined) throw new CoherexError('forbidden', why)
}

/** Why the rules do not let someone ask for these, in words for people. */
export function refusalOf(
  policy: PackagePolicy,
  language: PackageLanguage,
  asked: readonly Requirement[],
): string | undefined {
  if (policy.mode === 'none') return `Cannot add ${names(asked)}: the rules of this team allow no packages; ${waysOut}`
  if (policy.mode === 'any') return undefined
  const listed = readList(policy, language)
  const refused = asked.filter(({ name }) => !listed.some(({ matches }) => matches(name)))
  if (refused.length === 0) return undefined
  return `Cannot add ${names(refused)}: not on the list of packages of this team; ${waysOut}`
}

/** The versions that the list allows, for someone who named none or more than those. */
export function narrow(policy: PackagePolicy, language: PackageLanguage, asked: Requirement): Requirement {
  if (policy.mode !== 'listed') return asked
  const [only, ...others] = readList(policy, language).filter(({ matches }) => matches(asked.name))
  // of several lines each may allow it: what comes out is checked
  if (!only || others.length > 0 || only.range === '' || only.range === asked.range) return asked
  if (`${only.range}${asked.range}`.includes('||')) return asked
  const joint = language === 'javascript' ? ' ' : ','
  const range = asked.range === '' ? only.range : `${only.range}${joint}${asked.range}`
  const text =
    language === 'javascript'
      ? `${asked.name}@${range}`
      : asked.range === ''
        ? withPythonRange(asked, range)
        : asked.text.replace(asked.range, range)
  return { ...asked, range, text }
}

/** Refuses versions that the list does not name, of what was asked for by name. */
export function checkResolved(
  policy: PackagePolicy,
  language: PackageLanguage,
  asked: readonly Requirement[],
  packages: readonly { name: string; version: string }[],
): void {
  if (policy.mode !== 'listed') return
  const listed = readList(policy, language)
  const isAsked = new Set(asked.map(({ name }) => name))
  for (const { name, version } of packages) {
    const known = language === 'python' ? normalizeName(name) : name
    if (!isAsked.has(known)) continue
    if (listed.some(({ matches, range }) => matches(known) && isWithin(language, version, range))) continue
    throw new CoherexError(
      'forbidden',
      `Cannot add ${name} ${version}: the list of packages of this team has other versions of it; ${waysOut}`,
    )
  }
}

function withPythonRange({ name, text }: Requirement, range: string): string {
  const [, extras = '', marker = ''] = /^(\[[^\]]*\])?( ;.*)?$/.exec(text.slice(name.length)) ?? []
  return `${name}${extras}${range}${marker}`
}

/** Lines of the list that speak of the language: `npm:` and `@1` of npm, `pypi:` and `>=1` of PyPI, and bare names of both. */
function readList({ allow }: PackagePolicy, language: PackageLanguage): Listed[] {
  return allow.flatMap((line): Listed[] => {
    const prefix = /^(npm|pypi):/.exec(line)?.[1]
    if (prefix !== undefined && (prefix === 'npm') !== (language === 'javascript')) return []
    const text = line.slice(prefix === undefined ? 0 : prefix.length + 1).trim()
    // a star is no letter of a name
    const [, name = ''] = /^(@?[^@<>=!~[\s;]+)/.exec(text) ?? []
    // versions as npm writes them
    if (language === 'python' && text.startsWith('@', name.length)) return []
    try {
      const { range } = parseRequirement(language, `a${text.slice(name.length)}`)
      return name === '' ? [] : [{ matches: nameMatcher(language === 'python' ? normalizeName(name) : name), range }]
    } catch {
      // a line of the other language
      return []
    }
  })
}

function nameMatcher(pattern: string): (name: string) => boolean {
  if (pattern === '*') return () => true
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('[^/]*')}$`)
  return (name) => expression.test(name)
}

function names(asked: readonly Requirement[]): string {
  const all = asked.map(({ name }) => name)
  return all.length > 5 ? `${all.slice(0, 5).join(', ')} and ${all.length - 5} more` : all.join(', ')
}
