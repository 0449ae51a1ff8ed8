import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16
const version = 1

/** AES-256-GCM with a fresh nonce. `context` is bound in: the same bytes under another team or record do not open. */
export function seal(key: Uint8Array, context: string[], plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(additionalData(context))
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Throws when the key or the context is another one, or a byte was changed. */
export function unseal(key: Uint8Array, context: string[], sealed: Uint8Array): Buffer {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) throw new Error('not a sealed value')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(additionalData(context))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decipher.final()])
}

/** A key for one purpose from the installation's key. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `coherex ${purpose}`, 32))
}

function additionalData(context: string[]): Buffer {
  // lengths first, so that ["ab", "c"] and ["a", "bc"] differ
  return Buffer.from(JSON.stringify(context))
}
