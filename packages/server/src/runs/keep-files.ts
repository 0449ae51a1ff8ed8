import { matchesGlob } from 'node:path/posix'
import type { ProducedFile } from '../runtimes/index.ts'

/** The files that match one of the patterns; all when there are none. */
export function byKeep(files: ProducedFile[], keep: string[] | undefined): ProducedFile[] {
  if (!keep) return files
  return files.filter(({ path }) => keep.some((pattern) => matchesGlob(path, pattern)))
}
