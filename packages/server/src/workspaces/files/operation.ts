import type { Author } from '@coherex/contract'
import type { Blobs, Database, EventBus, ReleaseBlobs } from '../../base/index.ts'

export interface OperationDeps {
  database: Database
  events: EventBus
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
}

/** How a change is to be taken. */
export interface Operation {
  author: Author
  message?: string | undefined
  /** Refused when the file has changed since. */
  expectedVersion?: number | undefined
  /** Refused unless the file has one of these hashes now; `*` for any. */
  expectedHash?: '*' | readonly string[] | undefined
  /** What the change was made from: what others changed since is merged. */
  readVersion?: number | undefined
}
