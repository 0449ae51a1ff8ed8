import { expect, test } from 'vitest'
import { planSync } from './plan-sync.ts'

/** The step for one file with these contents; a dash is a file that is not there. */
function stepFor(sides: string): string | undefined {
  const [agreed, here, there] = [...sides].map((hash) => new Map(hash === '-' ? [] : [['a', hash]]))
  return planSync({ agreed: agreed!, here: here!, there: there! })[0]?.do
}

test.each([
  ['111', undefined],
  ['112', 'download'],
  ['-12', 'merge'],
  ['121', 'upload'],
  ['123', 'merge'],
  ['122', 'agree'],
  ['-11', 'agree'],
  ['--1', 'download'],
  ['-1-', 'upload'],
  ['11-', 'delete-here'],
  ['1-1', 'delete-there'],
  ['1--', 'forget'],
])('planSync() of agreed, here and there %s is %s', (sides, step) => {
  expect(stepFor(sides)).toBe(step)
})

test('planSync() lets a change win over a deletion, on either side', () => {
  expect([stepFor('12-'), stepFor('1-2')]).toEqual(['upload', 'download'])
})

test('planSync() has what goes before what comes: a file may be where a folder was', () => {
  const steps = planSync({
    agreed: new Map([
      ['a/b', '1'],
      ['c', '2'],
    ]),
    here: new Map([
      ['a/b', '1'],
      ['c/d', '2'],
    ]),
    there: new Map([
      ['a', '1'],
      ['c', '2'],
    ]),
  })
  expect(steps.map((step) => [step.do, step.path])).toEqual([
    ['delete-here', 'a/b'],
    ['delete-there', 'c'],
    ['download', 'a'],
    ['upload', 'c/d'],
  ])
})
