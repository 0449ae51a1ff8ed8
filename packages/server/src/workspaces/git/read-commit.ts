import git, { Errors, type HttpClient } from 'isomorphic-git'
import type { GitLimits } from './git-limits.ts'
import { refusePath } from './git-path.ts'
import { GitRefused } from './git-refusal.ts'
import type { KeptEntry, ReadCommit, ReadTask } from './git-task.ts'
import type { MemoryFiles } from './memory-files.ts'
import { gitdir, openRepository, url } from './repository.ts'

// as long as a path of Linux can be
const longestLink = 4096

/** Fetches the last commit and reads its files. Whatever cannot be in a workspace makes all of it refused, or is kept aside. */
export async function readCommit(http: HttpClient, { ref }: ReadTask, limits: GitLimits): Promise<ReadCommit> {
  const fs = await openRepository(limits)
  const fetched = await fetchLast(fs, http, ref)
  if (!fetched.fetchHead) throw new GitRefused('invalid_input', 'The repository has no commits yet', 'url')
  const { oid, commit } = await git.readCommit({ fs, gitdir, oid: fetched.fetchHead })
  const { object } = await git.readObject({ fs, gitdir, oid, format: 'content' })
  const tree = await readTree(fs, commit.tree, limits)
  return { commit: oid, object: object as Uint8Array, branch: branchOf(ref, fetched), ...tree }
}

async function fetchLast(fs: MemoryFiles, http: HttpClient, ref: string | undefined) {
  const named = ref === undefined ? {} : { ref, remoteRef: ref }
  try {
    return await git.fetch({ fs, http, gitdir, url, depth: 1, singleBranch: true, tags: false, ...named })
  } catch (error) {
    if (!(error instanceof Errors.NotFoundError)) throw error
    const what = ref === undefined ? 'default branch: name one' : 'branch or tag of that name'
    throw new GitRefused('not_found', `The repository has no ${what}`, 'branch')
  }
}

function branchOf(
  ref: string | undefined,
  { defaultBranch, fetchHeadDescription }: { defaultBranch: string | null; fetchHeadDescription: string | null },
): string | undefined {
  if (ref === undefined) return defaultBranch?.startsWith('refs/heads/') ? defaultBranch.slice(11) : undefined
  return fetchHeadDescription?.startsWith('branch ') ? ref.replace(/^refs\/heads\//, '') : undefined
}

async function readTree(fs: MemoryFiles, root: string, limits: GitLimits) {
  const files: ReadCommit['files'] = []
  const entries: KeptEntry[] = []
  const seen = new Set<string>()
  // so that what was read once for the library is not read again for each object
  const cache = {}
  let visited = 0
  let bytes = 0

  async function walk(oid: string, folder: string, depth: number): Promise<void> {
    if (depth > limits.depth) throw refused(folder, `folders lie at most ${limits.depth} within each other`)
    const { tree } = await git.readTree({ fs, gitdir, oid, cache })
    for (const entry of tree) {
      const path = folder + entry.path
      const why = refusePath(path)
      if (why !== undefined || entry.path.includes('/')) throw refused(path, why ?? 'its name has a slash in it')
      if (seen.has(path)) throw refused(path, 'it is there twice')
      seen.add(path)
      // a tree of trees that name each other many times has more paths than the pack has bytes
      if (++visited > limits.files * 2) throw tooMany(limits)
      if (entry.type === 'tree') await walk(entry.oid, `${path}/`, depth + 1)
      else if (entry.mode === '160000') entries.push({ path, mode: entry.mode, oid: entry.oid })
      else if (entry.mode === '120000') {
        const { blob } = await git.readBlob({ fs, gitdir, oid: entry.oid, cache })
        if (blob.length > longestLink) throw refused(path, 'it is a link that leads too far')
        entries.push({ path, mode: entry.mode, target: Buffer.from(blob).toString('base64') })
      } else {
        if (files.length >= limits.files) throw tooMany(limits)
        const { blob } = await git.readBlob({ fs, gitdir, oid: entry.oid, cache })
        bytes += blob.length
        if (bytes > limits.unpackedBytes) {
          throw new GitRefused('too_large', `The files have more than ${limits.unpackedBytes / 1e6} MB`, 'url')
        }
        files.push({ path, bytes: blob })
        if (entry.mode === '100755') entries.push({ path, mode: entry.mode })
      }
    }
  }
  await walk(root, '', 0)
  return { files, entries }
}

function refused(path: string, why: string): GitRefused {
  const shown = JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)
  return new GitRefused('invalid_input', `Cannot take ${shown} of the repository: ${why}`, 'url')
}

function tooMany({ files }: GitLimits): GitRefused {
  return new GitRefused('too_large', `The repository has more than ${files} files`, 'url')
}
