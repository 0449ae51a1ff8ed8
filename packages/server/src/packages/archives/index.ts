export { ArchiveRefused, type ArchiveLimits } from './archive-guard.ts'
export { type ArchiveHost, fetchArchive } from './fetch-archive.ts'
export { UnpackThread, type UnpackJob } from './unpack-thread.ts'
