import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locateError, splitStatements } from './statements.ts'

const texts = (code: string) => splitStatements(code).map(({ text }) => text.trim())

test('splitStatements() splits at semicolons, and leaves out what says nothing', () => {
  expect(texts('select 1; select 2;')).toEqual(['select 1', 'select 2'])
  expect(texts(' ;; -- nothing\n; /* nor ; /* this */ */ ;')).toEqual([])
  expect(texts('select 1 -- ; not here\n, 2; select /* ; */ 3')).toEqual([
    'select 1 -- ; not here\n, 2',
    'select /* ; */ 3',
  ])
})

test('splitStatements() sees strings, names and tags as one', () => {
  for (const one of [
    `select 'a;''b'`,
    `select "a;""b"`,
    'select $$a;b$$',
    'select $tag$ $$;$ $tag$',
    `select E'it\\';s'`,
    'select $1',
  ]) {
    expect(texts(`${one}; select 2`)).toEqual([one, 'select 2'])
  }
})

test('splitStatements() takes what is never closed as it is, without hanging', () => {
  for (const one of [`select 'a;`, 'select "a;', 'select $$a;', 'select 1 /* ;']) expect(texts(one)).toEqual([one])
  expect(texts("'".repeat(100_001))).toHaveLength(1)
})

test('splitStatements() loses no character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '"', '$', ';', '-', '/', '*', 'a', ' ', '\n', '\\') }),
      (code) => {
        for (const { text, offset } of splitStatements(code))
          expect(code.slice(offset, offset + text.length)).toBe(text)
      },
    ),
  )
})

test('locateError() counts lines and columns in characters of the whole program', () => {
  const code = "select 1;\nselect '水ß', nope\nfrom range(3)"
  const [, statement] = splitStatements(code)
  const said = JSON.stringify({ exception_type: 'Binder', exception_message: 'no column nope', position: '17' })
  expect(locateError(said, code, statement ?? { text: '', offset: 0 })).toEqual({
    kind: 'runtime',
    message: 'Binder Error: no column nope',
    line: 2,
    column: 14,
  })
})

test('locateError() points at the statement where the database names no place', () => {
  const code = 'select 1;\n\n-- why\nselect 2'
  const [, statement] = splitStatements(code)
  const said = JSON.stringify({
    exception_type: 'Out of Memory',
    exception_message: 'full\n\nPossible solutions:\n* more',
  })
  expect(locateError(said, code, statement ?? { text: '', offset: 0 })).toMatchObject({
    kind: 'memory',
    message: 'Out of Memory Error: full',
    line: 4,
    column: 1,
  })
  expect(locateError('something odd', code, { text: 'select 1', offset: 0 })).toMatchObject({
    message: 'something odd',
    line: 1,
  })
})
