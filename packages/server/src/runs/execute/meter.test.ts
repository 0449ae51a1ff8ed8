import { expect, test } from 'vitest'
import type { Outcome } from '../../runtimes/index.ts'
import { Meter } from './meter.ts'

const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  status: 'succeeded',
  files: [],
  truncated: false,
  durationMs: 1,
  peakMemoryMb: null,
  signs: [],
  ...given,
})

test('Meter counts runs, pool hits and failures of each runtime apart', () => {
  const meter = new Meter()
  const record = (runtime: 'isolate' | 'process', given?: Outcome) =>
    meter.record({ runtime, outcome: given, queuedMs: 0, startMs: 0 })
  record('isolate', outcome({ warm: true }))
  record('isolate', outcome())
  // what the guest did wrong is no failure of the runtime
  record('isolate', outcome({ status: 'failed', error: { kind: 'timeout', message: 'too long' } }))
  record('isolate', outcome({ status: 'failed', error: { kind: 'internal', message: 'the sandbox ended' } }))
  record('process', undefined)

  expect(meter.read('isolate')).toMatchObject({ runs: 4, poolHits: 1, failures: 1 })
  expect(meter.read('process')).toMatchObject({ runs: 1, poolHits: 0, failures: 1 })
})

test('Meter has percentiles of the time in the queue, to the start and of the run', () => {
  const meter = new Meter()
  for (let n = 1; n <= 100; n++) {
    meter.record({ runtime: 'isolate', outcome: outcome({ durationMs: n * 10 }), queuedMs: n, startMs: n / 10 })
  }
  expect(meter.read('isolate')).toEqual({
    runs: 100,
    failures: 0,
    poolHits: 0,
    queuedMs: { p50: 50, p95: 95, p99: 99 },
    startMs: { p50: 5, p95: 9.5, p99: 9.9 },
    durationMs: { p50: 500, p95: 950, p99: 990 },
  })
})

test('Meter forgets times of long ago, and never a count', () => {
  const meter = new Meter()
  const record = (durationMs: number) =>
    meter.record({ runtime: 'isolate', outcome: outcome({ durationMs }), queuedMs: 0, startMs: 0 })
  for (let n = 0; n < 500; n++) record(1000)
  for (let n = 0; n < 1000; n++) record(2)
  expect(meter.read('isolate')).toMatchObject({ runs: 1500, durationMs: { p50: 2, p95: 2, p99: 2 } })
})

test('Meter answers zeroes for a runtime that has done nothing', () => {
  const none = { p50: 0, p95: 0, p99: 0 }
  expect(new Meter().read('isolate')).toEqual({
    runs: 0,
    failures: 0,
    poolHits: 0,
    queuedMs: none,
    startMs: none,
    durationMs: none,
  })
})
