import { expect, test } from 'vitest'
import type { BusEvent } from '../../base/index.ts'
import { keepRecentEvents } from './recent-events.ts'

test('keepRecentEvents() tells what happened since, and undefined for times that it does not know', () => {
  let clock = 1_000
  let tell: (event: BusEvent) => void = () => undefined
  const feed = { subscribe: (listener: typeof tell) => ((tell = listener), () => undefined) }
  const recent = keepRecentEvents(feed, () => clock)
  const at = (time: number, id: string) => {
    clock = time
    tell({ teamId: 'team_1', type: 'thread', id })
  }
  const idsSince = (ageMs: number) => recent.since(ageMs)?.map(({ id }) => id)
  at(2_000, 'a')
  at(3_000, 'b')
  expect(idsSince(500)).toEqual(['b'])
  expect(idsSince(2_000)).toEqual(['a', 'b'])
  // from before the server began
  expect(idsSince(2_001)).toBe(undefined)
  at(90_000, 'c')
  expect(idsSince(10)).toEqual(['c'])
  expect(idsSince(89_000)).toBe(undefined)

  for (let count = 0; count < 6_000; count++) at(90_001 + count / 100, `${count}`)
  expect(idsSince(0)).toEqual(['5999'])
  // more happened than is kept
  expect(idsSince(60)).toBe(undefined)
})
