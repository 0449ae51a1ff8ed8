import { CoherexError, routes } from '@coherex/contract'
import { attempt, isOfOneFile, patiently } from './attempt.ts'
import { inTurns } from './in-turns.ts'
import type { SyncOptions } from './sync-folder.ts'
import { isClash, keepBoth, overWhat, send, type Sending } from './transfer.ts'

/** What goes in one request, and becomes one version. */
export interface Parcel {
  files: (Sending & { base64: string })[]
  /** What was deleted here. */
  removals: string[]
}

const atOnce = 4

/** Sends a parcel; what clashes with others is kept twice, and the rest goes without it. Answers what went. */
export async function sendParcel(options: SyncOptions, { files, removals }: Parcel): Promise<Sending[]> {
  if (files.length + removals.length < 2) return sendSingly(options, files, removals)
  const { connection, state, message } = options
  const params = { id: state.workspaceId }
  const write = files.map(({ base64, ...file }) => ({ path: file.path, base64, ...overWhat(options, file) }))
  const remove = removals.map((path) => ({ path, expectedVersion: state.files[path]?.version }))
  try {
    await patiently(() =>
      connection.client(routes.workspaces.changeFiles, { params, body: { write, remove, message } }),
    )
  } catch (error) {
    const clashes = clashesOf(error)
    const rest = {
      files: files.filter(({ path }) => !clashes.has(path)),
      removals: removals.filter((path) => !clashes.has(path)),
    }
    if (rest.files.length + rest.removals.length < files.length + removals.length) {
      for (const { path } of files) {
        if (clashes.has(path)) await attempt(options, path, () => keepBoth(options, path))
      }
      for (const path of removals) if (clashes.has(path)) tellChanged(options, path)
      return sendParcel(options, rest)
    }
    if (!(error instanceof Error) || !isOfOneFile(error)) throw error
    // something is wrong with one of them: alone it is found out with which
    return sendSingly(options, files, removals)
  }
  for (const path of removals) tellRemoved(options, path)
  return files
}

/** Each as a version of its own. */
export async function sendSingly(options: SyncOptions, files: Sending[], removals: string[] = []): Promise<Sending[]> {
  const sent: Sending[] = []
  const removing = removals.map((path) => () => attempt(options, path, () => remove(options, path)))
  const sending = files.map((file) => () => {
    return attempt(options, file.path, async () => {
      if (await send(options, file)) sent.push(file)
    })
  })
  await inTurns(atOnce, removing)
  await inTurns(atOnce, sending)
  return sent
}

async function remove(options: SyncOptions, path: string): Promise<void> {
  const { connection, state, message } = options
  const query = { expectedVersion: state.files[path]?.version, message }
  try {
    await connection.client(routes.workspaces.removeFile, { params: { id: state.workspaceId, path }, query })
  } catch (error) {
    if (!isClash(error)) throw error
    return tellChanged(options, path)
  }
  tellRemoved(options, path)
}

function tellRemoved({ state, onDone }: SyncOptions, path: string): void {
  delete state.files[path]
  onDone({ did: 'deleted there', path })
}

/** Someone changed it since: the next pull brings it back. */
function tellChanged({ onDone }: SyncOptions, path: string): void {
  onDone({ did: 'left', path, note: 'deleted here, but changed there since; pull brings it back' })
}

function clashesOf(error: unknown): Set<string> {
  if (!(error instanceof CoherexError) || error.code !== 'conflict') return new Set()
  const { conflicts } = (error.details ?? {}) as { conflicts?: { path: string }[] }
  return new Set(conflicts?.map(({ path }) => path))
}
