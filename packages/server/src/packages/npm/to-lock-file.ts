import type { ResolvedPackage } from '../package-source.ts'
import { readRequirements } from './read-requirements.ts'

/** A package-lock.json as npm writes it, with no address in it: it is used with whichever registry is there. */
export function toLockFile(
  requirements: readonly string[],
  packages: readonly ResolvedPackage[],
): { path: string; text: string } {
  const places = packages
    .flatMap(({ name, version, integrity, places: at = [name], manifest }) =>
      at.map((place) => {
        const isAlias = place !== name && !place.endsWith(`node_modules/${name}`)
        return [`node_modules/${place}`, { ...(isAlias && { name }), version, integrity, ...manifest }] as const
      }),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies: readRequirements(requirements) }, ...Object.fromEntries(places) },
  }
  return { path: 'package-lock.json', text: `${JSON.stringify(lock, null, 2)}\n` }
}
