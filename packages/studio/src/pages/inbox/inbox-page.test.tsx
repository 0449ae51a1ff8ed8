// @vitest-environment happy-dom
import type { Approval, InboxItem } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { openPage, type AskedRequest, type OpenPage } from '../../../tests/open-page.tsx'
import { InboxPage } from './inbox-page.tsx'

const at = '2026-01-01T00:00:00.000Z'
const idOf = (n: number) => `apr_0000000000000000000000000${n}`

function itemOf(n: number, given: Partial<InboxItem> = {}): InboxItem {
  return {
    ...{ id: idOf(n), kind: 'approval', title: `coder asks to use bash ${n}`, summary: 'ls', at, url: '', count: 1 },
    ...{ by: { kind: 'agent', name: 'coder' }, where: { agent: 'coder' }, isDismissible: false, ...given },
  }
}

const approvalOf = (id: string): Approval => ({
  ...{ id, kind: 'call', reason: `Asked as ${id}`, status: 'pending', agent: 'coder', threadId: 'thr_1' },
  ...{
    turnId: 'turn_1',
    callId: 'call_1',
    via: [],
    tool,
    input: {},
    shownInput: `command: ls ${id}`,
    hash: id,
  },
  ...{ requestedBy: { id: 'per_1', name: 'Olga' }, createdAt: at, expiresAt: at, decidedBy: null, decidedAt: null },
  ...{ note: null, usedAt: null, mayStand: true },
})

const failed = itemOf(3, { id: 'turn_00000000000000000000000003', kind: 'given-up-turn', isDismissible: true })

let page: OpenPage
let router: ReturnType<typeof createTestRouter>
let waiting: InboxItem[]
let posted: Pick<AskedRequest, 'path' | 'body'>[]
/** What the page waits for: what a call would do to files. */
let held: AskedRequest[]
let tool: string

function createTestRouter() {
  const root = createRootRoute()
  const inbox = createRoute({ getParentRoute: () => root, path: '/inbox', component: InboxPage })
  const item = createRoute({ getParentRoute: () => inbox, path: '/$id' })
  return createRouter({
    routeTree: root.addChildren([inbox.addChildren([item])]),
    history: createMemoryHistory({ initialEntries: ['/inbox'] }),
  })
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  Element.prototype.scrollIntoView = () => undefined
  waiting = [itemOf(1), itemOf(2), failed]
  posted = []
  held = []
  tool = 'bash'
  router = createTestRouter()
  page = await openPage(<RouterProvider router={router as never} />)
  await settle()
  return () => vi.useRealTimers()
})

/** Answers what the page asks until it asks nothing more. */
async function settle() {
  for (let quiet = 0; quiet < 3;) {
    const requests = page.takeRequests()
    quiet = requests.length === 0 ? quiet + 1 : 0
    held.push(...requests.filter(({ path }) => path.endsWith('/change')))
    for (const { method, path, body, answer } of requests.filter((one) => !held.includes(one))) {
      if (method === 'GET' && path.startsWith('/api/v1/inbox')) await answer(200, { items: waiting, nextCursor: null })
      else if (method === 'GET') await answer(200, approvalOf(path.split('/').at(-1) ?? ''))
      else {
        posted.push({ path, body })
        waiting = waiting.filter(({ id }) => !path.includes(id))
        await (path.endsWith('/dismiss') ? answer(204) : answer(200, {}))
      }
    }
    await act(async () => new Promise((done) => setTimeout(done)))
  }
}

/** A key after someone has had the time to read. */
async function key(name: string, { afterMs = 2_000, on = document.body as Element } = {}) {
  vi.advanceTimersByTime(afterMs)
  await act(async () => {
    on.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
  })
  await settle()
}

const openId = () => decodeURIComponent(router.state.location.pathname.replace(/^\/inbox\/?/, ''))

test('the first item is open, and j and k move within the list', async () => {
  expect(openId()).toBe(idOf(1))
  await key('k')
  expect(openId()).toBe(idOf(1))
  await key('j')
  await key('j')
  await key('j')
  expect(openId()).toBe(failed.id)
  await key('k')
  expect(openId()).toBe(idOf(2))
  expect(document.body.textContent).toContain(`Asked as ${idOf(2)}`)
})

test('a approves exactly what is shown, and the next item is open', async () => {
  await key('a')
  expect(posted).toEqual([{ path: `/api/v1/approvals/${idOf(1)}`, body: { decision: 'approve', hash: idOf(1) } }])
  expect(openId()).toBe(idOf(2))
  // the key that bounced, and a place to go to
  await key('a', { afterMs: 100 })
  await key('g')
  await key('a', { afterMs: 200 })
  expect(posted).toHaveLength(1)
})

test('r asks why not, and keys in that field are text', async () => {
  await key('r')
  const field = page.field('Why not (optional)')
  await key('a', { on: field })
  await key('j', { on: field })
  expect([posted, openId()]).toEqual([[], idOf(1)])
  await page.type(field, 'Not now')
  await page.press(page.button('Reject'))
  await settle()
  expect(posted[0]?.body).toEqual({ decision: 'reject', hash: idOf(1), note: 'Not now' })
  expect(openId()).toBe(idOf(2))
})

test('e dismisses a failure only, and what is decided at the end of the list leads to the one before', async () => {
  await key('e')
  expect(posted).toEqual([])
  await key('j')
  await key('j')
  await key('e')
  expect(posted).toEqual([{ path: `/api/v1/inbox/${failed.id}/dismiss`, body: undefined }])
  expect(openId()).toBe(idOf(2))
})

test('a approves no change of a file that is still being compared', async () => {
  tool = 'write_file'
  await key('j')
  await key('a')
  expect([posted, held.length]).toEqual([[], 1])
  await held[0]?.answer(200, {
    workspaceId: null,
    items: [],
    problem: 'There is no such file',
    outcome: 'fails',
    changedSince: null,
  })
  await key('a')
  expect(posted).toHaveLength(1)
})
