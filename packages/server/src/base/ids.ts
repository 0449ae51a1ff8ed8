import { randomBytes } from 'node:crypto'
import { idPrefixes, type IdKind } from '@coherex/contract'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A new id such as `run_01jd…`: 48 bits of time, so that ids sort by age, then 80 random bits. */
export function createId(kind: IdKind): string {
  let time = Date.now()
  let head = ''
  for (let digit = 0; digit < 10; digit++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  // 256 is a multiple of 32, so the remainder is unbiased
  const tail = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')
  return `${idPrefixes[kind]}_${head}${tail}`
}

/** A secret for links and keys: 192 random bits that survive a URL. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}
