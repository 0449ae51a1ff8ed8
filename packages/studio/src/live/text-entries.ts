import * as Y from 'yjs'

/**
 * How files lie in the document of a workspace: `files` maps each path to an entry, and the characters of a text are in
 * the root `text:<id>`. A file that is moved keeps its id, so that whoever types in it goes on typing.
 */
export function filesOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap('files')
}

/** The id of the text at a path; undefined where there is none. */
export function textIdAt(doc: Y.Doc, path: string): string | undefined {
  return readTextId(filesOf(doc).get(path))
}

export function textOf(doc: Y.Doc, id: string): Y.Text {
  return doc.getText(`text:${id}`)
}

/** Where a text is now; undefined when its file is gone. */
export function pathOfText(doc: Y.Doc, id: string): string | undefined {
  for (const [path, entry] of filesOf(doc).entries()) if (readTextId(entry) === id) return path
  return undefined
}

/** The paths of all texts. */
export function textPaths(doc: Y.Doc): string[] {
  return [...filesOf(doc).entries()].flatMap(([path, entry]) => (readTextId(entry) === undefined ? [] : [path]))
}

/** What was in a file that a transaction deleted, while its characters are still here. */
export function textLostIn(doc: Y.Doc, transaction: Y.Transaction, path: string): string | undefined {
  // what a key held before lies to the left of nothing: its last item is the one that was deleted
  const entry = filesOf(doc)._map.get(path)
  const [value] = entry?.deleted ? entry.content.getContent() : []
  const id = readTextId(value)
  if (id === undefined) return undefined
  let lost = ''
  for (let item = textOf(doc, id)._start; item; item = item.right) {
    const wasThere = item.id.clock < (transaction.beforeState.get(item.id.client) ?? 0)
    const isLost = !item.deleted || Y.isDeleted(transaction.deleteSet, item.id)
    if (wasThere && isLost && item.content instanceof Y.ContentString) lost += item.content.str
  }
  return lost
}

function readTextId(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('text' in entry)) return undefined
  return typeof entry.text === 'string' ? entry.text : undefined
}
