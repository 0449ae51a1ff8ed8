import { createGlobMatcher } from '../../base/index.ts'
import type { ProducedFile } from '../../runtimes/index.ts'

/** The files that match one of the patterns, all when there are none; undefined when the patterns take too long to match. */
export function byKeep(files: ProducedFile[], keep: string[] | undefined): ProducedFile[] | undefined {
  if (!keep) return files
  let isSpent = false
  const matches = createGlobMatcher(keep, () => {
    isSpent = true
    return false
  })
  const kept = files.filter(({ path }) => matches(path))
  return isSpent ? undefined : kept
}
