import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lineTo, type Answer, type Asked } from '../../tests/scripted-line.ts'
import { applyChunk, beginAnswer, followAnswer, followTurn, routes, type TurnChunk, type TurnStatus } from '../index.ts'
import type { FollowTurnOptions, TurnToFollow } from './follow-turn.ts'

const turnId = `turn_${'0'.repeat(26)}`
const threadId = `thr_${'0'.repeat(26)}`
const toEvent = (number: number, chunk: object, turn = turnId) =>
  `id: ${turn}:${number}\ndata: ${JSON.stringify(chunk)}\n\n`
const done = 'data: [DONE]\n\n'
const words = (delta: string): TurnChunk => ({ type: 'text-delta', id: '0', delta })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function collect(
  answer: (asked: Asked) => Answer,
  what: Partial<TurnToFollow> = { turnId },
  options: FollowTurnOptions = {},
) {
  const asked: Asked[] = []
  const line = lineTo((one) => {
    asked.push(one)
    return answer(one)
  })
  const told: TurnChunk[] = []
  const following = (async () => {
    for await (const { chunk } of followTurn({ ...line, routes }, { threadId, ...what }, options)) told.push(chunk)
  })()
  const outcome = following.then(
    () => undefined,
    (error: Error) => error,
  )
  await vi.advanceTimersByTimeAsync(300_000)
  return { told, asked, error: await outcome }
}

const inTurn = (answers: Answer[]) => () => answers.shift() ?? { cut: '' }

test('followTurn() says something once, and resumes after the last chunk it read', async () => {
  const { told, asked } = await collect(
    inTurn([
      { cut: toEvent(0, words('a')) + `id: ${turnId}:1\nda` },
      { status: 503 },
      // a server that does not know the header tells all of it
      { body: toEvent(0, words('a')) + toEvent(1, words('b')) + done },
    ]),
    { said: { text: 'Hello' } },
  )
  expect(told).toEqual([words('a'), words('b')])
  expect(asked.map(({ method, last }) => [method, last])).toEqual([
    ['POST', undefined],
    ['GET', `${turnId}:0`],
    ['GET', `${turnId}:0`],
  ])
})

test('followTurn() does not say something again when it heard nothing', async () => {
  const { asked, error } = await collect(inTurn([{ cut: '' }]), { said: { text: 'Hello' } })
  expect(error).toMatchObject({ code: 'unavailable' })
  expect(asked).toHaveLength(1)
})

test.each([
  ['nothing is under way', { status: 204 }],
  ['another turn is under way', { body: toEvent(0, words('other'), `turn_${'1'.repeat(26)}`) + done }],
])('followTurn() ends when %s any more', async (_, answer) => {
  const onGone = vi.fn<() => void>()
  const { told, error } = await collect(inTurn([{ cut: toEvent(0, words('a')) }, answer]), { turnId }, { onGone })
  expect([told, error]).toEqual([[words('a')], undefined])
  expect(onGone).toHaveBeenCalledOnce()
})

test('followTurn() ends with the reason of its signal', async () => {
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(new Error('the page was left')), 1_000)
  const { told, error } = await collect(inTurn([{ open: toEvent(0, words('a')) }]), { turnId }, leaving)
  expect([told, error?.message]).toEqual([[words('a')], 'the page was left'])
})

const step = fc.tuple(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }), fc.boolean())

/** Two steps; one that breaks off begins, and is said anew. */
const turns = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) =>
  steps.flatMap(([deltas, breaksOff], index): TurnChunk[] => {
    const whole: TurnChunk[] = [
      { type: 'start-step' },
      { type: 'text-start', id: '0' },
      ...deltas.map(words),
      { type: 'text-end', id: '0' },
      { type: 'tool-input-available', toolCallId: `${index}`, toolName: 'bash', input: { deltas } },
      { type: 'tool-output-available', toolCallId: `${index}`, output: { text: 'done' } },
      { type: 'finish-step' },
    ]
    const restart: TurnChunk = { type: 'data-restart', data: { steps: index }, transient: true }
    return breaksOff ? [...whole.slice(0, 3), restart, ...whole] : whole
  }),
)

test('an answer is the same wherever its connections were cut', async () => {
  await fc.assert(
    fc.asyncProperty(turns, fc.array(fc.nat({ max: 2_000 }), { maxLength: 6 }), async (chunks, cuts) => {
      const { told } = await collect(({ last }) => {
        const from = last === undefined ? 0 : Number(last.slice(last.indexOf(':') + 1)) + 1
        const rest = chunks.map((chunk, index) => toEvent(index, chunk)).slice(from)
        const cut = cuts.shift()
        return cut === undefined ? { body: rest.join('') + done } : { cut: rest.join('').slice(0, cut) }
      })
      expect(told.reduce(applyChunk, beginAnswer())).toEqual(chunks.reduce(applyChunk, beginAnswer()))
    }),
    { numRuns: 50 },
  )
})

test('an answer is the same however its words were cut into deltas, and without the steps that broke off', () => {
  fc.assert(
    fc.property(turns, (chunks) => {
      const letters = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [...chunk.delta].map(words) : [chunk]))
      const whole = chunks.reduce(applyChunk, beginAnswer())
      expect(letters.reduce(applyChunk, beginAnswer())).toEqual(whole)
      const kept = chunks.filter((_, index) => !chunks.slice(index + 1, index + 4).some(isRestart))
      expect(kept.filter((chunk) => !isRestart(chunk)).reduce(applyChunk, beginAnswer())).toEqual(whole)
    }),
  )
})

const isRestart = ({ type }: TurnChunk) => type === 'data-restart'

test('followAnswer() waits for a turn that rests, tells so once, and goes on after what was said', async () => {
  const said = [['a'], [], ['b'], ['c']]
  const statuses: TurnStatus[] = ['waiting', 'waiting', 'sleeping', 'done']
  const from: (string | undefined)[] = []
  const news: unknown[] = []
  const following = (async () => {
    const answer = followAnswer<string>({
      async *read(last) {
        from.push(last)
        yield* said.shift() ?? []
      },
      look: async () => statuses.shift() ?? 'failed',
      lookAgainMs: 1_000,
      signal: new AbortController().signal,
    })
    for await (const one of answer) news.push(one.type === 'said' ? one.said : one.status)
  })()
  await vi.advanceTimersByTimeAsync(3_000)
  await following
  expect(news).toEqual(['a', 'waiting', 'b', 'sleeping', 'c'])
  expect(from).toEqual([undefined, 'a', 'a', 'b'])
})
