import type { EgressError, EgressReason } from './egress-error.ts'

/** Many refusals from one caller: someone is trying doors. */
export interface RefusalStorm {
  count: number
  reasons: Partial<Record<EgressReason, number>>
}

/** Counts refusals and speaks up at the threshold, then each time the number has doubled: a sign, not a flood of signs. */
export function createRefusalCounter(
  onStorm: (storm: RefusalStorm) => void,
  threshold = 20,
): (error: EgressError) => void {
  const reasons = new Map<EgressReason, number>()
  let count = 0
  let next = threshold
  return (error) => {
    if (!error.isRefusal) return
    count++
    reasons.set(error.reason, (reasons.get(error.reason) ?? 0) + 1)
    if (count < next) return
    next *= 2
    onStorm({ count, reasons: Object.fromEntries(reasons) })
  }
}
