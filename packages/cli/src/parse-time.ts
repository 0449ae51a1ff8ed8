import { InvalidArgumentError } from 'commander'

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000 }

/** A time as people write it, in milliseconds; a number alone is seconds. */
export function parseTime(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? []
  if (amount === undefined) throw new InvalidArgumentError('Use a time such as 500ms, 30s or 2m.')
  return Math.round(Number(amount) * (units[unit] ?? 1000))
}
