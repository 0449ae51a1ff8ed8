import type { Run } from '@coherex/contract'
import { beforeEach, expect, test } from 'vitest'
import type { TeamCaller } from '../access/index.ts'
import { newRun } from './new-run.ts'
import { toProgram } from './run.ts'
import { waitingRun } from './test-live-run.ts'
import { followRun, replayRun, type NumberedEvent } from './watch-run.ts'

const caller = { teamId: 'team_a', via: 'key', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
const request = { language: 'python' as const, code: '1' }
const line = (text: string) => ({ at: 0, stream: 'stdout' as const, text })

const open = () => waitingRun(queued)
const stays = new AbortController().signal

/** Reads to the end, or until so many events were read. */
async function read(events: AsyncIterable<NumberedEvent> | Iterable<NumberedEvent>, most = Infinity) {
  const heard: [string, number][] = []
  for await (const { event, number } of events) if (heard.push([event.type, number]) >= most) break
  return heard
}

let queued: Run
beforeEach(() => {
  queued = newRun(caller, { request, recorded: toProgram(request) }, {})
})

test('a run from the store is told from where its watcher stopped', async () => {
  const run: Run = { ...queued, status: 'succeeded', output: [line('a'), line('b')] }
  expect(await read(replayRun(run, 0))).toEqual([
    ['run-output', 1],
    ['run-output', 2],
    ['run-end', 3],
  ])
})

test.each([2, 3, 40])('the end is told to a watcher that heard line %i where one was kept', async (after) => {
  const run: Run = { ...queued, status: 'failed', output: [line('a')] }
  expect(await read(replayRun(run, after))).toEqual([['run-end', after + 1]])
})

test('a run that another process holds is told as far as it is known', async () => {
  expect(await read(replayRun(queued, -1))).toEqual([['run-start', 0]])
})

test('a live run is told to its end', async () => {
  const live = open()
  live.print(line('a'))
  const followed = read(followRun(live, { after: -1, signal: stays }))
  await Promise.resolve()
  live.print(line('b'))
  live.end({ ...live.run, status: 'succeeded' })
  expect(await followed).toEqual([
    ['run-start', 0],
    ['run-output', 1],
    ['run-output', 2],
    ['run-end', 3],
  ])
})

test('followRun() makes no event before its watcher asks for it', async () => {
  const live = open()
  const events = followRun(live, { after: -1, signal: stays })
  expect((await events.next()).value).toMatchObject({ number: 0 })
  for (const text of ['a', 'b', 'c']) live.print(line(text))
  // read from the run as it is now: nothing was kept for whoever did not ask
  live.run.output[1] = line('another')
  expect((await events.next()).value).toMatchObject({ number: 1, event: { output: { text: 'a' } } })
  expect((await events.next()).value).toMatchObject({ number: 2, event: { output: { text: 'another' } } })
})

test('a question is told once to each watcher while it waits', async () => {
  const live = open()
  live.print(line('a'))
  void live.ask({ prompt: '? ', secret: false })
  const expected = [
    ['run-start', 0],
    ['run-output', 1],
    ['run-input-request', 1],
  ]
  expect(await read(followRun(live, { after: -1, signal: stays }), 3)).toEqual(expected)
  const second = read(followRun(live, { after: -1, signal: stays }), 6)
  await Promise.resolve()
  live.answer('x')
  void live.ask({ prompt: '?? ', secret: false })
  live.print(line('b'))
  live.end({ ...live.run, status: 'succeeded' })
  // the question and its answer are a line of their own
  expect((await second).at(-1)).toEqual(['run-end', 4])
})

test('a watcher that leaves hears no more', async () => {
  const live = open()
  const leaving = new AbortController()
  const followed = read(followRun(live, { after: -1, signal: leaving.signal }))
  await Promise.resolve()
  leaving.abort()
  expect(await followed).toEqual([['run-start', 0]])
})

test('a watcher that had left before it was heard waits for nothing', async () => {
  expect(await read(followRun(open(), { after: -1, signal: AbortSignal.abort() }))).toEqual([])
})
