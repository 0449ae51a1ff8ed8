import { createGlobMatcher } from '../base/index.ts'
import type { ProducedFile } from '../runtimes/index.ts'

/** The files that match one of the patterns; all when there are none. */
export function byKeep(files: ProducedFile[], keep: string[] | undefined): ProducedFile[] {
  if (!keep) return files
  const matches = createGlobMatcher(keep)
  return files.filter(({ path }) => matches(path))
}
