import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { applyEdits, diffText, type TextEdit } from './edit-text.ts'

function apply(before: string, edits: TextEdit[]): string {
  const text = new Y.Doc().getText('t')
  text.insert(0, before)
  applyEdits(text, edits)
  return text.toString()
}

test.each([
  ['same', 'same', []],
  ['', 'new', [{ at: 0, remove: 0, insert: 'new' }]],
  ['old', '', [{ at: 0, remove: 3, insert: '' }]],
  ['one\ntwo\nthree\n', 'one\n2\nthree\n', [{ at: 4, remove: 3, insert: '2' }]],
  ['a😀b', 'a😁b', [{ at: 1, remove: 2, insert: '😁' }]],
  [
    'let a = 1\nkeep\nlet b = 2\n',
    'let a = 10\nkeep\nlet b = 20\n',
    [
      { at: 9, remove: 0, insert: '0' },
      { at: 24, remove: 0, insert: '0' },
    ],
  ],
])('diffText() from %j to %j', (before, after, expected) => {
  expect(diffText(before, after)).toEqual(expected)
})

const word = fc.constantFrom('a', 'b', '\n', 'line\n', 'ü', '😀', '😁', '👩‍👩‍👧', ' ')
const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))

test('whatever the two texts are, the edits lead from one to the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, diffText(before, after))).toBe(after)
    }),
  )
})

test('texts with nothing in common are replaced at once', () => {
  const lines = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${(at * seed) % 99_991}`).join('\n')
  const [before, after] = [lines(7919), lines(104_729)]
  expect(apply(before, diffText(before, after))).toBe(after)
})

test('what someone types elsewhere in the text meanwhile survives a write of the whole text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), { minLength: 4, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (words, written, typed) => {
        const lines = words.map((line, at) => `${line} ${at}\n`)
        const [writeAt, typeAt] = [written % lines.length, typed % lines.length]
        fc.pre(writeAt !== typeAt)
        const [server, client] = [new Y.Doc(), new Y.Doc()]
        server.getText('t').insert(0, lines.join(''))
        Y.applyUpdate(client, Y.encodeStateAsUpdate(server))
        // someone types at the start of one line while another line is written with the whole file
        client.getText('t').insert(lines.slice(0, typeAt).join('').length, 'TYPED ')
        const whole = lines.with(writeAt, 'WRITTEN\n').join('')
        applyEdits(server.getText('t'), diffText(lines.join(''), whole))
        Y.applyUpdate(server, Y.encodeStateAsUpdate(client))
        Y.applyUpdate(client, Y.encodeStateAsUpdate(server))
        const merged = server.getText('t').toString()
        expect(client.getText('t').toString()).toBe(merged)
        expect(merged.split('\n').length).toBe(lines.length + 1)
        expect([merged.includes('TYPED '), merged.includes('WRITTEN')]).toEqual([true, true])
      },
    ),
  )
})
