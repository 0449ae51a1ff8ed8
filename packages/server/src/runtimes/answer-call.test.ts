import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Capabilities } from '../capabilities/index.ts'
import { createAnswers } from './answer-call.ts'

const { signal } = new AbortController()

/** A capability whose calls keep the server busy for a millisecond each. */
function busyWork(onCall: (name: unknown) => void): Capabilities {
  const work = async ([name]: unknown[]) => {
    onCall(name)
    const until = performance.now() + 1
    while (performance.now() < until);
    return name
  }
  return { WORK: { methods: { work } } }
}

const callOf = (id: number, name: unknown) => ({ id, capability: 'WORK', method: 'work', args: [name] })

test('[protocol.6] calls of many runs leave every turn of the server to others', async () => {
  let inTurn = 0
  let most = 0
  const capabilities = busyWork(() => (most = Math.max(most, ++inTurn)))
  const answers = Array.from({ length: 8 }, () => createAnswers(capabilities, signal)).flatMap((answer) =>
    Array.from({ length: 20 }, (_, id) => answer(callOf(id, id))),
  )
  let isDone = false
  const all = Promise.all(answers).finally(() => (isDone = true))
  for (; !isDone; inTurn = 0) await nextTurn()
  expect((await all).map((answer) => 'value' in answer && answer.value)).toEqual(
    Array.from({ length: 160 }, (_, at) => at % 20),
  )
  // all 160 would begin in the first turn; of a millisecond each, a turn has time for four, and those that came with it for as many
  expect(most).toBeLessThanOrEqual(12)
})

test('[protocol.6] runs have their calls answered one after the other, however many one of them makes', async () => {
  const order: unknown[] = []
  const capabilities = busyWork((name) => order.push(name))
  const [first, second] = [createAnswers(capabilities, signal), createAnswers(capabilities, signal)]
  await Promise.all([
    ...Array.from({ length: 40 }, (_, id) => first(callOf(id, 'first'))),
    ...Array.from({ length: 3 }, (_, id) => second(callOf(id, 'second'))),
  ])
  expect(order).toHaveLength(43)
  expect(order.lastIndexOf('second')).toBeLessThan(20)
})

test('[protocol.6] a call that comes alone waits for no more than the present turn', async () => {
  const begun: unknown[] = []
  const capabilities = busyWork((name) => begun.push(name))
  for (let id = 0; id < 5; id++) {
    const answered = createAnswers(capabilities, signal)(callOf(id, id))
    await nextTurn()
    expect(begun.at(-1)).toBe(id)
    expect(await answered).toEqual({ type: 'answer', id, value: id })
  }
})

test('[protocol.6] more than fifty calls of one run at once are refused, and those that wait count', async () => {
  const answer = createAnswers(
    busyWork(() => {}),
    signal,
  )
  const answers = await Promise.all(Array.from({ length: 52 }, (_, id) => answer(callOf(id, id))))
  expect(answers.filter((one) => 'error' in one)).toMatchObject([
    { id: 50, error: { code: 'LIMIT_EXCEEDED' } },
    { id: 51, error: { code: 'LIMIT_EXCEEDED' } },
  ])
})

test.each([
  ['constructor', 'work', 'NOT_GRANTED'],
  ['__proto__', 'work', 'NOT_GRANTED'],
  ['WORK', 'constructor', 'INVALID_ARGUMENT'],
  ['WORK', '__proto__', 'INVALID_ARGUMENT'],
])('what every object has is no capability and no method: %s.%s', async (capability, method, code) => {
  const answer = createAnswers(
    busyWork(() => {}),
    signal,
  )
  expect(await answer({ id: 1, capability, method, args: [] })).toMatchObject({ id: 1, error: { code } })
})
