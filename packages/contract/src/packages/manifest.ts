import { CoherexError } from '../wire/errors.ts'
import type { LockedPackage, PackageLanguage } from './package.ts'
import { changePyproject, isProject, readPyproject } from './pyproject.ts'
import { sameName, splitRequirement } from './requirement.ts'

/** A file of a folder that names its packages. */
export type ManifestName = 'package.json' | 'requirements.txt' | 'pyproject.toml'

/** The files of a folder that name its packages, the first one that is there, and the versions they were resolved to. */
export const manifestFiles: Record<PackageLanguage, { manifests: [ManifestName, ...ManifestName[]]; lock: string }> = {
  javascript: { manifests: ['package.json'], lock: 'package-lock.json' },
  python: { manifests: ['requirements.txt', 'pyproject.toml'], lock: 'pylock.toml' },
}

/** The manifest that a folder has, or that is made for it: `pyproject.toml` where it describes a project. */
export function chooseManifest(
  language: PackageLanguage,
  textOf: (name: ManifestName) => string | undefined,
): ManifestName {
  const { manifests } = manifestFiles[language]
  const isThere = (name: ManifestName) =>
    name === 'pyproject.toml' ? isProject(textOf(name)) : textOf(name) !== undefined
  return manifests.find(isThere) ?? manifests[0]
}

/** The requirements that a manifest names; none where there is no manifest. */
export function readManifest(manifest: ManifestName, text: string | undefined): string[] {
  if (text === undefined) return []
  if (manifest === 'pyproject.toml') return readPyproject(text)
  if (manifest === 'package.json') {
    return Object.entries(dependenciesOf(parseJson(text))).map(([name, range]) => `${name}@${range}`)
  }
  return text.split('\n').flatMap((line) => requirementIn(line) ?? [])
}

/**
 * A manifest with a requirement, in place of the one it had for that package. A requirement without a version gets the least
 * that was resolved for it, so that the file says what the code was written with.
 */
export function addToManifest(
  manifest: ManifestName,
  text: string | undefined,
  { requirement, resolved }: { requirement: string; resolved: readonly LockedPackage[] },
): string {
  const language: PackageLanguage = manifest === 'package.json' ? 'javascript' : 'python'
  const { name, range } = splitRequirement(language, requirement)
  const version = resolved.find((one) => sameName(language, one.name) === sameName(language, name))?.version
  if (language === 'javascript') {
    return changeDependencies(text, (all) => ({ ...all, [name]: range || (version ? `^${version}` : '*') }))
  }
  const isBare = !/[<>=!~@]/.test(range)
  const line = isBare && version ? `${name}${range}>=${version}` : `${name}${range}`
  return manifest === 'pyproject.toml' ? changePyproject(text ?? '', name, line) : changeLines(text, name, line)
}

/** A manifest without a package. */
export function removeFromManifest(manifest: ManifestName, text: string, name: string): string {
  if (manifest === 'requirements.txt') return changeLines(text, name, undefined)
  if (manifest === 'pyproject.toml') return changePyproject(text, name, undefined)
  return changeDependencies(text, (all) => Object.fromEntries(Object.entries(all).filter(([one]) => one !== name)))
}

type Dependencies = Record<string, string>

function changeDependencies(text: string | undefined, change: (all: Dependencies) => Dependencies): string {
  const manifest = text === undefined || text.trim() === '' ? { private: true } : parseJson(text)
  const changed = Object.entries(change(dependenciesOf(manifest))).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const indent = /^[ \t]+(?=")/m.exec(text ?? '')?.[0] ?? '  '
  return `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(changed) }, null, indent)}\n`
}

function dependenciesOf(manifest: Record<string, unknown>): Dependencies {
  const { dependencies = {} } = manifest
  if (typeof dependencies !== 'object' || dependencies === null || Array.isArray(dependencies)) {
    throw new CoherexError('invalid_input', 'Cannot read package.json: "dependencies" must be an object')
  }
  return dependencies as Dependencies
}

function parseJson(text: string): Record<string, unknown> {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (cause) {
    throw new CoherexError('invalid_input', `Cannot read package.json: ${(cause as Error).message}`, { cause })
  }
  if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest))
    return manifest as Record<string, unknown>
  throw new CoherexError('invalid_input', 'Cannot read package.json: it must be an object')
}

function changeLines(text: string | undefined, name: string, line: string | undefined): string {
  const isOfName = (one: string) => {
    const found = requirementIn(one)
    return (
      found !== undefined && sameName('python', splitRequirement('python', found).name) === sameName('python', name)
    )
  }
  const lines = (text ?? '').split('\n')
  const at = lines.findIndex(isOfName)
  const others = lines.filter((one) => !isOfName(one))
  if (line !== undefined) {
    if (at >= 0) others.splice(at, 0, line)
    else others.splice(others.findLastIndex((one) => one.trim() !== '') + 1, 0, line)
  }
  const whole = others.join('\n')
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`
}

/** What a line of `requirements.txt` asks for; comments, options and hashes ask for nothing. */
function requirementIn(line: string): string | undefined {
  const bare = line
    .replace(/(^|\s)#.*$/, '')
    .replace(/\s--hash=\S+/g, '')
    .replace(/\\\s*$/, '')
    .trim()
  return bare === '' || bare.startsWith('-') ? undefined : bare
}
