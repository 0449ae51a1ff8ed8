import { setImmediate as tick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RecordedCall } from '../turn/journal.ts'
import { PathChanged, Replay } from './replay.ts'

const call = (number: number, answer?: string): RecordedCall => ({
  number,
  tool: 'a',
  input: `${number}`,
  editedInput: null,
  ...(answer !== undefined && { answer: { value: { text: answer } } }),
})

describe('a replay', () => {
  it('answers in the order of the run before, however the calls come', async () => {
    const replay = new Replay({ recorded: [call(0, 'x'), call(1, 'y'), call(2), call(3, 'z')], answered: [1, 3, 0] })
    const heard: (number | string)[] = []
    const make = async (number: number) => {
      const { known } = replay.next('a', `${number}`)
      if (!known?.answer) return replay.over.then(() => heard.push('live'))
      await replay.turnOf(number)
      return heard.push(number)
    }
    const made = [make(0), make(1), make(2)]
    for (let at = 0; at < 5; at++) await tick()
    // the answer of call 3 came before that of call 0, and nothing new is done before all that is known
    expect(heard).toEqual([1])
    expect(replay.missing?.number).toBe(3)
    made.push(make(3))
    await Promise.all(made)
    expect(heard).toEqual([1, 3, 0, 'live'])
    expect(replay.missing).toBeUndefined()
  })

  it('is over at once when nothing is known', async () => {
    const replay = new Replay({ recorded: [], answered: [] })
    await replay.over
    expect(replay.next('a', '1')).toEqual({ number: 0, known: undefined })
  })

  it.each([
    ['another tool', 'b', '0'],
    ['other arguments', 'a', '{"b":1}'],
    ['another order', 'a', '1'],
  ])('refuses %s', (_, tool, input) => {
    const replay = new Replay({ recorded: [call(0, 'x'), call(1, 'y')], answered: [0, 1] })
    expect(() => replay.next(tool, input)).toThrow(PathChanged)
  })
})
