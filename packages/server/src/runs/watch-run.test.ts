import type { Run, RunEvent } from '@coherex/contract'
import { beforeEach, expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { newRun } from './new-run.ts'
import { toProgram } from './run.ts'
import { waitingRun } from './test-live-run.ts'
import { followRun, replayRun } from './watch-run.ts'

const caller = { teamId: 'team_a', via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
const request = { language: 'python' as const, code: '1' }
const line = (text: string) => ({ at: 0, stream: 'stdout' as const, text })

let heard: [string, number][]
const listen = ({ type }: RunEvent, id: number) => void heard.push([type, id])
let queued: Run
beforeEach(() => {
  heard = []
  queued = newRun(caller, { request, recorded: toProgram(request) }, {})
})

test('a run from the store is told from where its watcher stopped', () => {
  const run: Run = { ...queued, status: 'succeeded', output: [line('a'), line('b')] }
  replayRun(run, 0, listen)
  expect(heard).toEqual([
    ['run-output', 1],
    ['run-output', 2],
    ['run-end', 3],
  ])
})

test.each([2, 3, 40])('the end is told to a watcher that heard line %i where one was kept', (after) => {
  replayRun({ ...queued, status: 'failed', output: [line('a')] }, after, listen)
  expect(heard).toEqual([['run-end', after + 1]])
})

test('a run that another process holds is told as far as it is known', () => {
  replayRun(queued, -1, listen)
  expect(heard).toEqual([['run-start', 0]])
})

test('a live run is told to its end', async () => {
  const live = waitingRun(queued)
  live.print(line('a'))
  const followed = followRun(live, { after: -1, signal: new AbortController().signal }, listen)
  live.print(line('b'))
  live.end({ ...live.run, status: 'succeeded' })
  await followed
  expect(heard).toEqual([
    ['run-start', 0],
    ['run-output', 1],
    ['run-output', 2],
    ['run-end', 3],
  ])
})

test('a watcher that leaves hears no more', async () => {
  const live = waitingRun(queued)
  const leaving = new AbortController()
  const followed = followRun(live, { after: -1, signal: leaving.signal }, listen)
  leaving.abort()
  await followed
  live.print(line('a'))
  expect(heard).toEqual([['run-start', 0]])
})

test('a watcher that had left before it was heard waits for nothing', async () => {
  const live = waitingRun(queued)
  await followRun(live, { after: -1, signal: AbortSignal.abort() }, listen)
  live.print(line('a'))
  expect(heard).toEqual([])
})
