import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createConsole } from './console.ts'
import { table } from './table.ts'

/** What Node's own console prints. */
function printed(print: (console: Pick<Console, 'table' | 'assert'>) => void): string {
  let text = ''
  const stream = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) })
  print(new Console(stream))
  return text.trimEnd()
}

describe('console prints as Node does', () => {
  test.each<[string, unknown]>([
    [
      'rows',
      [
        { a: 1, b: 'x' },
        { a: 2, c: true },
      ],
    ],
    [
      'a map',
      new Map<unknown, unknown>([
        ['k', 1],
        [2, { a: { b: 1 } }],
      ]),
    ],
    ['a set', new Set(['a', { b: 1 }])],
    ['an object of objects', { x: { n: 1 }, y: { n: 2 } }],
  ])('a table of %s', (_, data) => {
    expect(table(data)).toBe(printed((console) => console.table(data)))
  })

  test.each<unknown[][]>([[['bad %s', 'x', 1]], [[{ a: 1 }, 2]], [[]]])('a failed assertion with %j', (args) => {
    let text = ''
    const ours = createConsole(
      (_, line) => (text += line),
      () => 0,
      table,
    )
    ours.assert(false, ...args)
    expect(text).toBe(printed((console) => console.assert(false, ...args)))
  })
})
