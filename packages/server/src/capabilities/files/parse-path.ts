import { fileError } from './file-space.ts'

const maxNameBytes = 255
const maxPathBytes = 1024
const maxDepth = 32

// NUL ends a string in C, a backslash is a separator to others, and control characters lie in listings.
const refused = /[\u0000-\u001f\u007f\\]/

/** The segments of a path from the root of a space. `..` goes up, never past the root. */
export function parsePath(path: string): string[] {
  if (path.length > maxPathBytes * 4) throw fileError('ENAMETOOLONG', path)
  if (refused.test(path) || !path.isWellFormed()) throw fileError('EINVAL', path)
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (segments.pop() === undefined) throw fileError('EINVAL', path)
      continue
    }
    if (Buffer.byteLength(segment) > maxNameBytes) throw fileError('ENAMETOOLONG', path)
    segments.push(segment)
  }
  if (segments.length > maxDepth || Buffer.byteLength(segments.join('/')) > maxPathBytes) {
    throw fileError('ENAMETOOLONG', path)
  }
  return segments
}

export function showPath(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}
