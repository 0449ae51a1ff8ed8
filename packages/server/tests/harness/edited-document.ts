import * as Y from 'yjs'

/** A document of many edits: words typed here and there, as people do. */
export function makeEditedDocument(edits: number): { snapshot: Uint8Array; updates: Uint8Array[] } {
  const doc = new Y.Doc()
  const text = doc.getText('text:a.txt')
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  let at = 0
  for (let edit = 0; edit < edits; edit++) {
    if (edit % 20 === 0) at = (edit * 7919) % (text.length + 1)
    text.insert(at++, 'x')
  }
  return { snapshot: Y.encodeStateAsUpdate(doc), updates }
}

/** Milliseconds that it takes to load updates into a new document. */
export function timeLoad(updates: Uint8Array[]): number {
  const began = performance.now()
  const copy = new Y.Doc()
  for (const update of updates) Y.applyUpdate(copy, update)
  return performance.now() - began
}
