import { expect, test } from 'vitest'
import { AnsiReader, applySgr } from './ansi.ts'

const esc = '\u001b'
const read = (...chunks: string[]) => {
  const reader = new AnsiReader()
  return chunks.flatMap((chunk) => reader.read(chunk))
}
const plain = (text: string) => ({ kind: 'text', text, style: undefined })

test('colours and weights become styles, and a reset ends them', () => {
  expect(read(`a${esc}[1;31mred${esc}[0m b${esc}[92mgreen${esc}[39m.`)).toEqual([
    plain('a'),
    { kind: 'text', text: 'red', style: { bold: true, fg: 1 } },
    plain(' b'),
    { kind: 'text', text: 'green', style: { fg: 10 } },
    plain('.'),
  ])
})

test('256 colours, all colours and their colon form are understood', () => {
  expect(applySgr(undefined, '38;5;9')).toEqual({ fg: 9 })
  expect(applySgr(undefined, '38;5;196')).toEqual({ fg: 'rgb(255 0 0)' })
  expect(applySgr(undefined, '48;5;244')).toEqual({ bg: 'rgb(128 128 128)' })
  expect(applySgr(undefined, '38;2;1;2;999;4')).toEqual({ fg: 'rgb(1 2 255)', underline: true })
  expect(applySgr({ bold: true, dim: true }, '22')).toBeUndefined()
  expect(applySgr({ bold: true }, '')).toBeUndefined()
})

test('a sequence may be cut anywhere', () => {
  const whole = `x${esc}[31mred${esc}]0;title${esc}\\y`
  const expected = read(whole).filter((part) => part.kind === 'text')
  for (let cut = 0; cut <= whole.length; cut++) {
    const parts = read(whole.slice(0, cut), whole.slice(cut))
    const joined: typeof expected = []
    for (const part of parts) {
      const last = joined.at(-1)
      if (part.kind !== 'text') continue
      if (last && JSON.stringify(last.style) === JSON.stringify(part.style)) last.text += part.text
      else joined.push({ ...part })
    }
    expect(joined.map(({ text }) => text).join('|')).toBe('x|redy')
  }
})

test('titles, links, cursor movement and bells are dropped; their text stays', () => {
  expect(
    read(`${esc}]8;;https://evil.example\u0007click${esc}]8;;\u0007${esc}[2J${esc}[10;10H${esc}(B\u0007\u009b\u0000!`),
  ).toEqual([plain('click'), plain('!')])
})

test('a sequence without an end does not swallow the output', () => {
  const parts = read(`${esc}]0;${'x'.repeat(10_000)}`)
  expect(parts.at(-1)).toMatchObject({ kind: 'text' })
})

test('line ends, returns and backspaces are told', () => {
  expect(read('a\r\nb\rc\bd').map(({ kind }) => kind)).toEqual([
    'text',
    'return',
    'newline',
    'text',
    'return',
    'text',
    'backspace',
    'text',
  ])
})
