import { parseRequirement } from './pypi/requirement.ts'
import { isWithin } from './version-range.ts'

/** Whether versions by name that are there anyway do for a requirement of Python. */
export function isMetBy(versions: Readonly<Record<string, string>>, requirement: string): boolean {
  return findMet(versions, requirement) !== undefined
}

/** The package of versions by name that does for a requirement of Python. */
export function findMet(
  versions: Readonly<Record<string, string>>,
  requirement: string,
): { name: string; version: string } | undefined {
  const read = parseRequirement(requirement.trim().replace(/^pypi:/, ''))
  if (!read || read.extras.length > 0 || read.marker !== '') return undefined
  const version = Object.hasOwn(versions, read.name) ? versions[read.name] : undefined
  return version !== undefined && isWithin('python', version, read.specifier) ? { name: read.name, version } : undefined
}
