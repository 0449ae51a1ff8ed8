import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { attempt } from './attempt.ts'
import { listFiles } from './list-files.ts'
import type { SyncStep } from './plan-sync.ts'
import { hashFile } from './scan-folder.ts'
import { sendParcel, sendSingly, type Parcel } from './send-parcel.ts'
import type { SyncOptions } from './sync-folder.ts'
import { download, type Sending } from './transfer.ts'

/** In base64 they fit into the ten megabytes of a request. */
const parcelBytes = 6_000_000
/** A larger file goes alone, as a stream. */
const largestPacked = 1_000_000

/** Sends what changed and what was deleted here, together as one version where it fits into one request. */
export async function sendChanges(
  options: SyncOptions,
  steps: SyncStep[],
  there: ReadonlyMap<string, string>,
): Promise<void> {
  const { folder } = options
  const large: Sending[] = []
  let parcel: Parcel = { files: [], removals: await findRemovals(options, steps) }
  let size = 0
  for (const { path, do: what } of steps) {
    if (what !== 'upload' && what !== 'merge') continue
    const file = join(folder, path)
    const found = await lstat(file).catch(() => undefined)
    await attempt(options, path, async () => {
      // gone since: the next time tells
      if (!found?.isFile()) return
      const isThere = there.has(path)
      if (found.size > largestPacked) {
        const hash = await hashFile(file)
        if (hash) large.push({ path, hash, isThere })
        return
      }
      const bytes = await readFile(file)
      const hash = createHash('sha256').update(bytes).digest('hex')
      parcel.files.push({ path, hash, isThere, base64: bytes.toString('base64') })
      size += bytes.length
    })
    if (size < parcelBytes) continue
    await deliver(options, parcel)
    parcel = { files: [], removals: [] }
    size = 0
  }
  await deliver(options, parcel)
  await announced(options, large, () => sendSingly(options, large))
}

async function deliver(options: SyncOptions, parcel: Parcel): Promise<void> {
  await announced(options, parcel.files, () => sendParcel(options, parcel))
}

/** Keeps in the folder what is being sent: should this program be killed, the next one knows that it came from here. */
async function announced(options: SyncOptions, files: Sending[], work: () => Promise<Sending[]>): Promise<void> {
  const { state, saveState } = options
  for (const { path, hash } of files) state.sent[path] = hash
  await saveState()
  const sent = await work()
  if (sent.length > 0) await settle(options, sent)
  for (const { path } of files) delete state.sent[path]
  await saveState()
}

async function findRemovals({ folder }: SyncOptions, steps: SyncStep[]): Promise<string[]> {
  const paths = steps.flatMap((step) => (step.do === 'delete-there' ? [step.path] : []))
  if (paths.length === 0) return []
  // a program that saves by renaming takes a file away for a moment
  await setTimeout(200)
  const gone: string[] = []
  for (const path of paths) if ((await hashFile(join(folder, path))) === undefined) gone.push(path)
  return gone
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
