import type { GitRefusal } from './git-refusal.ts'

/** What the thread is asked to do. It knows the repository only as the other end of its requests. */
export type GitTask = ReadTask | TipTask | PushTask

/** Reads the last commit of a branch or tag, of the default branch when none is named. */
export interface ReadTask {
  kind: 'read'
  ref: string | undefined
}

/** Where a branch is. */
export interface TipTask {
  kind: 'tip'
  branch: string
}

/** Makes commits and pushes them. */
export interface PushTask {
  kind: 'push'
  branch: string
  /** The branch is not there yet: it is made even where no commit is. */
  isNew: boolean
  /** What the branch has; nothing when it is new. */
  base: PushBase | undefined
  commits: NewCommit[]
  /** What is in the files, by our hash. */
  contents: Map<string, Uint8Array>
  /** What the repository has and a workspace cannot hold. */
  entries: KeptEntry[]
}

export interface PushBase {
  commit: string
  /** Where the commit is. */
  branch: string
  /** The commit as git keeps it. */
  object: Uint8Array
  /** The version that was synced with it, in case that has more than the commit. */
  version: Omit<NewCommit, 'changes'>
  files: { path: string; hash: string }[]
}

export interface NewCommit {
  message: string
  author: { name: string; email: string }
  /** Seconds since 1970. */
  at: number
  /** Our hash, or null for what was deleted. */
  changes: { path: string; hash: string | null }[]
}

/** An executable file, a link or a submodule: kept as it was when commits are made from a workspace. */
export type KeptEntry =
  | { path: string; mode: '100755' }
  /** Where it leads, in base64: nothing says that it is text. */
  | { path: string; mode: '120000'; target: string }
  | { path: string; mode: '160000'; oid: string }

export interface ReadCommit {
  commit: string
  object: Uint8Array
  /** Undefined for a tag. */
  branch: string | undefined
  files: { path: string; bytes: Uint8Array }[]
  entries: KeptEntry[]
}

export interface MadeCommits {
  commit: string
  object: Uint8Array
  count: number
}

export type GitAnswer = ReadCommit | { tip: string | undefined } | MadeCommits

export interface GitRequest {
  method: string
  /** Below the repository's address. */
  path: string
  headers: Record<string, string>
  body: Uint8Array | undefined
}

export interface GitResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** From the thread. */
export type ThreadMessage =
  | { type: 'request'; id: number; request: GitRequest }
  /** The commits are made; they are pushed when the server says so. */
  | { type: 'ready'; made: MadeCommits }
  | { type: 'done'; answer: GitAnswer }
  | { type: 'refused'; refusal: GitRefusal }

/** To the thread. */
export type ServerMessage =
  | { type: 'task'; task: GitTask }
  | { type: 'response'; id: number; response: GitResponse | undefined }
  | { type: 'go' }
