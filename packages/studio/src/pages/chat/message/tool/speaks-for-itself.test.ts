import type { Turn } from '@coherex/contract'
import { expect, test } from 'vitest'
import { speaksForItself } from './speaks-for-itself.ts'

const words = [{ type: 'step-start' }, { type: 'text', text: 'Hello.' }]

function turn(kind: string, ...reasons: string[]) {
  return { ending: { kind, message: '' }, steps: reasons.map((finishReason) => ({ finishReason })) } as unknown as Turn
}

test('an answer speaks for itself, unless it was cut short, withheld or is empty', () => {
  expect(speaksForItself(turn('answered', 'tool-calls', 'stop', 'title'), words)).toBe(true)
  expect(speaksForItself(turn('answered', 'length', 'stop'), words)).toBe(true)
  expect(speaksForItself(turn('answered', 'length', 'title'), words)).toBe(false)
  expect(speaksForItself(turn('answered', 'content-filter'), words)).toBe(false)
  expect(speaksForItself(turn('answered', 'stop'), words.slice(0, 1))).toBe(false)
  expect(speaksForItself(turn('model'), words)).toBe(false)
})
