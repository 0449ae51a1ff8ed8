import { randomBytes, randomFillSync } from 'node:crypto'
import { idPrefixes, type IdKind } from '@coherex/contract'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// random bytes are fetched for many ids at once: asking for sixteen costs nearly as much as asking for all of these
const pool = Buffer.alloc(4096)
let used = pool.length

/** A new id such as `run_01jd…`: 48 bits of time, so that ids sort by age, then 80 random bits. */
export function createId(kind: IdKind): string {
  const head = timeDigits(Date.now())
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let tail = ''
  // 256 is a multiple of 32, so the remainder is unbiased
  for (const end = used + 16; used < end; used++) tail += alphabet[(pool[used] as number) % 32]
  return `${idPrefixes[kind]}_${head}${tail}`
}

/** Sorts before every id that is made at that moment or later, and after all earlier ones. */
export function earliestId(kind: IdKind, at: Date): string {
  return `${idPrefixes[kind]}_${timeDigits(Math.max(0, at.getTime()))}`
}

function timeDigits(time: number): string {
  let digits = ''
  for (let rest = time; digits.length < 10; rest = Math.floor(rest / 32)) digits = alphabet[rest % 32] + digits
  return digits
}

/** A secret for links and keys: 192 random bits that survive a URL. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}
