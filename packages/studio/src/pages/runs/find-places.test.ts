import { expect, test } from 'vitest'
import { findPlaces } from './find-places.ts'

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

test('places outside of the program lead nowhere, and no text is lost', () => {
  const stack = '  File "/usr/lib/python3/json.py", line 9, in loads\n  File "main.py", line 2, in f\nend'
  const pieces = findPlaces(stack, ['main.py'])
  expect(pieces.filter(({ place }) => place)).toEqual([
    { text: 'File "main.py", line 2', place: { path: 'main.py', line: 2 } },
  ])
  expect(pieces.map(({ text }) => text).join('')).toBe(stack)
})
