import { setImmediate as turn } from 'node:timers/promises'
import type { Launched } from '../launch/index.ts'
import type { Sign } from '../runtime.ts'

/** The calls that were denied before the guest's last word, which came another way: what was told of them may still wait to be read. */
export async function denialsSoFar(launched: Pick<Launched, 'denials'>): Promise<readonly string[]> {
  // a turn reads whatever has come by then of those it looked at before: what was told first can be the next turn's
  await turn()
  await turn()
  return [...launched.denials()]
}

/** One sign for all of them, whatever the program made of the refusals. */
export function signOfDenials(calls: readonly string[]): Sign[] {
  if (calls.length === 0) return []
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1)
  const named = [...counts].map(([call, count]) => (count === 1 ? call : `${call} (${count} times)`))
  return [{ kind: 'denied-syscall', detail: `refused: ${named.join(', ')}` }]
}
