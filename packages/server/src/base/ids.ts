import { randomBytes, randomFillSync } from 'node:crypto'
import { idPrefixes, type IdKind } from '@coherex/contract'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// random bytes are fetched for many ids at once: asking for sixteen costs nearly as much as asking for all of these
const pool = Buffer.alloc(4096)
let used = pool.length

/** A new id such as `run_01jd…`: 48 bits of time, so that ids sort by age, then 80 random bits. */
export function createId(kind: IdKind): string {
  let time = Date.now()
  let head = ''
  for (let digit = 0; digit < 10; digit++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let tail = ''
  // 256 is a multiple of 32, so the remainder is unbiased
  for (const end = used + 16; used < end; used++) tail += alphabet[(pool[used] as number) % 32]
  return `${idPrefixes[kind]}_${head}${tail}`
}

/** A secret for links and keys: 192 random bits that survive a URL. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}
