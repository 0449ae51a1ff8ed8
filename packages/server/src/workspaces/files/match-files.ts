import { CoherexError } from '@coherex/contract'
import { createGlobMatcher } from '../../base/index.ts'

const message = 'these patterns take too long to match with so many files: use fewer or shorter ones'

/** Whether a path is one of those asked for; every one when no patterns were given. */
export function matchFiles(globs: string[] | undefined): (path: string) => boolean {
  if (!globs) return () => true
  return createGlobMatcher(globs, () => {
    throw new CoherexError('invalid_input', `globs: ${message}`, { details: [{ field: 'globs', message }] })
  })
}
