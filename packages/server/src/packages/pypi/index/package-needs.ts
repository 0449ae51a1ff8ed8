import { normalizeName } from '../requirement.ts'

/** Names that each package needs, read from requirements with `# via` comments as uv writes them, one a line. */
export function readNeeds(annotated: string): Map<string, string[]> {
  const needs = new Map<string, string[]>()
  for (const line of annotated.split('\n')) {
    const [, name, via] = /^([\w.-]+)==\S+\s+# via (.+)$/.exec(line) ?? []
    if (name === undefined || via === undefined) continue
    for (const one of via.split(',').map((text) => text.trim())) {
      // a file of requirements is no package
      if (!/^[\w.-]+$/.test(one)) continue
      const needing = normalizeName(one)
      needs.set(needing, [...(needs.get(needing) ?? []), normalizeName(name)])
    }
  }
  return needs
}
