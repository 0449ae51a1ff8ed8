import { CoherexError } from '@coherex/contract'
import { parsePath } from '../base/index.ts'

/** A path as the workspace keeps it: relative, without `.`, `..` or empty parts. Throws when it leads nowhere below the root. */
export function toWorkspacePath(path: string, field = 'path'): string {
  const segments = parsePath(path)
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  if (segments === 'too-long') throw refused(field, `The path "${shown}" is too long`)
  if (segments === 'invalid' || segments.length === 0) {
    throw refused(field, `"${shown}" is no path of a file: it must stay below the root and have no control characters`)
  }
  return segments.join('/')
}

function refused(field: string, message: string): CoherexError {
  return new CoherexError('invalid_input', message, { details: [{ field }] })
}
