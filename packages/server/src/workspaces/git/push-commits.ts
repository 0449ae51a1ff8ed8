import git, { type HttpClient } from 'isomorphic-git'
import { FolderTree } from './folder-tree.ts'
import type { GitLimits } from './git-limits.ts'
import { GitRefused } from './git-refusal.ts'
import type { MadeCommits, NewCommit, PushBase, PushTask, TipTask } from './git-task.ts'
import type { MemoryFiles } from './memory-files.ts'
import { gitdir, openRepository, url } from './repository.ts'

const localRef = 'refs/heads/push'
const committer = { name: 'Coherex', email: 'noreply@coherex.invalid' }

/** Where a branch is; undefined when it is not there. */
export async function findTip(http: HttpClient, { branch }: TipTask): Promise<string | undefined> {
  const info = await git.getRemoteInfo2({ http, url, forPush: true, protocolVersion: 1 })
  const refs = 'refs' in info ? (info.refs ?? []) : []
  return refs.find(({ ref }) => ref === `refs/heads/${branch}`)?.oid
}

/** Makes the commits and, once the server knows of them, pushes them: never over something that it did not see. */
export async function pushCommits(
  http: HttpClient,
  task: PushTask,
  { limits, onReady }: { limits: GitLimits; onReady: (made: MadeCommits) => Promise<void> },
): Promise<MadeCommits> {
  const fs = await openRepository(limits)
  const { tip, count } = await makeCommits(fs, task)
  const { object } = await git.readObject({ fs, gitdir, oid: tip, format: 'content' })
  const made = { commit: tip, object: object as Uint8Array, count }
  if (count === 0 && !task.isNew) return made
  await git.writeRef({ fs, gitdir, ref: localRef, value: tip, force: true })
  await onReady(made)
  const remoteRef = `refs/heads/${task.branch}`
  const { ok, refs } = await git.push({ fs, http, gitdir, url, ref: localRef, remoteRef })
  const failed = Object.values(refs ?? {}).find((one) => !one.ok)
  if (!ok || failed) throw new GitRefused('conflict', `The server refused the branch: ${clean(failed?.error ?? '')}`)
  return made
}

/** What a server says, as part of a sentence of ours. */
export function clean(words: string): string {
  const plain = words.replaceAll(/[^\u0020-\u007e\u00a0-\uffff]+/g, ' ').trim()
  return plain === '' ? 'it does not say why' : plain.slice(0, 200)
}

async function makeCommits(fs: MemoryFiles, { base, commits, contents, entries }: PushTask) {
  const tree = new FolderTree()
  const oids = new Map<string, string>()
  const modes = new Map(entries.map(({ path, mode }) => [path, mode]))
  const put = async (path: string, hash: string) => {
    let oid = oids.get(hash)
    if (oid === undefined) {
      oid = await git.writeBlob({ fs, gitdir, blob: contents.get(hash) ?? new Uint8Array() })
      oids.set(hash, oid)
    }
    tree.set(path, { mode: modes.get(path) === '100755' ? '100755' : '100644', oid })
  }
  const others: { path: string; mode: string; oid: string }[] = []
  for (const entry of entries) {
    if (entry.mode === '160000') others.push(entry)
    if (entry.mode !== '120000') continue
    const oid = await git.writeBlob({ fs, gitdir, blob: Buffer.from(entry.target, 'base64') })
    others.push({ path: entry.path, mode: entry.mode, oid })
  }
  const keep = () => {
    for (const { path, ...leaf } of others) if (!tree.isTaken(path)) tree.set(path, leaf)
  }
  let tip = base?.commit ?? ''
  let count = 0
  const commit = async ({ message, author, at }: Omit<NewCommit, 'changes'>) => {
    keep()
    const when = { timestamp: at, timezoneOffset: 0 }
    tip = await git.writeCommit({
      fs,
      gitdir,
      commit: {
        message,
        tree: await tree.write(fs),
        parent: tip === '' ? [] : [tip],
        author: { ...author, ...when },
        committer: { ...committer, ...when },
      },
    })
    count++
  }

  if (base) {
    for (const { path, hash } of base.files) await put(path, hash)
    keep()
    if (!(await isTreeOf(fs, base, await tree.write(fs)))) {
      // what was brought in met changes of our own: both together are a commit
      await commit(base.version)
    }
  }
  for (const one of commits) {
    for (const { path, hash } of one.changes) {
      if (hash === null) tree.remove(path)
      else await put(path, hash)
    }
    await commit(one)
  }
  return { tip, count }
}

/** Whether the base's files are those of its commit. Then it is made known here, and nothing of it is sent again. */
async function isTreeOf(fs: MemoryFiles, { commit, object, branch }: PushBase, tree: string): Promise<boolean> {
  if (!Buffer.from(object).toString('latin1').startsWith(`tree ${tree}\n`)) return false
  const oid = await git.writeObject({ fs, gitdir, type: 'commit', object, format: 'content' })
  if (oid !== commit) return false
  await fs.promises.writeFile(`${gitdir}/shallow`, `${commit}\n`)
  // so that it is known to be there for a branch that is not there yet
  await git.writeRef({ fs, gitdir, ref: `refs/remotes/origin/${branch}`, value: commit })
  await git.writeRef({
    fs,
    gitdir,
    ref: 'refs/remotes/origin/HEAD',
    value: `refs/remotes/origin/${branch}`,
    symbolic: true,
  })
  return true
}
