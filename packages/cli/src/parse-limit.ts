import { InvalidArgumentError } from 'commander'

/** How many items of a list a person asks for. */
export function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new InvalidArgumentError('Use 1 to 10000.')
  return limit
}
