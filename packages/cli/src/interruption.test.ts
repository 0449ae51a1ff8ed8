import { expect, test, vi } from 'vitest'
import { createInterruption } from './interruption.ts'

test('what one listener heard is over when the next one listens', () => {
  const interruption = createInterruption()
  const [first, second] = [vi.fn(), vi.fn()]
  const forget = interruption.listen(first)
  expect(interruption.tell()).toBe(true)
  interruption.tell()
  forget()
  expect(interruption.tell()).toBe(false)

  const forgetSecond = interruption.listen(second)
  interruption.tell()
  forgetSecond()
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
})
