import { CoherexError } from '@coherex/contract'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { selectTree, type TreeFile } from '../version-store.ts'
import type { OperationDeps } from './operation.ts'

/** All files of a workspace at a version, for a run. */
export interface Materialised {
  version: number
  files: Map<string, Uint8Array>
}

const cacheBytes = 64 * 1024 * 1024

/** Contents that were needed before, by hash, so that running the same files again reads nothing. */
export class ContentCache {
  readonly #contents = new Map<string, Uint8Array>()
  #bytes = 0

  get(key: string): Uint8Array | undefined {
    const content = this.#contents.get(key)
    if (!content) return undefined
    // the last used are the last to go
    this.#contents.delete(key)
    this.#contents.set(key, content)
    return content
  }

  set(key: string, content: Uint8Array): void {
    if (content.length > cacheBytes / 4 || this.#contents.has(key)) return
    this.#contents.set(key, content)
    this.#bytes += content.length
    for (const [oldest, { length }] of this.#contents) {
      if (this.#bytes <= cacheBytes) break
      this.#contents.delete(oldest)
      this.#bytes -= length
    }
  }
}

/** Reads every file of a version; refuses when they are more than `mostBytes`. */
export async function materialise(
  deps: OperationDeps,
  cache: ContentCache,
  { name, version, mostBytes }: { name: DocumentName; version: number; mostBytes: number },
): Promise<Materialised> {
  const { teamId } = name
  const keyOf = ({ hash }: TreeFile) => `${teamId} ${hash}`
  const found = new Map<string, Uint8Array>()
  const take = (file: TreeFile, bytes: Uint8Array) => {
    cache.set(keyOf(file), bytes)
    found.set(file.hash, bytes)
  }
  const tree = await deps.database.transaction({ team: teamId }, async (transaction) => {
    const all = await selectTree(transaction, name, version)
    if (all.reduce((sum, { size }) => sum + size, 0) > mostBytes) {
      throw new CoherexError(
        'too_large',
        `Cannot run in the workspace: its files are more than ${mostBytes / 1024 / 1024} MB`,
      )
    }
    for (const file of all) {
      const known = cache.get(keyOf(file))
      if (known) found.set(file.hash, known)
    }
    const missing = all.filter(({ kind, hash }) => kind === 'text' && !found.has(hash))
    const texts = await readTexts(
      transaction,
      name,
      missing.map(({ hash }) => hash),
    )
    for (const file of missing) take(file, texts.get(file.hash) ?? Buffer.alloc(0))
    return all
  })
  for (const file of tree) {
    if (found.has(file.hash)) continue
    const body = await deps.blobs.read(teamId, file.hash)
    if (!body) throw new CoherexError('not_found', `The content of "${file.path}" is gone`)
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk as Uint8Array)
    take(file, Buffer.concat(chunks))
  }
  return { version, files: new Map(tree.map(({ path, hash }) => [path, found.get(hash) ?? new Uint8Array()])) }
}
