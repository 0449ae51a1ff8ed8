import { createHash } from 'node:crypto'
import { constants, createWriteStream, openAsBlob } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CoherexError, routes } from '@coherex/contract'
import { incomingFile, placeLocal } from './local-files.ts'
import { conflictPath, hashFile } from './scan-folder.ts'
import type { AgreedFile } from './state-file.ts'
import type { SyncOptions } from './sync-folder.ts'

type Transfer = Pick<SyncOptions, 'connection' | 'folder' | 'state' | 'message' | 'onDone'>

/** Brings a file here. False when it was saved here meanwhile: the next sync merges it. */
export async function download(transfer: Transfer, path: string, expected: string | undefined): Promise<boolean> {
  const { from, ...agreed } = await fetchFile(transfer, path)
  try {
    if (!(await placeLocal(transfer.folder, path, { from, expected }))) return false
    transfer.state.files[path] = agreed
    return true
  } finally {
    await rm(from, { force: true })
  }
}

export interface Sending {
  path: string
  hash: string
  /** Whether the workspace has a file there, as far as is known. */
  isThere: boolean
}

/** Sends a file; the server merges it with what others did. False when it did not go, and why was said. */
export async function send(transfer: Transfer, { path, hash, isThere }: Sending): Promise<boolean> {
  const { connection, folder, state, message, onDone } = transfer
  const file = join(folder, path)
  try {
    await connection.open(routes.workspaces.writeFile, {
      params: { id: state.workspaceId, path },
      query: { ...overWhat(transfer, { path, isThere }), message },
      body: await openAsBlob(file),
    })
    return true
  } catch (error) {
    if (isClash(error)) await keepBoth(transfer, path)
    // reading a file fails when it changes under the reader
    else if ((await hashFile(file)) !== hash) {
      onDone({ did: 'left', path, note: 'it changed while it was sent; the next time sends it' })
    } else throw error
    return false
  }
}

/** What was never there, or was deleted there, is new there, or it is a conflict. */
export function overWhat(
  { state }: Pick<Transfer, 'state'>,
  { path, isThere }: Pick<Sending, 'path' | 'isThere'>,
): { readVersion: number } | { expectedVersion: 0 } {
  const known = state.files[path]
  return known && isThere ? { readVersion: known.version } : { expectedVersion: 0 }
}

/** Others changed the file too; other conflicts are about the workspace or about names. */
export function isClash(error: unknown): boolean {
  if (!(error instanceof CoherexError) || error.code !== 'conflict') return false
  const details = (error.details ?? {}) as Record<string, unknown>
  return 'readVersion' in details || 'expectedVersion' in details
}

/** Takes theirs, and keeps what is here as a copy beside it. */
export async function keepBoth(transfer: Transfer, path: string): Promise<void> {
  const { folder, onDone } = transfer
  const { from, ...agreed } = await fetchFile(transfer, path)
  try {
    const copy = conflictPath(path, Date.now())
    await copyFile(join(folder, path), join(folder, copy), constants.COPYFILE_EXCL)
    const expected = await hashFile(join(folder, copy))
    if (await placeLocal(folder, path, { from, expected })) transfer.state.files[path] = agreed
    onDone({ did: 'conflict', path, note: `both sides changed the same of it; yours is kept as ${copy}` })
  } finally {
    await rm(from, { force: true })
  }
}

/** The file as it is there, in a place of its own. */
async function fetchFile(
  { connection, folder, state }: Transfer,
  path: string,
): Promise<AgreedFile & { from: string }> {
  const response = await connection.open(routes.workspaces.readFile, { params: { id: state.workspaceId, path } })
  const version = Number(response.headers.get('x-coherex-version'))
  const from = incomingFile(folder)
  const hash = createHash('sha256')
  const body = response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : Readable.from([])
  async function* hashed(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(body, hashed, createWriteStream(from, { flags: 'wx' }))
  } catch (cause) {
    await rm(from, { force: true })
    // what the disk says has a system call in it
    if (cause instanceof Error && 'syscall' in cause && cause.syscall !== 'read') throw cause
    throw new CoherexError('unavailable', `The connection broke while "${path}" was fetched`, { cause })
  }
  return { from, hash: hash.digest('hex'), version }
}
