import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { anna } from '../test-workspaces.ts'
import { integrateUpdate } from './integrate-update.ts'

const origin = { author: anna, isRemote: false, at: 0 }
const text = (doc: Y.Doc) => doc.getText('text').toString()

/** Two updates of which the second builds on the first. */
function twoUpdates(): [Uint8Array, Uint8Array] {
  const client = new Y.Doc()
  const updates: Uint8Array[] = []
  client.on('update', (update: Uint8Array) => updates.push(update))
  client.getText('text').insert(0, 'a')
  client.getText('text').insert(1, 'b')
  return updates as [Uint8Array, Uint8Array]
}

test('an update is in the document, with where it came from', () => {
  const doc = new Y.Doc()
  const heard: unknown[] = []
  doc.on('update', (_update: Uint8Array, from: unknown) => heard.push(from))
  for (const update of twoUpdates()) expect(integrateUpdate(doc, update, origin)).toBeUndefined()
  expect(text(doc)).toBe('ab')
  expect(heard).toEqual([origin, origin])
})

test('bytes that are no update are refused and change nothing', () => {
  const doc = new Y.Doc()
  expect(integrateUpdate(doc, new Uint8Array([1, 2, 3]), origin)).toBe('That is no update of a document')
  expect(Y.encodeStateAsUpdate(doc)).toEqual(Y.encodeStateAsUpdate(new Y.Doc()))
})

test('what builds on updates that are not here is refused and forgotten', () => {
  const doc = new Y.Doc()
  const [first, second] = twoUpdates()
  expect(integrateUpdate(doc, second, origin)).toBe('The update builds on updates that are not here: sync first')
  expect(integrateUpdate(doc, first, origin)).toBeUndefined()
  // kept, the second would be here now although whoever sent it was told that it is not
  expect(text(doc)).toBe('a')
  expect(integrateUpdate(doc, second, origin)).toBeUndefined()
  expect(text(doc)).toBe('ab')
})
