import { CoherexError, largestLimits, outgrewIsolate, type Receipt, type Run, type RunRequest } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import type { Limits } from '../../runtimes/index.ts'
import { selectRequest } from '../record/run-store.ts'
import { hasEnded, toLimits } from '../run.ts'

/** Room in a process sandbox for what the isolate had none. */
export function largerLimits(limits: Limits): Limits {
  const larger = fourfold(limits)
  return { ...limits, ...larger, cpuMs: larger.timeoutMs }
}

/** Four times as much, within what anyone may ask. */
function fourfold({ timeoutMs, memoryMb }: Pick<Limits, 'timeoutMs' | 'memoryMb'>) {
  return {
    timeoutMs: Math.min(timeoutMs * 4, largestLimits.timeoutMs),
    memoryMb: Math.min(Math.max(memoryMb * 4, 512), largestLimits.memoryMb),
  }
}

/** Says where the program ran before, and why it was moved. */
export function movedReceipt(receipt: Receipt, from: Pick<Run, 'id' | 'runtime' | 'error'>): Receipt {
  const why = outgrewIsolate(from) ?? 'someone asked for it'
  const passedOver = receipt.passedOver.filter(({ name }) => name !== 'isolate')
  return {
    ...receipt,
    reason: `moved here from the isolate: ${why}`,
    passedOver: [{ name: 'isolate', reason: `${why} (${from.id})` }, ...passedOver],
  }
}

/** The request of a run for a process sandbox. Refuses where that would change nothing. */
export async function toEscalated(database: Database, teamId: string, run: Run): Promise<RunRequest> {
  if (!hasEnded(run)) throw new CoherexError('conflict', `Cannot move run "${run.id}": it has not ended`)
  if (outgrewIsolate(run) === undefined) {
    throw new CoherexError('conflict', `Cannot move run "${run.id}": it did not fail for want of room in the isolate`)
  }
  const { escalate: _, ...request } = await selectRequest(database, teamId, run.id)
  return { ...request, runtime: 'process', limits: { ...request.limits, ...fourfold(toLimits(request)) } }
}
