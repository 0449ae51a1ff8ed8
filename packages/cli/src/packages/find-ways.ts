import { sameName, splitRequirement, type PackageLock } from '@coherex/contract'

/** How a package came into a lock: from a requirement over the packages that need it. */
export interface Way {
  requirement: string
  /** From the package that is required to the one that was asked about. */
  packages: string[]
}

const most = 20

/** The shortest way from each requirement to a package; undefined where the lock does not tell what its packages need. */
export function findWays(lock: PackageLock, name: string): Way[] | undefined {
  const key = (one: string) => sameName(lock.language, one)
  const needs = new Map<string, string[]>()
  for (const { name: one, dependencies = [] } of lock.packages) {
    needs.set(key(one), [...(needs.get(key(one)) ?? []), ...dependencies])
  }
  const ways = lock.requirements.flatMap((requirement) => {
    const { name: start } = splitRequirement(lock.language, requirement)
    const packages = shortestWay(start, name)
    return packages ? [{ requirement, packages }] : []
  })
  const isTold = lock.packages.some(({ dependencies }) => dependencies !== undefined)
  return ways.length > 0 || isTold ? ways.slice(0, most) : undefined

  function shortestWay(from: string, to: string): string[] | undefined {
    const seen = new Set([key(from)])
    let ends: string[][] = [[from]]
    while (ends.length > 0) {
      const found = ends.find((way) => key(way.at(-1) ?? '') === key(to))
      if (found) return found
      ends = ends.flatMap((way) =>
        (needs.get(key(way.at(-1) ?? '')) ?? []).flatMap((next) => {
          if (seen.has(key(next))) return []
          seen.add(key(next))
          return [[...way, next]]
        }),
      )
    }
    return undefined
  }
}
