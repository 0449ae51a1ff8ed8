import { afterEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ShadowDocument } from './shadow-document.ts'
import { UpdateChecker } from './update-checker.ts'

const checkers: UpdateChecker[] = []
afterEach(async () => {
  for (const checker of checkers.splice(0)) await checker.close()
})

const client = 7
const known = { clients: [client], blobs: [] }

function updateOf(change: (doc: Y.Doc) => void, base?: Y.Doc): Uint8Array {
  const doc = new Y.Doc()
  if (base) Y.applyUpdate(doc, Y.encodeStateAsUpdate(base))
  doc.clientID = client
  const before = Y.encodeStateVector(doc)
  change(doc)
  return Y.encodeStateAsUpdate(doc, before)
}

test('check() ends the thread of an update that takes too long, and the next update is checked all the same', async () => {
  const checker = new UpdateChecker({ deadlineMs: 40, budgetMs: 60_000 })
  checkers.push(checker)
  const doc = new Y.Doc()
  const slow = updateOf((one) => {
    one.transact(() => {
      for (let at = 0; at < 60_000; at++) one.getText('text:a').insert(0, 'x')
    })
  })
  expect(await checker.check('a', doc, slow, known)).toMatchObject({
    kind: 'refused',
    reason: 'The update takes too long to apply',
  })
  const again = updateOf((one) => one.getText('text:a').insert(0, 'x'))
  await expect.poll(() => checker.check('a', doc, again, known)).toEqual({ kind: 'fine' })
})

test('check() counts what the update computes, not what its document takes to load', async () => {
  const checker = new UpdateChecker({ deadlineMs: 40, budgetMs: 40 })
  checkers.push(checker)
  const doc = new Y.Doc()
  doc.transact(() => {
    for (let at = 0; at < 200_000; at++) doc.getText('text:a').insert(0, 'x')
  })
  const update = updateOf((one) => one.getText('text:b').insert(0, 'x'))
  expect(await checker.check('a', doc, update, known)).toEqual({ kind: 'fine' })
})

test('check() asks whose a client is before it tries the update', () => {
  const shadow = new ShadowDocument(Y.encodeStateAsUpdate(new Y.Doc()), 1000)
  const update = updateOf((doc) => doc.getText('text:a').insert(0, 'x'))
  expect(shadow.check(update, { clients: [], blobs: [] })).toEqual({ kind: 'asks', clients: [client], blobs: [] })
  expect(shadow.check(update, known)).toEqual({ kind: 'fine' })
})

test('a document holds 10 MB of text, and at the limit whoever takes some away may add some', () => {
  const full = new Y.Doc()
  for (let at = 0; at < 10; at++) full.getText(`text:${at}`).insert(0, 'x'.repeat(at === 9 ? 999_990 : 1_000_000))
  const shadow = () => new ShadowDocument(Y.encodeStateAsUpdate(full), 10_000)
  const added = (count: number, taken = 0) =>
    updateOf((doc) => {
      if (taken > 0) doc.getText('text:0').delete(0, taken)
      doc.getText('text:more').insert(0, 'y'.repeat(count))
    }, full)
  expect(shadow().check(added(10), known)).toEqual({ kind: 'fine' })
  expect(shadow().check(added(11), known)).toMatchObject({ kind: 'refused', code: 'too_large' })
  expect(shadow().check(added(100, 100), known)).toEqual({ kind: 'fine' })
})

test('an item between two texts is refused: it would belong to one of them by chance', () => {
  const base = new Y.Doc()
  base.getText('text:a').insert(0, 'a')
  base.getText('text:b').insert(0, 'b')
  const bytes = (value: number) => {
    const out: number[] = []
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      if (rest < 128) return [...out, rest]
      out.push((rest % 128) | 128)
    }
  }
  const own = bytes(base.clientID)
  // one string with an origin in the first text and a right origin in the second
  const update = Uint8Array.from([1, 1, client, 0, 0xc4, ...own, 0, ...own, 1, 1, 120, 0])
  const shadow = new ShadowDocument(Y.encodeStateAsUpdate(base), 1000)
  expect(shadow.check(update, known)).toMatchObject({
    kind: 'refused',
    reason: 'An item of the update is in two places',
  })
})
