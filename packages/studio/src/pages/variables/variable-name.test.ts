import { expect, test } from 'vitest'
import { variableNameProblem } from './variable-name.ts'

test('variableNameProblem() says what an environment cannot hold', () => {
  for (const name of ['REGION', 'http_proxy', '_x1', 'x'.repeat(128)]) expect(variableNameProblem(name)).toBeUndefined()
  expect(variableNameProblem('1ST')).toMatch(/letter/)
  expect(variableNameProblem('A-B')).toMatch(/only/)
  expect(variableNameProblem('Aü')).toMatch(/only/)
  expect(variableNameProblem('x'.repeat(129))).toMatch(/128/)
})
