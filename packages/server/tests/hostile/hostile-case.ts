import type { World } from './world.ts'

/** One hostile program or input: what is tried, what must come of it, and the same probe where it must succeed. */
export interface HostileCase {
  /** Of the list of hostile cases; neighbours add a letter: J01-b. */
  id: string
  title: string
  attack(world: World): Promise<void>
  /** Shows that the probe works: a probe that never succeeds proves nothing. */
  control?(world: World): Promise<void>
}
