import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CoherexError, routes, type ErrorCode, type WorkspaceFile } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { inTurns } from './in-turns.ts'
import { removeLocal } from './local-files.ts'
import { planSync, type Sides, type SyncStep } from './plan-sync.ts'
import { hashFile, isSynced, scanFolder } from './scan-folder.ts'
import type { FolderState } from './state-file.ts'
import { download, isClash, send, type Sending } from './transfer.ts'

export interface SyncOptions {
  connection: Connection
  folder: string
  state: FolderState
  /** Keeps what the folder remembers. */
  saveState: () => Promise<void>
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

/** Files that go in one go, before it is kept how far it came. */
const waveSize = 50
const atOnce = 4

/** Makes a folder and a workspace agree, as far as the way allows. What cannot be merged is kept as a copy and said. */
export async function syncFolder(options: SyncOptions): Promise<void> {
  const { folder, way, saveState, onDone } = options
  const listed = await listFiles(options)
  const { files: here, unnameable } = await scanFolder(folder)
  const sides = { agreed: agreedFiles(options, listed), here, there: toHashes(listed.items) }
  if (way !== 'pull' && here.size === 0 && sides.agreed.size > 0 && sides.there.size > 0) {
    throw new CoherexError(
      'conflict',
      `${folder} is empty, and the workspace is not. Nothing was deleted: pull --force brings the files back`,
    )
  }
  for (const path of way === 'pull' ? [] : unnameable) {
    onDone({ did: 'left', path, note: 'a workspace cannot have a file of this name' })
  }
  const steps = planSync(sides)
  try {
    await saveState()
    await deleteHere(options, steps)
    await deleteThere(options, steps)
    for (let at = 0; at < steps.length; at += waveSize) {
      await takeWave(options, steps.slice(at, at + waveSize), { sides, version: listed.version })
      await saveState()
    }
  } finally {
    await saveState()
  }
}

/** What both sides had when they last agreed, and what is there because it was sent from here before the line broke. */
function agreedFiles({ state }: SyncOptions, { version, items }: Listed): Map<string, string> {
  for (const { path, hash } of items) if (state.sent[path] === hash) state.files[path] = { hash, version }
  for (const path of Object.keys(state.sent)) delete state.sent[path]
  return new Map(Object.entries(state.files).map(([path, { hash }]) => [path, hash]))
}

async function takeWave(
  options: SyncOptions,
  steps: SyncStep[],
  { sides, version }: { sides: Sides; version: number },
): Promise<void> {
  const { folder, state, saveState } = options
  const sendings: Sending[] = []
  for (const step of steps) {
    if (!isSent(options, step)) continue
    const hash = await hashFile(join(folder, step.path))
    // gone since: the next time tells
    if (hash) sendings.push({ path: step.path, hash, isThere: sides.there.has(step.path) })
  }
  for (const { path, hash } of sendings) state.sent[path] = hash
  await saveState()
  const sent: Sending[] = []
  await inTurns(atOnce, [
    ...sendings.map(
      (sending) => () =>
        attempt(options, sending.path, async () => {
          if (await send(options, sending)) sent.push(sending)
        }),
    ),
    ...steps.map((step) => () => attempt(options, step.path, () => takeStep(options, step, { sides, version }))),
  ])
  if (sent.length > 0) await settle(options, sent)
  for (const { path } of sendings) delete state.sent[path]
}

function isSent({ way }: SyncOptions, step: SyncStep): boolean {
  return way !== 'pull' && (step.do === 'upload' || step.do === 'merge')
}

/** Everything but what is sent and what is deleted. */
async function takeStep(
  options: SyncOptions,
  step: SyncStep,
  { sides, version }: { sides: Sides; version: number },
): Promise<void> {
  const { state, way, onDone } = options
  const { path } = step
  switch (step.do) {
    case 'agree':
      state.files[path] = { hash: step.hash, version }
      return
    case 'forget':
      delete state.files[path]
      return
    case 'download':
    case 'delete-there':
      if (way === 'push' || (step.do === 'delete-there' && !options.bringsBack)) return
      if (await download(options, path, sides.here.get(path))) onDone({ did: 'downloaded', path })
      else onDone({ did: 'left', path, note: 'something of that name came up here meanwhile; the next time merges it' })
      return
    case 'merge':
      if (way === 'pull') onDone({ did: 'left', path, note: 'changed on both sides; push merges it' })
      return
    case 'delete-here':
    case 'upload':
  }
}

/** Learns what became of the files that were sent, and brings back those that were merged. */
async function settle(options: SyncOptions, sent: Sending[]): Promise<void> {
  const { folder, state, onDone } = options
  const { version, items } = await listFiles(options)
  const stored = new Map(items.map((item) => [item.path, item]))
  for (const { path, hash } of sent) {
    const file = stored.get(path)
    if (!file || file.hash === hash) {
      state.files[path] = { hash, version }
      onDone({ did: 'uploaded', path })
      continue
    }
    // where someone saved here meanwhile the next time merges again, from what both had before
    const isHere = (await hashFile(join(folder, path))) === hash
    await attempt(options, path, async () => {
      if (isHere && (await download(options, path, hash))) onDone({ did: 'merged', path })
      else onDone({ did: 'left', path, note: 'it changed while it was sent; the next time merges it' })
    })
  }
}

async function deleteHere(options: SyncOptions, steps: SyncStep[]): Promise<void> {
  const { folder, state, way, onDone } = options
  if (way === 'push') return
  for (const { path, do: what } of steps) {
    if (what !== 'delete-here') continue
    // changed a moment ago: then it is not what was deleted there
    if ((await hashFile(join(folder, path))) !== state.files[path]?.hash) continue
    await attempt(options, path, async () => {
      await removeLocal(folder, path)
      delete state.files[path]
      onDone({ did: 'deleted here', path })
    })
  }
}

async function deleteThere(options: SyncOptions, steps: SyncStep[]): Promise<void> {
  const { connection, folder, state, way, message, onDone } = options
  const paths = steps.flatMap((step) => (step.do === 'delete-there' ? [step.path] : []))
  if (way === 'pull' || paths.length === 0) return
  // a program that saves by renaming takes a file away for a moment
  await setTimeout(200)
  const remove = async (path: string) => {
    if ((await hashFile(join(folder, path))) !== undefined) return
    const expectedVersion = state.files[path]?.version
    try {
      await connection.client(routes.workspaces.removeFile, {
        params: { id: state.workspaceId, path },
        query: { expectedVersion, message },
      })
    } catch (error) {
      if (!isClash(error)) throw error
      // someone changed it since: the next pull brings it back
      return onDone({ did: 'left', path, note: 'deleted here, but changed there since; pull brings it back' })
    }
    delete state.files[path]
    onDone({ did: 'deleted there', path })
  }
  await inTurns(
    atOnce,
    paths.map((path) => () => attempt(options, path, () => remove(path))),
  )
}

const stopsAll = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'])
const stopCodes = new Set<ErrorCode>(['unavailable', 'unauthenticated', 'forbidden'])
const patience = 10

/** One file that cannot be synced does not keep the others back; a line that is down or a full disk does. */
async function attempt({ onDone }: SyncOptions, path: string, work: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      // too many requests a second: the server says when to come again
      if (error instanceof CoherexError && error.retryAfterSeconds && count < patience) {
        await setTimeout(error.retryAfterSeconds * 1000)
        continue
      }
      if (!(error instanceof Error) || !isOfOneFile(error)) throw error
      return onDone({ did: 'failed', path, note: error.message })
    }
  }
}

function isOfOneFile(error: Error): boolean {
  if (error instanceof CoherexError) return !stopCodes.has(error.code)
  return 'syscall' in error && !stopsAll.has((error as NodeJS.ErrnoException).code ?? '')
}

type Listed = { version: number; items: WorkspaceFile[] }

async function listFiles({ connection, state }: SyncOptions): Promise<Listed> {
  const { version, items } = await connection.client(routes.workspaces.listFiles, { params: { id: state.workspaceId } })
  return { version, items: items.filter(({ path }) => isSynced(path)) }
}

function toHashes(items: WorkspaceFile[]): Map<string, string> {
  return new Map(items.map(({ path, hash }) => [path, hash]))
}
