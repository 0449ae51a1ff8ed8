import * as Y from 'yjs'
import { entriesOf, textIdOf } from '../document/file-tree.ts'

/** Where an update wrote last: the file, and the place behind its last character as clients tell theirs. */
export interface EditPlace {
  file: string
  selection: { anchor: unknown; head: unknown }
}

/** Undefined when it wrote in no text, or in one that no file has. The update is in the document. */
export function placeOfUpdate(doc: Y.Doc, update: Uint8Array): EditPlace | undefined {
  const id = lastId(update)
  const item = id && Y.getState(doc.store, id.client) > id.clock ? Y.getItem(doc.store, id) : undefined
  if (!id || !(item instanceof Y.Item) || !(item.parent instanceof Y.AbstractType)) return undefined
  // only roots have texts
  const textId = item.parent._item ? undefined : textIdOf(Y.findRootTypeKey(item.parent))
  if (textId === undefined) return undefined
  for (const [file, entry] of entriesOf(doc)) {
    if (entry.kind !== 'text' || entry.id !== textId) continue
    const behind = { item: { client: id.client, clock: id.clock }, assoc: -1 }
    return { file, selection: { anchor: behind, head: behind } }
  }
  return undefined
}

/** Of the last character that it wrote or, where it only took some away, of the last of those. */
function lastId(update: Uint8Array): Y.ID | undefined {
  const { structs, ds } = Y.decodeUpdate(update)
  const written = structs.findLast((struct) => struct instanceof Y.Item && struct.content instanceof Y.ContentString)
  if (written) return Y.createID(written.id.client, written.id.clock + written.length - 1)
  const [deleted] = ds.clients
  const range = deleted?.[1].at(-1)
  return deleted && range && Y.createID(deleted[0], range.clock + range.len - 1)
}
