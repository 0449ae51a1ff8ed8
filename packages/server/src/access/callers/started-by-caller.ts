import type { StartedBy } from '@coherex/contract'
import type { Caller } from '../caller.ts'

/** What a caller begins is begun by them, or by the program that holds the key. */
export function startedByCaller({ via, credentialId, door }: Caller): StartedBy {
  if (via === 'session') return { kind: 'person', door: 'studio' }
  // someone at a terminal, with the key that signing in gave them
  if (door === 'cli') return { kind: 'person', door, id: credentialId }
  return { kind: 'key', door: door ?? 'api', id: credentialId }
}
