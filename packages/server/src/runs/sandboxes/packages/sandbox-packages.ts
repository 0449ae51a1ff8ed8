import { CoherexError, type Language, type PackageLanguage, type PackageLock } from '@coherex/contract'

/** Packages of one language that a sandbox or a template has: what was asked for, and the lock it came to. */
export interface KeptPackages extends PackageLock {
  /** A registry of the team's own that they come from. */
  index?: string
}

/** What is asked for of one language. */
export interface WantedPackages {
  language: PackageLanguage
  requirements: string[]
  index?: string
  /** A lock file beside the files that ask for them. */
  lockFile?: string | undefined
}

const scripts: ReadonlySet<Language> = new Set(['javascript', 'typescript', 'node'])

/** By language: `npm:` and `pypi:` say which, everything else is of the sandbox's own, and of Python where it has none. */
export function wantedOf(packages: readonly string[], language: Language | null): WantedPackages[] {
  const own: PackageLanguage = language !== null && scripts.has(language) ? 'javascript' : 'python'
  const languageOf = (text: string) =>
    text.startsWith('npm:') ? 'javascript' : text.startsWith('pypi:') ? 'python' : own
  const grouped = Map.groupBy(packages, languageOf)
  return [...grouped].map(([one, texts]) => ({
    language: one,
    requirements: texts.map((text) => text.replace(/^(npm|pypi):/, '')),
  }))
}

/** What is wanted once more is asked for: of a name that was asked for before, the new words count. */
export function addWanted(before: readonly WantedPackages[], added: readonly WantedPackages[]): WantedPackages[] {
  const languages = new Set([...before, ...added].map(({ language }) => language))
  return [...languages].map((language) => {
    const old = before.find((one) => one.language === language)
    const fresh = added.find((one) => one.language === language)?.requirements ?? []
    const index = old?.index
    return {
      language,
      requirements: without(language, old?.requirements ?? [], fresh).concat(fresh),
      ...(index !== undefined && { index }),
    }
  })
}

/** The requirements without those of some names. */
export function without(
  language: PackageLanguage,
  requirements: readonly string[],
  names: readonly string[],
): string[] {
  const gone = new Set(names.map((name) => nameOf(language, name)))
  return requirements.filter((one) => !gone.has(nameOf(language, one)))
}

/** Throws where nobody asked for one of the names. */
export function checkAskedFor(language: PackageLanguage, before: readonly string[], names: readonly string[]): void {
  const known = new Set(before.map((one) => nameOf(language, one)))
  const unknown = names.find((name) => !known.has(nameOf(language, name)))
  if (unknown !== undefined)
    throw new CoherexError('not_found', `"${unknown.slice(0, 100)}" was not added to this sandbox by name`)
}

/** The packages that are new, or of another version. */
export function changedPackages(before: PackageLock | undefined, after: PackageLock | undefined) {
  const versions = new Map(before?.packages.map(({ name, version }) => [name, version]))
  const changed = (after?.packages ?? []).filter(({ name, version }) => versions.get(name) !== version)
  return changed.map(({ name, version }) => ({ name, version }))
}

/** The lock of what code of a language imports. */
export function lockFor(kept: readonly KeptPackages[], language: Language): PackageLock | undefined {
  const wanted = scripts.has(language) ? 'javascript' : language
  return toLocks(kept).find((one) => one.language === wanted)
}

/** As everyone may see them: the address of a registry may hold a password. */
export function toLocks(kept: readonly KeptPackages[]): PackageLock[] {
  return kept.map(({ hash, language, requirements, packages }) => ({ hash, language, requirements, packages }))
}

/** As registries compare names. */
function nameOf(language: PackageLanguage, requirement: string): string {
  if (language === 'javascript') return /^(@[^/]*\/)?[^@]*/.exec(requirement.replace(/^npm:/, ''))?.[0] ?? ''
  const [name = ''] = /^[\w.-]*/.exec(requirement.replace(/^pypi:/, '').trim()) ?? []
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}
