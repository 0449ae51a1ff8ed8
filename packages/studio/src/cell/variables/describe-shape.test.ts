import { expect, test } from 'vitest'
import { describeShape } from './describe-shape.ts'

test('describeShape() reads as mathematicians write it', () => {
  expect([describeShape([3, 2]), describeShape(undefined)]).toEqual(['3 × 2', ''])
})
