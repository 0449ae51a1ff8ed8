import { openAsBlob } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError, routes } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { putLocal, removeLocal } from './local-files.ts'
import { planSync, type SyncStep } from './plan-sync.ts'
import { conflictPath, hashFile, isSynced, scanFolder } from './scan-folder.ts'
import { writeState, type AgreedFile, type FolderState } from './state-file.ts'

export interface SyncOptions {
  connection: Connection
  folder: string
  state: FolderState
  /** Which way changes may go. */
  way: 'pull' | 'push' | 'both'
  /** A pull that also brings back what was deleted here. */
  bringsBack?: boolean | undefined
  message?: string | undefined
  onDone: (what: SyncLine) => void
}

export interface SyncLine {
  did: 'downloaded' | 'uploaded' | 'deleted here' | 'deleted there' | 'merged' | 'conflict' | 'left' | 'failed'
  path: string
  note?: string
}

/** Makes a folder and a workspace agree, as far as the way allows. What cannot be merged is kept as a copy and said. */
export async function syncFolder(options: SyncOptions): Promise<void> {
  const { connection, folder, state, way } = options
  const listed = await connection.client(routes.workspaces.listFiles, { params: { id: state.workspaceId } })
  const there = new Map(listed.items.filter(({ path }) => isSynced(path)).map(({ path, hash }) => [path, hash]))
  const here = await scanFolder(folder)
  const agreed = new Map(Object.entries(state.files).map(([path, { hash }]) => [path, hash]))
  if (way !== 'pull' && here.size === 0 && agreed.size > 0 && there.size > 0) {
    throw new CoherexError(
      'conflict',
      `${folder} is empty, and the workspace is not. Nothing was deleted: pull --force brings the files back`,
    )
  }
  for (const step of planSync({ agreed, here, there })) {
    try {
      await takeStep(options, step, listed.version)
    } catch (error) {
      if (!(error instanceof CoherexError) || error.code === 'unavailable') throw error
      options.onDone({ did: 'failed', path: step.path, note: error.message })
    }
  }
  await writeState(folder, state)
}

async function takeStep(options: SyncOptions, step: SyncStep, version: number): Promise<void> {
  const { folder, state, way, onDone } = options
  const { path } = step
  switch (step.do) {
    case 'agree':
      state.files[path] = { hash: step.hash, version }
      return undefined
    case 'forget':
      delete state.files[path]
      return undefined
    case 'download':
      if (way === 'push') return undefined
      state.files[path] = await download(options, path)
      return onDone({ did: 'downloaded', path })
    case 'delete-here':
      if (way === 'push') return undefined
      // changed a moment ago: then it is not what was deleted there
      if ((await hashFile(join(folder, path))) !== state.files[path]?.hash) return undefined
      await removeLocal(folder, path)
      delete state.files[path]
      return onDone({ did: 'deleted here', path })
    case 'upload':
      if (way === 'pull') return undefined
      return upload(options, path)
    case 'delete-there':
      if (way !== 'pull') return removeThere(options, path)
      if (!options.bringsBack) return undefined
      state.files[path] = await download(options, path)
      return onDone({ did: 'downloaded', path })
    case 'merge':
      if (way === 'pull') return onDone({ did: 'left', path, note: 'changed on both sides; push merges it' })
      return upload(options, path)
  }
}

async function download({ connection, folder, state }: SyncOptions, path: string): Promise<AgreedFile> {
  const response = await connection.open(routes.workspaces.readFile, { params: { id: state.workspaceId, path } })
  const version = Number(response.headers.get('x-coherex-version'))
  await putLocal(folder, path, new Uint8Array(await response.arrayBuffer()))
  return { hash: (await hashFile(join(folder, path))) ?? '', version }
}

/** Sends a file. Where the other side changed it too, the server merges, or it is a conflict. */
async function upload(options: SyncOptions, path: string): Promise<void> {
  const { connection, folder, state, message, onDone } = options
  const file = join(folder, path)
  const hash = await hashFile(file)
  // gone since: the next time tells
  if (hash === undefined) return
  const known = state.files[path]
  // a file that was not known there is new there, or it is a conflict
  const over = known ? { readVersion: known.version } : { expectedVersion: 0 }
  try {
    await connection.open(routes.workspaces.writeFile, {
      params: { id: state.workspaceId, path },
      query: { ...over, message },
      body: await openAsBlob(file),
    })
  } catch (error) {
    if (!(error instanceof CoherexError) || error.code !== 'conflict') throw error
    return keepBoth(options, path)
  }
  // typed in while it was sent: the next time tells, and must not take it for what was sent
  const isSame = (await hashFile(file)) === hash
  const [stored] = (
    await connection.client(routes.workspaces.listFiles, { params: { id: state.workspaceId } })
  ).items.filter((item) => item.path === path)
  if (!stored || stored.hash === hash || !isSame) {
    state.files[path] = { hash, version: stored?.version ?? known?.version ?? 0 }
    return onDone({ did: 'uploaded', path })
  }
  state.files[path] = await download(options, path)
  onDone({ did: 'merged', path })
}

async function keepBoth(options: SyncOptions, path: string): Promise<void> {
  const { folder, state, onDone } = options
  const mine = await readFile(join(folder, path))
  const copy = conflictPath(path, Date.now())
  await writeFile(join(folder, copy), mine, { flag: 'wx' })
  state.files[path] = await download(options, path)
  onDone({ did: 'conflict', path, note: `both sides changed the same lines; yours is kept as ${copy}` })
}

async function removeThere({ connection, folder, state, message, onDone }: SyncOptions, path: string): Promise<void> {
  // a program that saves by renaming takes a file away for a moment
  await new Promise((resolve) => setTimeout(resolve, 200))
  if ((await hashFile(join(folder, path))) !== undefined) return
  const expectedVersion = state.files[path]?.version
  try {
    await connection.client(routes.workspaces.removeFile, {
      params: { id: state.workspaceId, path },
      query: { expectedVersion, message },
    })
  } catch (error) {
    if (!(error instanceof CoherexError) || error.code !== 'conflict') throw error
    // someone changed it since: the next pull brings it back
    return onDone({ did: 'left', path, note: 'deleted here, but changed there since; pull brings it back' })
  }
  delete state.files[path]
  onDone({ did: 'deleted there', path })
}
