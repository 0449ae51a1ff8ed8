import type { Timeline, TimelineCall } from '@coherex/contract'
import { expect, test } from 'vitest'
import { exactTime } from '../../../words/relative-time.ts'
import { toTimelineRows } from './timeline-rows.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
const use = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2, costUsd: 0.01 }
const call = (id: string, given: Partial<TimelineCall>): TimelineCall => ({
  ...{ id, tool: 'bash', status: 'done', startedAt: at(3), durationMs: 1000 },
  ...{ runs: [], turns: [], approvals: [], sleep: null, ...given },
})

test('steps and calls share one axis: calls that ran together stand side by side, and what waited says so', () => {
  const timeline = {
    turn: { status: 'running', createdAt: at(0), endedAt: null, use },
    phases: [
      { status: 'queued', startedAt: at(0), endedAt: at(1), server: null, isLost: false },
      { status: 'running', startedAt: at(1), endedAt: at(5), server: 1, isLost: true },
      { status: 'running', startedAt: at(5), endedAt: null, server: 2, isLost: false },
    ],
    steps: [
      {
        ...{ number: 1, model: 'm', status: 'done', finishReason: 'tool-calls', startedAt: at(1), durationMs: 2000 },
        ...{ firstTokenMs: 500, use, retries: [] },
        calls: [
          call('a', {}),
          call('b', { status: 'failed', durationMs: 500 }),
          call('c', {
            status: 'waiting',
            startedAt: null,
            durationMs: null,
            approvals: [
              { id: 'apr_1', status: 'pending', reason: 'A rule', askedAt: at(3), decidedAt: null, decidedBy: null },
            ],
          }),
          call('d', {
            status: 'sleeping',
            startedAt: null,
            durationMs: null,
            sleep: { startedAt: at(4), until: at(900) },
          }),
        ],
      },
      {
        ...{ number: 2, model: 'm', status: 'running', finishReason: null, startedAt: at(5), durationMs: null },
        ...{ firstTokenMs: null, use: null, calls: [], retries: [{ at: at(6), attempt: 1, reason: 'busy' }] },
      },
    ],
  } as unknown as Timeline
  const rows = toTimelineRows(timeline, 10_000)
  expect(
    rows.map(({ title, status, spans }) => [
      title,
      status,
      spans.map(({ look, fromMs, toMs }) => [look, fromMs, toMs]),
    ]),
  ).toEqual([
    [
      'Whole turn',
      'running',
      [
        ['queued', 0, 1000],
        ['lost', 1000, 5000],
        ['running', 5000, 10_000],
      ],
    ],
    [
      'Step 1',
      'succeeded',
      [
        ['first', 1000, 1500],
        ['model', 1500, 3000],
      ],
    ],
    ['bash', 'succeeded', [['tool', 3000, 4000]]],
    ['bash', 'failed', [['failed', 3000, 3500]]],
    ['bash', 'waiting', [['waiting', 3000, 10_000]]],
    ['bash', 'sleeping', [['sleeping', 4000, 10_000]]],
    ['Step 2', 'running', [['model', 5000, 10_000]]],
  ])
  expect(rows.flatMap(({ notes }) => notes)).toEqual([
    'taken up again after its server stopped responding, 1 time',
    '2 servers worked on it',
    'Waits for a person: A rule',
    `Sleeps until ${exactTime(at(900))}`,
    'Try 1 failed: busy',
  ])
})
