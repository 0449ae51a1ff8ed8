import type { EgressError } from './egress-error.ts'
import type { EgressSign } from './egress-sign.ts'

/**
 * Counts refusals of one outbound, who may be trying doors, and speaks up at the threshold, then each time the number has doubled: a sign,
 * not a flood of signs.
 */
export function createRefusalCounter(onSign: (sign: EgressSign) => void, threshold = 20): (error: EgressError) => void {
  let count = 0
  let next = threshold
  return (error) => {
    if (!error.isRefusal) return
    count++
    if (count < next) return
    next *= 2
    onSign({ kind: 'egress-refusals', detail: `${count} requests were refused` })
  }
}
