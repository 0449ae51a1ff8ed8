import { isPlainPath } from '@coherex/contract'
import * as Y from 'yjs'
import { isFilesRoot, parseEntry, textIdOf } from '../document/file-tree.ts'
import { PlaceFinder, type Place } from './place-finder.ts'
import { RefusedUpdate } from './refused-update.ts'

/** What a V1 update would do to a document, or why it may not. */
export interface Inspection {
  /** Clients that it has new characters or entries of. */
  clients: number[]
  /** Hashes that its new entries name. */
  blobs: string[]
  /** Characters it adds to each root text. */
  added: Map<string, number>
  addsFiles: boolean
}

const largestClient = 0xffff_ffff
// a person would type for centuries; a clock near 2^53 breaks arithmetic
const largestClock = 2 ** 40
const longestTextId = 1100
const longestPath = 1024

/** Reads an update without touching the document. Throws RefusedUpdate when it is none of ours. */
export function inspectUpdate(doc: Y.Doc, update: Uint8Array): Inspection {
  const { structs, ds } = decode(update)
  const ends = checkClocks(doc, structs, ds)
  const inspection: Inspection = { clients: [], blobs: [], added: new Map(), addsFiles: false }
  for (const [client, end] of ends) if (end > Y.getState(doc.store, client)) inspection.clients.push(client)
  const places = new PlaceFinder(doc, structs)
  for (const struct of structs) {
    const known = Y.getState(doc.store, struct.id.client)
    if (struct.id.clock + struct.length <= known) continue
    checkItem(struct, places.find(struct), inspection)
  }
  return inspection
}

function decode(update: Uint8Array): { structs: Y.Item[]; ds: ReturnType<typeof Y.decodeUpdate>['ds'] } {
  let decoded: ReturnType<typeof Y.decodeUpdate>
  try {
    decoded = Y.decodeUpdate(update)
  } catch {
    throw new RefusedUpdate('That is no update of a document')
  }
  // a V2 update reads as an empty V1 update with a long tail
  if (isWhole(update.subarray(0, -1))) throw new RefusedUpdate('That is no update in the V1 format')
  const structs: Y.Item[] = []
  for (const struct of decoded.structs) {
    if (!(struct instanceof Y.Item)) throw new RefusedUpdate('The update has gaps')
    structs.push(struct)
  }
  return { structs, ds: decoded.ds }
}

function isWhole(update: Uint8Array): boolean {
  try {
    Y.decodeUpdate(update)
    return true
  } catch {
    return false
  }
}

/** Answers where each client's clock is afterwards. Everything must follow on what is here. */
function checkClocks(doc: Y.Doc, structs: Y.Item[], ds: ReturnType<typeof decode>['ds']): Map<number, number> {
  const ends = new Map<number, number>()
  for (const { id, length } of structs) {
    if (id.client > largestClient || id.clock + length > largestClock)
      throw new RefusedUpdate('A clock is out of range')
    const end = ends.get(id.client)
    const follows = end === undefined ? id.clock <= Y.getState(doc.store, id.client) : id.clock === end
    if (!follows) throw new RefusedUpdate('The update builds on updates that are not here')
    ends.set(id.client, id.clock + length)
  }
  const isThere = (client: number, last: number) =>
    last < Math.max(ends.get(client) ?? 0, Y.getState(doc.store, client))
  for (const { origin, rightOrigin } of structs) {
    for (const id of [origin, rightOrigin]) {
      if (id && !isThere(id.client, id.clock)) throw new RefusedUpdate('The update builds on updates that are not here')
    }
  }
  for (const [client, ranges] of ds.clients) {
    for (const { clock, len } of ranges) {
      if (len < 1 || !isThere(client, clock + len - 1)) throw new RefusedUpdate('The update deletes what is not here')
    }
  }
  return ends
}

function checkItem({ content }: Y.Item, { root, key }: Place, inspection: Inspection): void {
  if (isFilesRoot(root)) {
    if (key === null || key.length > longestPath || !isPlainPath(key)) throw new RefusedUpdate('A path is none')
    if (content instanceof Y.ContentDeleted) return
    const [value, ...more] = content instanceof Y.ContentAny ? content.arr : []
    const entry = more.length === 0 ? parseEntry(value) : undefined
    if (!entry || Object.keys(value as object).length !== (entry.kind === 'text' ? 1 : 2)) {
      throw new RefusedUpdate('An entry of a file is none')
    }
    inspection.addsFiles = true
    if (entry.kind === 'blob') inspection.blobs.push(entry.hash)
    return
  }
  const id = textIdOf(root)
  if (id === undefined || id.length > longestTextId) throw new RefusedUpdate('A workspace has files and nothing else')
  if (key !== null) throw new RefusedUpdate('A text of a workspace has characters and nothing else')
  if (content instanceof Y.ContentDeleted) return
  if (!(content instanceof Y.ContentString)) {
    throw new RefusedUpdate('A text of a workspace has characters and nothing else')
  }
  inspection.added.set(root, (inspection.added.get(root) ?? 0) + content.str.length)
}
