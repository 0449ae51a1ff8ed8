export { actFor, actingPerson } from './database/act-for.ts'
export {
  blobFolders,
  blobGraceMs,
  createDiskBlobs,
  type BlobName,
  type Blobs,
  type ListedBlob,
  type ReleaseBlobs,
} from './blobs/blobs.ts'
export { canonicalJson } from './canonical-json.ts'
export { DirectoryInUseError, openDataDirectory, replacePrivateFile, type DataDirectory } from './data-directory.ts'
export {
  enterPerson,
  enterTeam,
  holdSecrets,
  type Database,
  type Scope,
  type Transaction,
} from './database/database.ts'
export { findEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded-postgres.ts'
export { openEventBus, type BusEvent, type EventBus, type EventFeed } from './event-bus.ts'
export { createId, createToken, earliestId } from './ids.ts'
export { diskFullError, diskFullReason, isDiskFull } from './disk-full.ts'
export { refuseJson } from './json-shape.ts'
export { createLog, type Log } from './log.ts'
export { openQueue, type Queue } from './queue.ts'
export { createGlobMatcher } from './match-globs.ts'
export { parsePath, type PathFault } from './parse-path.ts'
export { startMemoryRest } from './rest-memory.ts'
export { StartError } from './start-error.ts'
export {
  applyMigration,
  pendingOf,
  readApplied,
  readMigrations,
  withMigrationLock,
  type Migration,
  type MigrationFile,
} from './database/migrate.ts'
export { storable, storableJson, storableResult } from './database/storable.ts'
export {
  attachStore,
  connectOwner,
  embeddedOwner,
  openStore,
  parseDatabaseUrl,
  prepareEmbedded,
  prepareRoles,
  type Store,
} from './database/store.ts'
export { syncDirectory } from './sync-directory.ts'
export { forEachTeam } from './database/for-each-team.ts'
export { inSpan, startTracing } from './trace.ts'
export { createS3Blobs } from './blobs/s3-blobs.ts'
export type { S3Place } from './blobs/s3-requests.ts'
