import git from 'isomorphic-git'
import type { GitLimits } from './git-limits.ts'
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts'

export const gitdir = '/repository'
/** The thread's name for the other end; the server knows the address. */
export const url = 'http://repository.invalid'

/** An empty repository in memory, for one task. */
export async function openRepository(limits: GitLimits): Promise<MemoryFiles> {
  const fs = createMemoryFiles(limits)
  await git.init({ fs, gitdir, bare: true })
  await git.addRemote({ fs, gitdir, remote: 'origin', url })
  return fs
}
