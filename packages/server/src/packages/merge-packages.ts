import type { ResolvedPackage } from './package-source.ts'

/**
 * The packages of several locks as one: each lock has all that its packages need, so together they do as long as no two of them
 * want different packages at one place. Undefined where they do.
 */
export function mergePackages(parts: readonly (readonly ResolvedPackage[])[]): ResolvedPackage[] | undefined {
  const atPlace = new Map<string, string>()
  const merged = new Map<string, ResolvedPackage>()
  for (const one of parts.flat()) {
    const key = `${one.name} ${one.version} ${one.integrity}`
    // Python has one version of a name
    for (const place of one.places ?? [one.name]) {
      if ((atPlace.get(place) ?? key) !== key) return undefined
      atPlace.set(place, key)
    }
    const places = one.places && [...new Set([...(merged.get(key)?.places ?? []), ...one.places])].toSorted()
    merged.set(key, places ? { ...one, places } : one)
  }
  return [...merged.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
