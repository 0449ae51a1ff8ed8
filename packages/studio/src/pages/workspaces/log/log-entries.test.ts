import type { Proposal, RunSummary, ThreadSummary, WorkspaceVersion } from '@coherex/contract'
import { expect, test } from 'vitest'
import { logEntries } from './log-entries.ts'

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`
const olga = { kind: 'person', id: 'per_1', name: 'Olga', door: 'studio' }
const coder = { kind: 'agent', id: 'coder', name: 'coder for Olga', door: 'agent', turnId: 'turn_1' }
const version = (number: number, minute: number, author: object) =>
  ({
    ...{ number, author, at: at(minute), message: null, changeCount: 1 },
    changes: [{ path: `${number}.txt`, change: 'changed' }],
  }) as WorkspaceVersion

const sources = {
  versions: { items: [version(3, 9, coder), version(2, 8, coder), version(1, 2, olga)], hasMore: false },
  runs: {
    items: [{ id: 'run_1', status: 'failed', entry: 'a.py', createdAt: at(5), createdBy: olga } as RunSummary],
    hasMore: false,
  },
  threads: {
    items: [{ id: 'thr_1', agent: 'coder', title: 'Mend', updatedAt: at(7), createdBy: olga } as ThreadSummary],
    hasMore: false,
  },
  proposals: [
    {
      ...{ id: 'prop_1', path: 'b.txt', status: 'rejected', author: coder, createdAt: at(1) },
      ...{ decidedAt: at(6), decidedBy: olga },
    } as Proposal,
  ],
}

test('logEntries() puts versions, runs, conversations and decisions in one order, newest first', () => {
  expect(logEntries(sources).map(({ who, words }) => `${who}: ${words}`)).toEqual([
    'coder for Olga: coder changed 2 files',
    'Olga: Talked with coder: Mend',
    'Olga: Rejected coder for Olga’s change of b.txt',
    'Olga: Ran a.py',
    'Olga: Changed 1.txt',
  ])
})

test('logEntries() ends where older entries of one kind are not loaded', () => {
  const runs = { ...sources.runs, hasMore: true }
  expect(logEntries({ ...sources, runs }).at(-1)?.words).toBe('Ran a.py')
})
