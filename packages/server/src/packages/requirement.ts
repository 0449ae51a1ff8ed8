import { isBuiltin } from 'node:module'
import { CoherexError, type PackageLanguage } from '@coherex/contract'
import { parseRequirement as parsePythonRequirement } from './pypi/requirement.ts'

/** What someone asks for: a name and, perhaps, which versions of it. */
export interface Requirement {
  /** As registries compare names. */
  name: string
  /** Versions as the language writes them, `^1.2` or `>=1,<2`; empty for any. */
  range: string
  /** What is told to the resolver. */
  text: string
}

const npmName = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.*))?$/i
// no `:` and no `/`: an alias, an address or a path would lead past the rules of the team
const npmRange = /^[\w.*^~<>=|+\- ]{1,100}$/
/** Reads a requirement; refuses addresses, paths and aliases. */
export function parseRequirement(language: PackageLanguage, asked: string): Requirement {
  const text = asked.trim().replace(/^(?:npm|pypi):/, '')
  const read = language === 'javascript' ? parseNpm(text) : parsePython(text)
  if (read) return read
  const form = language === 'javascript' ? '"es-toolkit" or "es-toolkit@1"' : '"polars" or "polars>=1"'
  throw new CoherexError(
    'invalid_input',
    `${JSON.stringify(asked.slice(0, 100))} names no package: write it as ${form}`,
    { details: [{ field: 'packages' }] },
  )
}

function parseNpm(text: string): Requirement | undefined {
  const [, name, range = ''] = npmName.exec(text) ?? []
  if (name === undefined || name.length > 214 || (range !== '' && !npmRange.test(range))) return undefined
  if (isBuiltin(name)) {
    throw new CoherexError('invalid_input', `"${name}" is a module of Node and needs no package: import it as it is`, {
      details: [{ field: 'packages' }],
    })
  }
  const versions = range.trim()
  return { name, range: versions, text: versions === '' ? name : `${name}@${versions}` }
}

function parsePython(text: string): Requirement | undefined {
  const read = parsePythonRequirement(text)
  return read && { name: read.name, range: read.specifier, text: read.text }
}

/** Each once and in one order, so that the same question is the same text. */
export function parseRequirements(language: PackageLanguage, asked: readonly string[]): Requirement[] {
  const byText = new Map(asked.map((one) => parseRequirement(language, one)).map((one) => [one.text, one]))
  return [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1))
}
