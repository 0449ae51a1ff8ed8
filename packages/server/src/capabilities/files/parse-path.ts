import { parsePath as parse } from '../../base/index.ts'
import { fileError } from './file-space.ts'

/** The segments of a path from the root of a space. `..` goes up, never past the root. */
export function parsePath(path: string): string[] {
  const segments = parse(path)
  if (segments === 'invalid') throw fileError('EINVAL', path)
  if (segments === 'too-long') throw fileError('ENAMETOOLONG', path)
  return segments
}

export function showPath(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}
