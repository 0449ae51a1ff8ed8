/** Node's util.isDeepStrictEqual: same types, same prototypes, same parts; cycles are compared by position. */
export function isDeepStrictEqual(left: unknown, right: unknown, seen: [unknown, unknown][] = []): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false
  if (seen.some(([a, b]) => a === left && b === right)) return true
  const inside: [unknown, unknown][] = [...seen, [left, right]]

  if (left instanceof Date && right instanceof Date) return Object.is(left.getTime(), right.getTime())
  if (left instanceof RegExp && right instanceof RegExp) return String(left) === String(right)
  if (left instanceof Error && right instanceof Error && (left.message !== right.message || left.name !== right.name))
    return false
  if (left instanceof Map && right instanceof Map) {
    return (
      left.size === right.size &&
      [...left].every(([key, item]) => right.has(key) && isDeepStrictEqual(item, right.get(key), inside))
    )
  }
  if (left instanceof Set && right instanceof Set) {
    const others = [...right]
    return (
      left.size === right.size &&
      [...left].every((item) => right.has(item) || others.some((other) => isDeepStrictEqual(item, other, inside)))
    )
  }
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  if (Array.isArray(left) && left.length !== (right as unknown[]).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isDeepStrictEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], inside),
  )
}
