import { expect, test } from 'vitest'
import { inferSchemas } from './infer-schema.ts'

test('inferSchemas() reads interfaces, aliases and JSDoc of a default export', () => {
  const code = `
/** One line of an invoice. */
interface Line { name: string; price: number; kind?: 'part' | 'hour'; more: Record<string, boolean> }
type Lines = readonly Line[]
export interface Input {
  /** What is billed. */
  lines: Lines
  discount?: number | null
  parent?: Input
  when: Date
}
export default async (_env: unknown, { lines }: Input): Promise<{ total: number; pair: [string, number] }> => ({ total: lines.length, pair: ['a', 1] })`
  expect(inferSchemas(code)).toEqual({
    input: {
      type: 'object',
      properties: {
        lines: { $ref: '#/$defs/Lines', description: 'What is billed.' },
        discount: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        parent: { $ref: '#/$defs/Input' },
        when: {},
      },
      required: ['lines', 'when'],
      $defs: {
        Input: expect.objectContaining({ type: 'object' }),
        Lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        Line: {
          type: 'object',
          description: 'One line of an invoice.',
          properties: {
            name: { type: 'string' },
            price: { type: 'number' },
            kind: { enum: ['part', 'hour'] },
            more: { type: 'object', additionalProperties: { type: 'boolean' } },
          },
          required: ['name', 'price', 'more'],
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        total: { type: 'number' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
      },
      required: ['total', 'pair'],
    },
  })
})

test.each([
  [
    'function main(env: unknown, input: string[]): number { return 1 }\nexport default main',
    { type: 'array', items: { type: 'string' } },
    { type: 'number' },
  ],
  [
    '/**\n * Doubles.\n * @param env\n * @param {{ n: number, note?: string }} input\n * @returns {Promise<number>}\n */\nexport default async (env, input) => input.n * 2',
    { type: 'object', properties: { n: { type: 'number' }, note: { type: 'string' } }, required: ['n'] },
    { type: 'number' },
  ],
  ['import type { Far } from "./far.ts"\nexport default (env: unknown, input: Far) => 1', {}, undefined],
  ['export default (env: unknown) => 1', undefined, undefined],
  ['export const x = 1', undefined, undefined],
  ['export default (', undefined, undefined],
])('inferSchemas() of %j', (code, input, output) => {
  expect(inferSchemas(code)).toEqual({ ...(input && { input }), ...(output && { output }) })
})
