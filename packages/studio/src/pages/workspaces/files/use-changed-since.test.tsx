// @vitest-environment happy-dom
import type { WorkspaceFile } from '@coherex/contract'
import { afterEach, expect, test } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { useChangedSince } from './use-changed-since.ts'

afterEach(() => localStorage.clear())

const file = (path: string, version: number): WorkspaceFile => ({ path, kind: 'text', size: 1, hash: path, version })
const files = [file('old.txt', 3), file('mine.txt', 5), file('theirs.txt', 6), file('open.txt', 7)]

function Marks() {
  const marks = useChangedSince({ workspaceId: 'wsp_1', files, version: 7, path: 'open.txt' })
  return <p>{[...marks].map(([path, words]) => `${path}: ${words}`).join('; ')}</p>
}

test('useChangedSince() marks files that others changed since the last visit, until they are opened', async () => {
  localStorage.setItem('coherex.seen.wsp_1', '4')
  const page = await openPage(<Marks />)
  const version = (number: number, id: string, name: string) => ({
    ...{ number, author: { kind: 'person', id, name, door: 'studio' }, at: new Date().toISOString() },
    ...{ coauthors: [], changes: [], changeCount: 0, tags: [], message: null },
  })
  const items = [version(7, 'per_2', 'Ada'), version(6, 'per_2', 'Ada'), version(5, 'per_1', 'Olga Owner')]
  await page.takeRequests()[0]?.answer(200, { items, nextCursor: null })
  expect(document.querySelector('p')?.textContent).toBe('theirs.txt: Changed by Ada, now')
  expect(localStorage.getItem('coherex.seen.wsp_1')).toBe('7')
})

test('useChangedSince() marks nothing on a first visit', async () => {
  const page = await openPage(<Marks />)
  expect(page.takeRequests()).toEqual([])
  expect(document.querySelector('p')?.textContent).toBe('')
})
