import type { RuntimeName, RuntimeStatus } from '@coherex/contract'
import type { Outcome } from '../../runtimes/index.ts'

type Metrics = RuntimeStatus['metrics']

const kept = 1000

interface Counts {
  runs: number
  failures: number
  poolHits: number
  startMs: number[]
  durationMs: number[]
  queuedMs: number[]
}

export interface MeteredRun {
  runtime: RuntimeName
  outcome: Outcome | undefined
  queuedMs: number
  /** From leaving the queue until the guest's code began. */
  startMs: number
}

/** Counts runs for each runtime, with percentiles over the last thousand. */
export class Meter {
  readonly #counts = new Map<RuntimeName, Counts>()

  record({ runtime, outcome, queuedMs, startMs }: MeteredRun): void {
    const counts = this.#countsOf(runtime)
    counts.runs++
    // a guest's own error is a normal day; a failure is when the runtime could not do its work
    if (!outcome || outcome.error?.kind === 'internal') counts.failures++
    if (outcome?.warm) counts.poolHits++
    push(counts.queuedMs, queuedMs)
    push(counts.startMs, startMs)
    if (outcome) push(counts.durationMs, outcome.durationMs)
  }

  read(runtime: RuntimeName): Metrics {
    const { runs, failures, poolHits, ...times } = this.#countsOf(runtime)
    return {
      runs,
      failures,
      poolHits,
      startMs: percentiles(times.startMs),
      durationMs: percentiles(times.durationMs),
      queuedMs: percentiles(times.queuedMs),
    }
  }

  #countsOf(runtime: RuntimeName): Counts {
    const counts = this.#counts.get(runtime) ?? {
      runs: 0,
      failures: 0,
      poolHits: 0,
      startMs: [],
      durationMs: [],
      queuedMs: [],
    }
    this.#counts.set(runtime, counts)
    return counts
  }
}

function push(values: number[], value: number): void {
  values.push(value)
  if (values.length > kept) values.shift()
}

function percentiles(values: number[]): { p50: number; p95: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
