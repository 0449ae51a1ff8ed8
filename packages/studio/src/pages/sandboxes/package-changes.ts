import { sameName, splitRequirement, type PackageLanguage, type SandboxPackagesChange } from '@coherex/contract'

/** What makes the packages of a sandbox those that are wanted; undefined where they are. */
export function packageChanges(
  language: PackageLanguage,
  before: readonly string[],
  wanted: readonly string[],
): SandboxPackagesChange | undefined {
  const nameOf = (requirement: string) => sameName(language, splitRequirement(language, requirement).name)
  const kept = new Set(wanted.map(nameOf))
  const requirements = wanted.filter((one) => !before.includes(one))
  const remove = before.map(nameOf).filter((name) => !kept.has(name))
  return requirements.length + remove.length > 0 ? { language, requirements, remove } : undefined
}
