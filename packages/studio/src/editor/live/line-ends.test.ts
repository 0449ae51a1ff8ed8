import { expect, test } from 'vitest'
import { LineEnds } from './line-ends.ts'

const texts = ['', 'a\nb', 'a\r\nb\r\n', '\u{feff}a\r\nb\nc\rd\r\n', '\r\n\r\n', '\u{feff}', 'x\r\r\ny']

test.each(texts)('LineEnds() shows %j with line feeds alone and finds each place again', (raw) => {
  const ends = new LineEnds(raw)
  expect(ends.shown).toBe(raw.replace(/^\u{feff}/u, '').replaceAll(/\r\n|\r/g, '\n'))
  for (let at = 0; at <= ends.shown.length; at++) {
    const there = ends.toRaw(at)
    expect(ends.toShown(there)).toBe(at)
    // what stands behind the place is the same
    expect(new LineEnds(raw.slice(there)).shown).toBe(ends.shown.slice(at))
  }
})

test('a new line ends as the first one of the file does', () => {
  expect(['a\r\nb\n', 'a\nb\r\n', ''].map((raw) => new LineEnds(raw).newline)).toEqual(['\r\n', '\n', '\n'])
})
