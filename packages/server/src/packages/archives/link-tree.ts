import { linkSync, mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveGuard, type ArchiveLimits } from './archive-guard.ts'

/** Shows a tree of files of our own a second time, without a second copy of them. For a thread: it works synchronously. */
export function linkTree(from: string, to: string, limits: ArchiveLimits): { files: number; bytes: number } {
  const guard = new ArchiveGuard(limits)
  const visit = (inside: string) => {
    mkdirSync(join(to, inside), { recursive: true, mode: 0o755 })
    for (const entry of readdirSync(join(from, inside), { withFileTypes: true })) {
      const path = join(inside, entry.name)
      if (entry.isDirectory()) visit(path)
      else {
        guard.enter(path, statSync(join(from, path)).size)
        linkOver(join(from, path), join(to, path))
      }
    }
  }
  visit('')
  return guard.entered
}

/** Two packages may bring the same file; the later one has it, as with pip. */
function linkOver(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    unlinkSync(to)
    linkSync(from, to)
  }
}
