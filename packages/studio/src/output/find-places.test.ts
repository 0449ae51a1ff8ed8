import { expect, test } from 'vitest'
import { findPlaces, placeOfError } from './find-places.ts'

const placesOf = (stack: string, ...paths: string[]) =>
  findPlaces(stack, paths).flatMap(({ place }) => (place ? [place] : []))

test('places of JavaScript, Python and Bash are found', () => {
  expect(placesOf('Error: no\n    at f (main.ts:2:21)\n    at lib/sum.ts:4:1', 'main.ts', 'lib/sum.ts')).toEqual([
    { path: 'main.ts', line: 2, column: 21 },
    { path: 'lib/sum.ts', line: 4, column: 1 },
  ])
  expect(placesOf('  File "main.py", line 7, in <module>\n    f(0)\n', 'main.py')).toEqual([
    { path: 'main.py', line: 7 },
  ])
  expect(placesOf('main.sh: line 3: nosuch: command not found', 'main.sh')).toEqual([{ path: 'main.sh', line: 3 }])
})

test('cells of a session are places of the entry', () => {
  const stack = '  File "Cell 12", line 3, in f\n    at Cell 2:5:1'
  expect(placesOf(stack, 'notes.py', 'lib.py')).toEqual([
    { path: 'notes.py', line: 3 },
    { path: 'notes.py', line: 5, column: 1 },
  ])
  expect(placesOf(stack)).toEqual([])
})

test('places outside of the program lead nowhere, and no text is lost', () => {
  const stack = '  File "/usr/lib/python3/json.py", line 9, in loads\n  File "main.py", line 2, in f\nend'
  const pieces = findPlaces(stack, ['main.py'])
  expect(pieces.filter(({ place }) => place)).toEqual([
    { text: 'File "main.py", line 2', place: { path: 'main.py', line: 2 } },
  ])
  expect(pieces.map(({ text }) => text).join('')).toBe(stack)
})

test('an error is where its stack has its line, and in the entry where the stack is silent', () => {
  const paths = ['main.ts', 'lib/b.ts']
  const stack = 'Error: deep\n    at boom (lib/b.ts:4:9)\n    at default (main.ts:3:22)'
  expect(placeOfError({ line: 4, column: 9, stack }, paths)).toEqual({ path: 'lib/b.ts', line: 4, column: 9 })
  expect(placeOfError({ line: 2, stack: 'main.sh: line 2: no' }, ['main.sh'])).toEqual({ path: 'main.sh', line: 2 })
  expect(placeOfError({ line: 7, column: 1 }, paths)).toEqual({ path: 'main.ts', line: 7, column: 1 })
  expect(placeOfError({ stack }, paths)).toBeUndefined()
  expect(placeOfError({ line: 1 }, [])).toBeUndefined()
})

test('of two files with the same line, the column tells which; Python names the entry first', () => {
  const stack = 'Error: x\n    at f (lib/b.ts:4:2)\n    at main.ts:4:9'
  expect(placeOfError({ line: 4, column: 9, stack }, ['main.ts', 'lib/b.ts'])?.path).toBe('main.ts')
  const traceback = '  File "main.py", line 2, in <module>\n    b.f()\n  File "b.py", line 2, in f\n'
  expect(placeOfError({ line: 2, column: 1, stack: traceback }, ['main.py', 'b.py'])?.path).toBe('main.py')
})
