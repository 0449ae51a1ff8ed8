import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lineTo, type Answer, type Asked } from '../../tests/scripted-line.ts'
import { followRun, routes, type FollowOptions, type RunEvent } from '../index.ts'

const id = `run_${'0'.repeat(26)}`
const ended = { id, status: 'succeeded', endedAt: '2026-11-15T10:00:00.000Z', output: [] }
const toEvent = (number: number, type: string, data: object) =>
  `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const start = toEvent(0, 'run-start', { id, endedAt: null })
const output = (number: number) => toEvent(number, 'run-output', { at: 0, stream: 'log', text: String(number) })
const end = (number: number) => toEvent(number, 'run-end', ended)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function collect(answer: (asked: Asked) => Answer, options: FollowOptions = {}, what: object | string = id) {
  const asked: Asked[] = []
  const line = lineTo((one) => {
    asked.push(one)
    return answer(one)
  })
  const told: string[] = []
  const following = (async () => {
    for await (const event of followRun({ ...line, routes }, what as string, options)) told.push(describe(event))
  })()
  const outcome = following.then(
    () => undefined,
    (error: Error) => error,
  )
  await vi.advanceTimersByTimeAsync(300_000)
  return { told, asked, error: await outcome }
}

const describe = (event: RunEvent): string =>
  event.type === 'run-output' && event.output.stream === 'log' ? event.output.text : event.type

const inTurn = (answers: Answer[]) => () => answers.shift() ?? { cut: '' }

test('followRun() resumes after a cut and a 503 with the number of the last event it read', async () => {
  const answers = [{ cut: start + output(1) + 'id: 2\nevent: run-ou' }, { status: 503 }, { body: output(2) + end(3) }]
  const losses: number[] = []
  const { told, asked } = await collect(inTurn(answers), { onLost: (failures) => losses.push(failures) })
  expect(told).toEqual(['run-start', '1', '2', 'run-end'])
  expect(asked.map(({ last }) => last)).toEqual(['-1', '1', '1'])
  expect(losses).toEqual([1, 2])
})

test('followRun() tells an output once that a server repeats, and a request for input each time', async () => {
  const request = toEvent(1, 'run-input-request', { prompt: '?', secret: false })
  const { told } = await collect(
    inTurn([{ cut: start + output(1) + request }, { body: start + output(1) + request + output(2) + end(2) }]),
  )
  expect(told).toEqual(['run-start', '1', 'run-input-request', 'run-input-request', '2', 'run-end'])
})

test('followRun() asks for the run when its stream ends without the end', async () => {
  const { told } = await collect(inTurn([{ body: start + output(1) }, { body: JSON.stringify(ended) }]))
  expect(told).toEqual(['run-start', '1', 'run-end'])
})

test('followRun() leaves a connection that is silent for 45 seconds', async () => {
  const { told, asked } = await collect(inTurn([{ open: start }, { body: end(1) }]))
  expect(told).toEqual(['run-start', 'run-end'])
  expect(asked[0]?.signal.aborted).toBe(true)
})

test('followRun() does not send a program twice', async () => {
  const { asked, error } = await collect(inTurn([{ cut: 'id: 0\n' }]), {}, { language: 'bash', code: 'echo' })
  expect(error).toMatchObject({ code: 'unavailable' })
  expect(asked).toHaveLength(1)
})

test('followRun() throws a refusal at once, and gives up when its patience ends', async () => {
  const refusal = { status: 403, body: '{"error":{"code":"forbidden","message":"not yours"}}' }
  const refused = await collect(inTurn([{ cut: start }, refusal]))
  expect([refused.error?.message, refused.asked.length]).toEqual(['not yours', 2])
  const lost = await collect(inTurn([]), { patienceMs: 20_000, describeLoss: () => 'gone' })
  expect(lost.error?.message).toBe('gone')
})

test('followRun() ends with the reason of its signal, also while it waits', async () => {
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(new Error('the page was left')), 1_000)
  const { asked, error } = await collect(inTurn([]), { signal: leaving.signal })
  expect(error?.message).toBe('the page was left')
  expect(asked.length).toBeLessThan(5)
})

test('followRun() tells the same events wherever its connections were cut', async () => {
  const events = [start, ...Array.from({ length: 8 }, (_, index) => output(index + 1)), end(9)]
  const whole = ['run-start', '1', '2', '3', '4', '5', '6', '7', '8', 'run-end']
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), async (cuts) => {
      const { told } = await collect(({ last }) => {
        const rest = events.slice(Number(last) + 1).join('')
        const cut = cuts.shift()
        return cut === undefined ? { body: rest } : { cut: rest.slice(0, cut) }
      })
      expect(told).toEqual(whole)
    }),
    { numRuns: 50 },
  )
})
