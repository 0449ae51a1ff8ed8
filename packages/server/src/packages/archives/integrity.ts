import { createHash, type Hash } from 'node:crypto'
import { ArchiveRefused } from './archive-guard.ts'

// strongest first; of the oldest packages a registry knows nothing better than SHA-1
const algorithms = ['sha512', 'sha384', 'sha256', 'sha1'] as const
const lengths = { sha512: 64, sha384: 48, sha256: 32, sha1: 20 }

export interface IntegrityCheck {
  hash: Hash
  /** Throws ArchiveRefused where what was hashed is something else. */
  check(): void
}

/** Subresource integrity, of which the strongest kind counts: `sha512-…` in Base64, several of them with spaces between. */
export function expectIntegrity(integrity: string): IntegrityCheck {
  const parts = integrity.split(/\s+/).map((part) => /^(sha\d+)-([A-Za-z0-9+/]+={0,2})(?:\?.*)?$/.exec(part))
  for (const algorithm of algorithms) {
    const digests = parts.flatMap((part) => (part?.[1] === algorithm ? [Buffer.from(part[2] ?? '', 'base64')] : []))
    const expected = digests.filter(({ length }) => length === lengths[algorithm])
    if (expected.length === 0) continue
    const hash = createHash(algorithm)
    return {
      hash,
      check() {
        const digest = hash.digest()
        if (!expected.some((one) => one.equals(digest)))
          throw new ArchiveRefused('invalid_input', 'its content is not what the lock names: the integrity differs')
      },
    }
  }
  throw new ArchiveRefused('invalid_input', 'the lock has no integrity for it that can be checked')
}
