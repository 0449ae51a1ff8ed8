import { expect, test } from 'vitest'
import { hashOf } from '../content-codec.ts'
import { unifiedDiff } from '../versions/unified-diff.ts'
import { acceptHunks, leaveHunks } from './accept-hunks.ts'

const path = 'a.txt'
const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
const before = `${lines.join('\n')}\n`
const after = before.replace('line 2\n', 'two\nand more\n').replace('line 20\n', '').replace('line 40\n', 'end')
const digest = hashOf(unifiedDiff({ path, before, after }))

test('acceptHunks() makes any choice of the hunks', () => {
  const take = (...hunks: number[]) => acceptHunks({ path, before, after }, { digest, hunks })
  expect(take(0)).toBe(before.replace('line 2\n', 'two\nand more\n'))
  expect(take(1)).toBe(before.replace('line 20\n', ''))
  expect(take(2)).toBe(before.replace('line 40\n', 'end'))
  expect(take(0, 2)).toBe(before.replace('line 2\n', 'two\nand more\n').replace('line 40\n', 'end'))
  expect(take(0, 1, 2)).toBe(after)
  expect(() => take(3)).toThrow('no hunk 3')
})

test('acceptHunks() refuses a choice from another diff', () => {
  expect(() => acceptHunks({ path, before: `x\n${before}`, after }, { digest, hunks: [0] })).toThrow('changed since')
})

test('leaveHunks() makes all hunks but the chosen ones', () => {
  const leave = (...hunks: number[]) => leaveHunks({ path, before, after }, { digest, hunks })
  expect(leave(0)).toBe(acceptHunks({ path, before, after }, { digest, hunks: [1, 2] }))
  expect(leave(0, 1, 2)).toBe(before)
  expect(() => leave(3)).toThrow('no hunk 3')
})
