import type { PackageLanguage } from '@coherex/contract'

interface Version {
  numbers: number[]
  /** What comes before the release, such as `rc1`; empty for the release itself. */
  before: string
}

type Comparator = (version: Version) => boolean

/** Whether a version is within what an allow-list writes: npm's ranges, or Python's specifiers. What cannot be read allows nothing. */
export function isWithin(language: PackageLanguage, version: string, range: string): boolean {
  const read = readVersion(version)
  if (range === '' || range === '*') return true
  if (!read) return false
  const alternatives = language === 'javascript' ? range.split('||') : [range]
  return alternatives.some((one) => {
    const comparators = language === 'javascript' ? readNpm(one) : readPython(one)
    return comparators !== undefined && comparators.every((compare) => compare(read))
  })
}

function readVersion(text: string): Version | undefined {
  // a build or local version is after a `+`, an epoch before a `!`
  const [, numbers, rest = ''] = /^v?(?:0!)?(\d+(?:\.\d+)*)(.*?)(?:\+.*)?$/.exec(text.trim()) ?? []
  if (numbers === undefined) return undefined
  const before = /^[-._]?(?:post|rev|r(?=\d))/i.test(rest) ? '' : rest.replace(/^[-._]/, '')
  return { numbers: numbers.split('.').map(Number), before }
}

function compare(a: Version, b: Version): number {
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at++) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.before === b.before) return 0
  if (a.before === '' || b.before === '') return a.before === '' ? 1 : -1
  return a.before < b.before ? -1 : 1
}

function readNpm(text: string): Comparator[] | undefined {
  const spaced = text
    .trim()
    .replace(/([<>=^~]+)\s+/g, '$1')
    .replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2')
  if (spaced === '' || spaced === '*' || spaced === 'x') return []
  return all(
    spaced.split(/\s+/).map((part) => {
      const [, sign = '', rest = ''] = /^(>=|<=|>|<|=|\^|~)?(.*)$/.exec(part) ?? []
      const named = rest.replace(/(?:\.[x*])+$/i, '')
      const version = readVersion(named)
      if (!version) return undefined
      const parts = version.numbers.length
      switch (sign) {
        case '>=':
          return atLeast(version)
        case '>':
          return (one) => compare(one, parts < 3 ? below(next(version, parts - 1)) : version) > 0
        case '<=':
          return parts < 3
            ? (one) => compare(one, below(next(version, parts - 1))) < 0
            : (one) => compare(one, version) <= 0
        case '<':
          return (one) => compare(one, version) < 0
        case '^': {
          const first = version.numbers.findIndex((number) => number > 0)
          return between(version, next(version, first < 0 ? parts - 1 : first))
        }
        case '~':
          return between(version, next(version, Math.min(1, parts - 1)))
        default:
          return parts < 3 ? between(version, next(version, parts - 1)) : (one) => compare(one, version) === 0
      }
    }),
  )
}

function readPython(text: string): Comparator[] | undefined {
  return all(
    text.split(',').map((part) => {
      const [, sign, rest = ''] = /^\s*(===|==|>=|<=|~=|!=|<|>)\s*(\S+?)\s*$/.exec(part) ?? []
      const isPrefix = rest.endsWith('.*')
      const version = readVersion(isPrefix ? rest.slice(0, -2) : rest)
      if (!version) return undefined
      const ofPrefix = between(version, next(version, version.numbers.length - 1))
      switch (sign) {
        case '==':
        case '===':
          return isPrefix ? ofPrefix : (one) => compare(one, version) === 0
        case '!=':
          return isPrefix ? (one) => !ofPrefix(one) : (one) => compare(one, version) !== 0
        case '>=':
          return atLeast(version)
        case '<=':
          return (one) => compare(one, version) <= 0
        case '>':
          return (one) => compare(one, version) > 0
        case '<':
          return (one) => compare(one, version) < 0
        case '~=':
          return between(version, next(version, Math.max(0, version.numbers.length - 2)))
        default:
          return undefined
      }
    }),
  )
}

function all(read: (Comparator | undefined)[]): Comparator[] | undefined {
  return read.every((one) => one !== undefined) ? read : undefined
}

function atLeast(least: Version): Comparator {
  return (one) => compare(one, least) >= 0
}

/** Previews of the end are outside too. */
function between(least: Version, end: Version): Comparator {
  return (one) => compare(one, least) >= 0 && compare(one, below(end)) < 0
}

function next({ numbers }: Version, at: number): Version {
  return { numbers: numbers.map((number, n) => (n < at ? number : n === at ? number + 1 : 0)), before: '' }
}

/** Before every preview of it. */
function below({ numbers }: Version): Version {
  return { numbers, before: ' ' }
}
