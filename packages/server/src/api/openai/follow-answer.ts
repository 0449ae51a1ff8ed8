import { setTimeout as delay } from 'node:timers/promises'
import type { UIMessageChunk } from 'ai'
import { readTurn, type StoredTurn, type Turns } from '../../agents/index.ts'
import type { Database } from '../../base/index.ts'

const lookAgainMs = 1_000

/** What a turn says to its very end: these clients know no other answer, so a turn that rests is waited for. */
export async function* followAnswer(
  { database, turns }: { database: Database; turns: Turns },
  { teamId, id }: StoredTurn,
  signal: AbortSignal,
): AsyncGenerator<UIMessageChunk> {
  for (let next = 0; !signal.aborted;) {
    for await (const { number, chunk } of turns.stream({ teamId, id }, next, signal)) {
      next = number + 1
      yield chunk
    }
    const { status } = await readTurn(database, teamId, id)
    if (status !== 'waiting' && status !== 'sleeping' && status !== 'queued' && status !== 'running') return
    await delay(lookAgainMs, undefined, { signal }).catch(() => undefined) // the loop sees that it is over
  }
}
