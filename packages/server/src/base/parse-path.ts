import { hasRefusedCharacter } from '@coherex/contract'

const maxNameBytes = 255
const maxPathBytes = 1024
const maxDepth = 32

export type PathFault = 'invalid' | 'too-long'

/** The segments of a path from a root, or what is wrong with it. `..` goes up, never past the root. */
export function parsePath(path: string): string[] | PathFault {
  if (path.length > maxPathBytes * 4) return 'too-long'
  if (hasRefusedCharacter(path)) return 'invalid'
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (segments.pop() === undefined) return 'invalid'
      continue
    }
    if (Buffer.byteLength(segment) > maxNameBytes) return 'too-long'
    segments.push(segment)
  }
  return segments.length > maxDepth || Buffer.byteLength(segments.join('/')) > maxPathBytes ? 'too-long' : segments
}
