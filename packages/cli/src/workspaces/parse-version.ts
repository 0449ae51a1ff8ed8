import { InvalidArgumentError } from 'commander'

/** The number of a version, as a person types it. */
export function parseVersion(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('must be the number of a version')
  return Number(text)
}
