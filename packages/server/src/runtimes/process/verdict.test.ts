import type { RunError } from '@coherex/contract'
import { expect, test } from 'vitest'
import type { Ending } from '../launch/index.ts'
import type { Limits } from '../runtime.ts'
import { decideVerdict, type Stop } from './verdict.ts'

const limits = { timeoutMs: 1000, cpuMs: 500, memoryMb: 64, outputBytes: 100 } as Limits
const ended = (change: Partial<Ending> = {}): Ending => ({ code: 0, signal: null, outOfMemory: false, ...change })
const done = (exitCode: number): Stop => ({ why: 'done', exitCode })
const thrown: RunError = { kind: 'runtime', message: 'ValueError' }

// what stopped it, how the kernel says that it ended, what the guest told; then status, kind and signs
const cases: [string, Stop, Ending | undefined, RunError | undefined, unknown[]][] = [
  ['it was done', done(0), undefined, undefined, ['succeeded', undefined, []]],
  ['it threw', done(1), ended({ code: 1 }), thrown, ['failed', 'runtime', []]],
  ['it left without a word', { why: 'ended' }, ended(), undefined, ['succeeded', undefined, []]],
  ['it left with a code', { why: 'ended' }, ended({ code: 3 }), undefined, ['failed', 'runtime', []]],
  ['it was ended', { why: 'ended' }, ended({ code: null, signal: 'SIGSEGV' }), undefined, ['failed', 'runtime', []]],
  [
    'what it came from died',
    { why: 'ended' },
    ended({ code: null, signal: 'SIGKILL', isLost: true }),
    undefined,
    ['failed', 'internal', []],
  ],
  [
    'what it came from died once it had told of its error',
    { why: 'ended' },
    ended({ code: null, signal: 'SIGKILL', isLost: true }),
    thrown,
    ['failed', 'runtime', []],
  ],
  ['it was cancelled', { why: 'cancelled' }, ended({ outOfMemory: true }), thrown, ['cancelled', 'cancelled', []]],
  ['its time was over', { why: 'timeout', wantsMemory: false }, ended(), thrown, ['failed', 'timeout', ['limit-kill']]],
  [
    'its time was over while it was being ended for lack of memory',
    { why: 'timeout', wantsMemory: false },
    ended({ outOfMemory: true }),
    thrown,
    ['failed', 'memory', ['limit-kill']],
  ],
  [
    'its time was over while it was given the memory it asked for',
    { why: 'timeout', wantsMemory: true },
    ended(),
    undefined,
    ['failed', 'memory', ['limit-kill']],
  ],
  [
    'it needed more memory',
    { why: 'ended' },
    ended({ outOfMemory: true }),
    thrown,
    ['failed', 'memory', ['limit-kill']],
  ],
  ['a child of it needed more', done(1), ended({ outOfMemory: true }), thrown, ['failed', 'memory', ['limit-kill']]],
  ['a child of it needed more, and it went on', done(0), undefined, undefined, ['succeeded', undefined, []]],
  ['its memory holds no sandbox', { why: 'too-small' }, ended(), undefined, ['failed', 'memory', ['limit-kill']]],
  ['it wrote without end', { why: 'flood' }, ended(), undefined, ['failed', 'output', ['limit-kill', 'protocol']]],
  ['it broke the protocol', { why: 'broken', reason: 'x' }, ended(), thrown, ['failed', 'runtime', ['protocol']]],
  [
    'it used its CPU time',
    { why: 'ended' },
    ended({ code: null, signal: 'SIGXCPU' }),
    undefined,
    ['failed', 'timeout', ['limit-kill']],
  ],
  ['its program used its CPU time', done(128 + 24), ended(), thrown, ['failed', 'timeout', ['limit-kill']]],
  [
    'a forbidden call ended it',
    { why: 'ended' },
    ended({ code: null, signal: 'SIGSYS' }),
    undefined,
    ['failed', 'denied', ['denied-syscall']],
  ],
  ['a forbidden call ended its program', done(128 + 31), ended(), thrown, ['failed', 'denied', ['denied-syscall']]],
  [
    'it was told that it may not',
    done(1),
    ended({ code: 1 }),
    { kind: 'denied', message: 'PermissionError' },
    ['failed', 'denied', ['denied-syscall']],
  ],
]

test.each(cases)('the verdict when %s', (_, stop, ending, told, expected) => {
  const { status, error, signs } = decideVerdict(stop, ending, told, limits)
  expect([status, error?.kind, signs.map(({ kind }) => kind)]).toEqual(expected)
})

test('what the guest told of a denial is cut in its sign', () => {
  const told: RunError = { kind: 'denied', message: 'x'.repeat(1000) }
  expect(decideVerdict(done(1), undefined, told, limits).signs).toEqual([
    { kind: 'denied-syscall', detail: 'x'.repeat(300) },
  ])
})
