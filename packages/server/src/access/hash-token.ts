import { createHash } from 'node:crypto'

/** How tokens are stored. They are random and long, so a plain hash cannot be searched. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
