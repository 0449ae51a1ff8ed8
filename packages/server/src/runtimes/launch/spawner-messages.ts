/** Server to spawner. */
export interface LaunchOrder {
  id: number
  command: string[]
  user?: { uid: number; gid: number }
  /** Files that take the new process into its control groups. */
  cgroupFiles: string[]
}

/** Spawner to server: `listening` once, then for each order `started` or `failed`, and `exit` after `started`. */
export type SpawnerReport =
  | { type: 'listening' }
  | { type: 'started'; id: number; pid: number; innerPid: number }
  | { type: 'failed'; id: number; reason: string }
  | { type: 'exit'; id: number; code: number | null; signal: string | null }

/** The sandbox's descriptors 0 to 3, each a connection that first says whose it is: order and index, 32 bits each. */
export const streamsPerSandbox = 4
export const greetingBytes = 8
