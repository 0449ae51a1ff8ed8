import type { TimelinePhase, Turn } from '@coherex/contract'
import { expect, test } from 'vitest'
import { findSteps } from './find-steps.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const use = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2, costUsd: 0.01 }
const step = (number: number, second: number, calls: Turn['steps'][number]['calls'] = []): Turn['steps'][number] => ({
  ...{
    number,
    model: 'm',
    finishReason: 'stop',
    startedAt: at(second),
    durationMs: 1000,
    firstTokenMs: 200,
    use,
    calls,
  },
})
const turnOf = (given: Partial<Turn>) =>
  ({ status: 'done', model: 'm', ending: null, endedAt: at(60), steps: [], ...given }) as Turn
const phases: TimelinePhase[] = [{ status: 'running', startedAt: at(1), endedAt: null, server: 1, isLost: false }]
const nothing = { history: [], approvals: [], calls: [], runs: [], turns: [], openCalls: [] }

test('findSteps() puts runs, agents, questions and sleep beside the calls that began them', () => {
  const call = {
    id: 'c1',
    tool: 'run_code',
    status: 'done' as const,
    startedAt: at(3),
    durationMs: 500,
    runId: 'run_1',
  }
  const old = { id: 'c2', tool: 'bash', status: 'failed' as const, durationMs: 5, runId: 'run_2' }
  const run = { status: 'succeeded' as const, language: 'python' as const, duration_ms: 4, sandbox_id: 'sbx_1' }
  const [first] = findSteps(turnOf({ steps: [step(1, 1, [call, old])] }), phases, {
    ...nothing,
    history: [
      { at: at(1), kind: 'retry', details: { step: 1, attempt: 1, reason: 'busy' } },
      { at: at(1), kind: 'retry', details: { step: 2, attempt: 1, reason: 'another' } },
    ],
    runs: [
      { id: 'run_1', call_id: 'c1', ...run },
      { id: 'run_2', call_id: null, ...run },
    ],
    turns: [{ id: 'turn_2', thread_id: 'thr_2', agent_name: 'writer', status: 'done', call_id: 'c1' }],
    approvals: [
      {
        id: 'apr_1',
        call_id: 'c1',
        status: 'approved',
        reason: 'A rule',
        created_at: at(2),
        decided_at: at(3),
        decided_by_name: 'Ann',
      },
    ],
    calls: [{ call_id: 'c1', status: 'done', begun_at: at(2), wake_at: at(3) }],
  })
  expect(first?.retries).toEqual([{ at: at(1), attempt: 1, reason: 'busy' }])
  expect(first?.calls[0]).toEqual({
    ...{ id: 'c1', tool: 'run_code', status: 'done', startedAt: at(3), durationMs: 500 },
    runs: [{ id: 'run_1', status: 'succeeded', language: 'python', durationMs: 4, sandboxId: 'sbx_1' }],
    turns: [{ id: 'turn_2', threadId: 'thr_2', agent: 'writer', status: 'succeeded' }],
    approvals: [
      { id: 'apr_1', status: 'approved', reason: 'A rule', askedAt: at(2), decidedAt: at(3), decidedBy: 'Ann' },
    ],
    sleep: { startedAt: at(2), until: at(3) },
  })
  expect(first?.calls[1]).toMatchObject({ status: 'failed', startedAt: null, runs: [{ id: 'run_2' }] })
})

test('findSteps() shows calls under way, those that wait and those that sleep', () => {
  const pending = { reason: '', created_at: at(2), decided_at: null, decided_by_name: null }
  const steps = findSteps(turnOf({ status: 'waiting', endedAt: null, steps: [step(1, 1)] }), phases, {
    ...nothing,
    openCalls: ['c1', 'c2', 'c3', 'c4'].map((id) => ({ id, tool: 'bash' })),
    approvals: [{ id: 'apr_1', call_id: 'c1', status: 'pending', ...pending }],
    calls: [
      { call_id: 'c2', status: 'sleeping', begun_at: at(2), wake_at: at(99) },
      { call_id: 'c3', status: 'begun', begun_at: at(4), wake_at: null },
    ],
  })
  expect(steps).toHaveLength(1)
  expect(steps[0]?.calls.map(({ status, startedAt }) => [status, startedAt])).toEqual([
    ['waiting', null],
    ['sleeping', null],
    ['running', at(4)],
    // nothing was written down: it began when the model had asked for it
    ['running', at(2)],
  ])
})

test('findSteps() shows what a program did, and what it or an asked agent waits for, beside its call', () => {
  const decided = { reason: '', created_at: at(2), decided_at: at(3), decided_by_name: 'Ann' }
  const run = { language: 'bash' as const, duration_ms: 4, sandbox_id: null }
  const asked = { id: 'turn_2', thread_id: 'thr_2', agent_name: 'writer' }
  const [only] = findSteps(turnOf({ status: 'waiting', endedAt: null, steps: [step(1, 1)] }), phases, {
    ...nothing,
    openCalls: [
      { id: 'c1', tool: 'run_program' },
      { id: 'c10', tool: 'run_program' },
      { id: 'c2', tool: 'ask_writer' },
      { id: 'c3', tool: 'ask_writer' },
    ],
    approvals: [
      { id: 'apr_1', call_id: 'c1/2', status: 'approved', ...decided },
      { id: 'apr_2', call_id: 'c1/3', status: 'pending', ...decided, decided_at: null, decided_by_name: null },
    ],
    runs: [{ id: 'run_1', call_id: 'c1/1', status: 'succeeded', ...run }],
    turns: [
      { ...asked, status: 'waiting', call_id: 'c2' },
      { ...asked, status: 'sleeping', call_id: 'c3' },
    ],
  })
  const seen = only?.calls.map(({ status, approvals, runs }) => [status, approvals.map(({ id }) => id), runs.length])
  expect(seen).toEqual([
    ['waiting', ['apr_1', 'apr_2'], 1],
    ['running', [], 0],
    ['waiting', [], 0],
    ['sleeping', [], 0],
  ])
})

test('findSteps() adds the step in which the model is asked, or that it never answered', () => {
  const call = { id: 'c1', tool: 'bash', status: 'done' as const, startedAt: at(3), durationMs: 4000, runId: null }
  const steps = [step(1, 1, [call])]
  const open = findSteps(turnOf({ status: 'running', endedAt: null, steps }), phases, nothing).at(-1)
  expect(open).toMatchObject({ number: 2, status: 'running', startedAt: at(7), durationMs: null })

  const ending = { kind: 'model' as const, message: 'The provider asks to slow down' }
  const history = [{ at: at(8), kind: 'retry' as const, details: { step: 2, attempt: 1, reason: 'busy' } }]
  const failed = findSteps(turnOf({ status: 'failed', ending, steps, endedAt: at(9) }), phases, {
    ...nothing,
    history,
  }).at(-1)
  expect(failed).toMatchObject({
    number: 2,
    status: 'failed',
    startedAt: at(7),
    durationMs: 2000,
    retries: [{ attempt: 1 }],
  })
})
