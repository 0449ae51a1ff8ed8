import { join } from 'node:path'
import { CoherexError, type WorkspaceFile } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { attempt } from './attempt.ts'
import { inTurns } from './in-turns.ts'
import { listFiles, type Listed } from './list-files.ts'
import { removeLocal } from './local-files.ts'
import { planSync, type Sides, type SyncStep } from './plan-sync.ts'
import { hashFile, scanFolder } from './scan-folder.ts'
import { sendChanges } from './send-changes.ts'
import type { FolderState } from './state-file.ts'
import { download } from './transfer.ts'

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

/** Files that come in one go, before it is kept how far it came. */
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
    if (way !== 'pull') await sendChanges(options, steps, sides.there)
    for (let at = 0; at < steps.length; at += waveSize) {
      const wave = steps
        .slice(at, at + waveSize)
        .map(
          (step) => () =>
            attempt(options, step.path, () => takeStep(options, step, { sides, version: listed.version })),
        )
      await inTurns(atOnce, wave)
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

function toHashes(items: WorkspaceFile[]): Map<string, string> {
  return new Map(items.map(({ path, hash }) => [path, hash]))
}
