import { expect, test } from 'vitest'
import { boundOutputs } from './bound-outputs.ts'

const stream = (text: string) => ({ output_type: 'stream' as const, name: 'stdout', text })
const image = (size: number) => ({
  ...{ output_type: 'display_data' as const, metadata: {} },
  data: { 'image/png': 'a'.repeat(size) },
})

test('boundOutputs() keeps what fits as it is', () => {
  expect(boundOutputs([stream('a\n'), image(1000)], 900_000)).toEqual([stream('a\n'), image(1000)])
})

test('boundOutputs() cuts long texts and leaves out what is too large, with a word about it', () => {
  const [cut, small, told] = boundOutputs([stream('x'.repeat(60_000)), image(300_000), image(10)], 900_000)
  expect(cut).toMatchObject({ text: `${'x'.repeat(50_000)}\n[10000 more characters]\n` })
  expect(small).toEqual(image(10))
  expect(told).toMatchObject({ name: 'stderr', text: '[1 output is too large for the notebook and not kept]\n' })
  expect(boundOutputs([stream('abc'), stream('def')], 0)).toEqual([
    { ...stream('[2 outputs are too large for the notebook and not kept]\n'), name: 'stderr' },
  ])
})
