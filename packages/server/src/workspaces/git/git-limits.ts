/** What comes from and goes to a repository in one go. All of it is in memory while it is under way. */
export interface GitLimits {
  /** Of one answer or one push, as it is sent. */
  packBytes: number
  /** Of all objects of a pack unpacked, and of all files of a commit. */
  unpackedBytes: number
  objects: number
  files: number
  /** Folders within folders. */
  depth: number
  /** Deltas upon deltas. */
  deltas: number
  requests: number
  totalMs: number
}

export const gitLimits: GitLimits = {
  packBytes: 50_000_000,
  unpackedBytes: 100_000_000,
  objects: 50_000,
  files: 10_000,
  depth: 32,
  deltas: 500,
  requests: 10,
  totalMs: 120_000,
}

/** Versions that become commits of their own in one push; those before them are one commit together. */
export const mostCommits = 200
