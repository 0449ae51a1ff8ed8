import {
  CoherexError,
  type AuditAction,
  type Author,
  type GitImport,
  type GitPush,
  type GitRemote,
  type Workspace,
} from '@coherex/contract'
import { recordAudit, type KeyRing, type TeamCaller } from '../../access/index.ts'
import type { Blobs, Database, Transaction } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { DocumentName } from '../document/document-store.ts'
import { selectVersion } from '../version-store.ts'
import type { Workspaces } from '../workspaces.ts'
import type { RemotePlace } from './git-http.ts'
import type { ReadCommit } from './git-task.ts'
import type { GitThread } from './git-thread.ts'
import { GitThreads } from './git-threads.ts'
import { readCommits } from './read-commits.ts'
import {
  selectRemote,
  selectRemotes,
  writeNext,
  writeSynced,
  type Remote,
  type RemoteName,
  type SyncPoint,
} from './remote-store.ts'
import { toRemoteUrl } from './remote-url.ts'
import { authorize } from './secret-hosts.ts'

export interface GitDeps {
  database: Database
  blobs: Blobs
  keyRing: KeyRing
  egress: Egress
  workspaces: Workspaces
}

/** Who asks, and for which repository. */
export interface GitUse {
  caller: TeamCaller
  author: Author
  url: string
  secret?: string | undefined
  username?: string | undefined
  signal?: AbortSignal | undefined
}

/** Workspaces from and to git repositories elsewhere: commits come in as versions, versions go out as commits. */
export class WorkspaceGit {
  readonly #deps: GitDeps
  readonly #threads = new GitThreads()
  readonly #busy = new Set<string>()

  constructor(deps: GitDeps) {
    this.#deps = deps
  }

  /** Branches that the workspace was brought from or pushed to. */
  async remotes(name: DocumentName): Promise<GitRemote[]> {
    await this.#deps.workspaces.get(name.teamId, name.workspaceId)
    return selectRemotes(this.#deps.database, name)
  }

  /** Makes a workspace from the last commit. */
  async clone(
    use: GitUse & { name?: string | undefined; branch?: string | undefined },
  ): Promise<{ workspace: Workspace; import: GitImport }> {
    const { caller, author } = use
    const place = await this.#findPlace(use)
    const read = await this.#read(place, use)
    const { workspaces } = this.#deps
    const maker = { teamId: caller.teamId, author, actor: caller }
    const { id } = await workspaces.create(maker, { name: use.name ?? nameOf(place.url), template: 'blank' })
    try {
      const name = { teamId: caller.teamId, workspaceId: id }
      const imported = await this.#bringIn(name, { ...use, place, read, remote: undefined, conflicts: 'refuse' })
      return { workspace: await workspaces.get(caller.teamId, id), import: imported }
    } catch (error) {
      // nobody asked for an empty one
      await workspaces.remove(maker, id)
      throw error
    }
  }

  /** Brings the last commit into a workspace. */
  async import(
    name: DocumentName,
    use: GitUse & { branch?: string | undefined; conflicts: 'refuse' | 'theirs'; message?: string | undefined },
  ): Promise<GitImport> {
    return this.#alone(name, async () => {
      const place = await this.#findPlace(use)
      const read = await this.#read(place, use)
      const known = await this.#findRemote(name, place, read.branch)
      const remote = known?.next?.commit === read.commit ? { ...known, synced: known.next } : known
      return this.#bringIn(name, { ...use, place, read, remote })
    })
  }

  /** Pushes the versions since the last push or import. */
  async push(name: DocumentName, use: GitUse & { branch: string }): Promise<GitPush> {
    return this.#alone(name, async () => {
      const place = await this.#findPlace(use)
      const { egress } = this.#deps
      return this.#threads.use({ egress, place, signal: use.signal }, (thread) =>
        this.#push(name, thread, { ...use, place }),
      )
    })
  }

  async #push(
    name: DocumentName,
    thread: GitThread,
    { branch, caller, place, secret, username, author: by }: GitUse & { branch: string; place: RemotePlace },
  ): Promise<GitPush> {
    const { database, workspaces } = this.#deps
    const { tip } = await thread.run({ kind: 'tip', branch })
    const at: RemoteName = { ...name, url: place.url.href, branch }
    const remote = await selectRemote(database, at)
    const synced = findSynced(remote, tip, branch)
    await workspaces.versions.settle(name)
    const { base, commits, contents, version } = await readCommits(this.#deps, name, synced?.version)
    if (version === 0) throw new CoherexError('conflict', 'Cannot push: the workspace is empty')
    const entries = remote?.entries ?? []
    const state = { entries, secret, username, by }
    const goesOn = base && synced && { ...base, ...synced, version: base.version, branch: remote?.branch ?? branch }
    const task = { kind: 'push', branch, isNew: tip === undefined, base: goesOn, commits, contents, entries } as const
    const made = await thread.run(task, (ready) => writeNext(database, at, { ...ready, ...state, version }))
    const { commit, count } = made
    await database.transaction({ team: name.teamId }, async (transaction) => {
      await writeSynced(transaction, at, { ...made, ...state, version })
      const details = { url: at.url, branch, commit, commits: count, version, ...(secret ? { secret } : {}) }
      await this.#audit(transaction, name, { caller, action: 'workspace.git-push', details })
    })
    return { commit, branch, commits: count, version }
  }

  #read(place: RemotePlace, { branch, signal }: { branch?: string | undefined; signal?: AbortSignal | undefined }) {
    const { egress } = this.#deps
    return this.#threads.use({ egress, place, signal }, (thread) => thread.run({ kind: 'read', ref: branch }))
  }

  async #bringIn(
    name: DocumentName,
    {
      caller,
      author,
      place,
      read,
      remote,
      conflicts,
      message,
      secret,
      username,
    }: GitUse & {
      place: RemotePlace
      read: ReadCommit
      remote: Remote | undefined
      conflicts: 'refuse' | 'theirs'
      message?: string | undefined
    },
  ): Promise<GitImport> {
    const { workspaces, database } = this.#deps
    const { commit, object, branch, files, entries } = read
    const { host, pathname, href: url } = place.url
    const isKnown = remote?.synced?.commit === commit
    const baseVersion = await this.#versionThatIs(name, remote?.synced?.version)
    const said = `Imported ${branch ?? 'a tag'} at ${commit.slice(0, 10)} from ${host}${pathname}`
    const { version } = isKnown
      ? await workspaces.get(name.teamId, name.workspaceId)
      : await workspaces.files.mergeIn(name, files, {
          ...{ author, conflicts, baseVersion },
          message: (message ?? said).slice(0, 500),
        })
    await database.transaction({ team: name.teamId }, async (transaction) => {
      if (branch !== undefined) {
        // nothing came: what changed here since is still to be pushed
        const point = { commit, object, version: isKnown ? (remote?.synced?.version ?? version) : version }
        await writeSynced(transaction, { ...name, url, branch }, { ...point, entries, secret, username, by: author })
      }
      const details = { url, branch: branch ?? null, commit, files: files.length, ...(secret ? { secret } : {}) }
      await this.#audit(transaction, name, { caller, action: 'workspace.git-import', details })
    })
    const leftOut = entries.flatMap(({ path, mode }) => {
      if (mode === '100755') return []
      return [{ path, kind: mode === '120000' ? ('link' as const) : ('submodule' as const) }]
    })
    return { version, commit, branch: branch ?? null, files: files.length, leftOut }
  }

  async #findRemote(name: DocumentName, { url }: RemotePlace, branch: string | undefined): Promise<Remote | undefined> {
    if (branch === undefined) return undefined
    const remote = await selectRemote(this.#deps.database, { ...name, url: url.href, branch })
    return remote?.branch === branch ? remote : undefined
  }

  /** A version that was synced, unless it was forgotten since. */
  async #versionThatIs({ teamId, workspaceId }: DocumentName, number: number | undefined): Promise<number | undefined> {
    if (!number) return undefined
    return this.#deps.database
      .transaction({ team: teamId }, (transaction) => selectVersion(transaction, { teamId, workspaceId }, number))
      .then(
        () => number,
        () => undefined,
      )
  }

  async #findPlace({ caller, url: text, secret, username }: GitUse): Promise<RemotePlace> {
    const url = toRemoteUrl(text)
    const authorization = secret
      ? await authorize(this.#deps, caller, { secret, username, origin: url.origin })
      : undefined
    return { url, authorization }
  }

  /** One at a time for each workspace: two pushes at once would both be right and both be refused. */
  async #alone<T>({ teamId, workspaceId }: DocumentName, work: () => Promise<T>): Promise<T> {
    const { archivedAt } = await this.#deps.workspaces.get(teamId, workspaceId)
    if (archivedAt !== null) throw new CoherexError('conflict', 'Cannot use git: the workspace is archived')
    if (this.#busy.has(workspaceId)) {
      throw new CoherexError('conflict', 'The workspace is being imported to or pushed from right now: try again')
    }
    this.#busy.add(workspaceId)
    try {
      return await work()
    } finally {
      this.#busy.delete(workspaceId)
    }
  }

  async #audit(
    transaction: Transaction,
    { teamId, workspaceId }: DocumentName,
    { caller, action, details }: { caller: TeamCaller; action: AuditAction; details: Record<string, unknown> },
  ): Promise<void> {
    const target = { kind: 'workspace', id: workspaceId }
    await recordAudit(transaction, { teamId, actor: caller, action, target, details })
  }
}

/** From where the branch goes on. Throws when it has commits that the workspace does not know. */
function findSynced(remote: Remote | undefined, tip: string | undefined, branch: string): SyncPoint | undefined {
  // a new branch begins where another of the repository was
  if (tip === undefined) return remote?.branch === branch ? undefined : remote?.synced
  if (remote?.branch === branch && remote.next?.commit === tip) return remote.next
  if (remote?.branch === branch && remote.synced?.commit === tip) return remote.synced
  const message = `Cannot push to "${branch}": it has commits that the workspace does not have. Import it first, or push to another branch`
  throw new CoherexError('conflict', message, { details: [{ field: 'branch', message }] })
}

/** What people call a repository. */
function nameOf({ pathname, host }: URL): string {
  const last = (pathname.split('/').at(-1) ?? '').replace(/\.git$/, '')
  return (last.trim() || host).slice(0, 100)
}
