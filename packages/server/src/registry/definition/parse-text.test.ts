import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseText } from './parse-text.ts'

const recipe = z.strictObject({
  name: z.string(),
  steps: z.array(z.strictObject({ take: z.string(), grams: z.number().max(1000, 'Must be at most 1000') })),
})
const parse = (source: string) =>
  parseText(source, {
    schema: recipe,
    begin: 'name:',
    refuse: ({ steps }) => (steps.length === 0 ? [{ path: ['steps'], message: 'must have one step' }] : []),
    hintFor: ([field]) => (field === 'name' ? 'For example soup' : undefined),
  })

test('parseText() reads a definition of any schema', () => {
  const definition = { name: 'soup', steps: [{ take: 'peas', grams: 300 }] }
  expect(parse(JSON.stringify(definition))).toEqual({ definition, problems: [] })
})

test.each([
  ['name: soup\nsteps:\n  - take: peas\n    gram: 3\n', 4, 5, 'steps.0.gram', 'Did you mean “grams”?'],
  ['name: soup\nsteps:\n  - take: peas\n    grams: 3000\n', 4, 5, 'steps.0.grams', undefined],
  ['steps:\n  - take: peas\n    grams: 3\n', 1, 1, 'name', 'For example soup'],
  ['name: soup\nsteps: []\n', 2, 1, 'steps', undefined],
  ['- soup\n', 1, 1, '', 'Begin with “name:”'],
  ['name: "\\ud800"\n', 1, 7, '', undefined],
  ['name: soup\n\tsteps: []\n', 2, 1, '', 'Indent with spaces'],
])('parseText() tells where %j is wrong', (source, line, column, path, hint) => {
  const { definition, problems } = parse(source)
  expect(definition).toBeUndefined()
  expect(problems).toContainEqual({ message: expect.any(String), path, line, column, ...(hint && { hint }) })
})
