// @vitest-environment happy-dom
import type { SharedArtifact } from '@coherex/contract'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { SharedView } from './shared-view.tsx'

const isCreate = ({ method }: { method: string }) => method.toLowerCase() === 'post'

test.each([
  ['a conversation', { threadId: 'thr_1' }, 'conversation', '/api/v1/shares?threadId=thr_1&limit=50'],
  ['a file', { workspaceId: 'wsp_1', path: 'a.py' }, 'file', '/api/v1/shares?workspaceId=wsp_1&path=a.py&limit=50'],
] as const)('ShareDialog makes and lists links to %s', async (_, of, noun, listed) => {
  const page = await openPage(<ShareDialog of={of} noun={noun} title="Shown" onClose={() => undefined} />)
  const [list] = page.takeRequests()
  expect(list?.path).toBe(listed)
  await list?.answer(200, { items: [], nextCursor: null })
  await page.press(page.button('Create link'))
  const create = page.takeRequests().find(isCreate)
  expect(create?.body).toEqual({ ...of, title: 'Shown', reach: 'team', mode: 'view', isListed: false })
})

const shared: SharedArtifact = {
  ...{ title: 'Plan', kind: 'thread', language: 'markdown', mode: 'run', expiresAt: null, sharedBy: 'Olga' },
  ...{ version: 1, code: '', versions: [], run: null },
  messages: [
    { role: 'user', by: 'Olga', text: 'How many?', createdAt: '2026-01-01T00:00:00.000Z' },
    { role: 'assistant', by: 'coder', text: '```js title="Sum"\n1 + 1\n```', createdAt: '2026-01-01T00:00:01.000Z' },
  ],
}

test('SharedView shows what was said in a conversation, with code that runs only where that was allowed', async () => {
  vi.stubGlobal('Worker', class {})
  const runs = () => [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Run').length
  await openPage(<SharedView shared={shared} onVersion={() => undefined} />)
  const articles = [...document.querySelectorAll('article')].map((one) => one.getAttribute('aria-label'))
  expect(articles).toEqual(['Message of Olga', 'Answer of coder'])
  expect(runs()).toBe(1)
  await openPage(<SharedView shared={{ ...shared, mode: 'view' }} onVersion={() => undefined} />)
  expect(runs()).toBe(1)
})
