import { expect, test } from 'vitest'
import { showResult } from './show-result.ts'

test.each<[unknown, string | undefined, string, string]>([
  [1, '1.0', '1.0', '1.0'],
  [[1, 2], '[1.0, 2]', '[1.0, 2]', '[1.0, 2]'],
  [{ a: 1 }, "{'a': 1.0}", "{'a': 1.0}", '{"a":1}'],
  ['a', "'a'", "'a'", '"a"'],
  [[1, 2], '(1, 2)', '(1, 2)', '[1,2]'],
  [{ a: 1 }, undefined, '{\n  "a": 1\n}', '{"a":1}'],
  ['x', "'\u001b[2J'", "'␛[2J'", '"x"'],
])(
  'showResult() shows %j as its language writes it, and as JSON to a program',
  (result, resultText, people, program) => {
    const run = { result, ...(resultText !== undefined && { resultText }) }
    expect(showResult(run, true)).toBe(people)
    expect(showResult(run, false)).toBe(program)
  },
)
