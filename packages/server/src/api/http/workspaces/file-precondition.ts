import { CoherexError } from '@coherex/contract'

export interface FilePrecondition {
  expectedVersion?: number
  expectedHash?: '*' | string[]
}

const tags = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/
const longestHeader = 4000

/** `If-Match` and `If-None-Match: *` of a change, as what is expected of the file. The `ETag` of a file is the hash of its bytes. */
export function readPrecondition(headers: Headers): FilePrecondition {
  const [ifMatch, ifNoneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  if (ifMatch !== null && ifNoneMatch !== null) {
    throw new CoherexError('invalid_input', 'If-Match and If-None-Match: say one of them')
  }
  if (ifNoneMatch !== null) {
    if (ifNoneMatch.trim() === '*') return { expectedVersion: 0 }
    throw new CoherexError('invalid_input', 'If-None-Match: a change takes only *, for a file that is not there yet')
  }
  if (ifMatch === null) return {}
  if (ifMatch.trim() === '*') return { expectedHash: '*' }
  if (ifMatch.length > longestHeader || !tags.test(ifMatch)) {
    throw new CoherexError('invalid_input', 'If-Match: must be * or the ETag of a file, in quotes')
  }
  // a proxy that compresses answers calls their tags weak; the hash in them is that of the same bytes
  return { expectedHash: [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag) }
}
