export function describeShape(shape: readonly number[] | undefined): string {
  return shape ? shape.join(' × ') : ''
}
