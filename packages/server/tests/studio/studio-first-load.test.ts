import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

let chat: ChatServer
let studio: Studio
let workspaceId: string
beforeAll(async () => {
  chat = await startChatServer()
  // with a model Home takes a message, beside the example for those who have not run anything
  studio = await openStudio({ COHEREX_WARM: 'false', COHEREX_COMPATIBLE_BASE_URL: chat.url })
  const { items } = await studio.owner.call(routes.workspaces.list, {})
  workspaceId = items[0]?.id ?? ''
})
afterAll(async () => {
  await studio.close()
  await chat.stop()
})

const quietMs = 4_000

/** The JavaScript that a new browser fetches for a page until it rests, in KB as sent. */
async function fetchedKb(path: string): Promise<number> {
  const page = await studio.openWindow({ person: studio.owner })
  let bytes = 0
  const sizes: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    sizes.push(
      request.sizes().then(
        ({ responseBodySize }) => void (bytes += responseBodySize),
        () => undefined, // still on its way when the window closed
      ),
    )
  })
  await page.goto(path)
  await page.waitForTimeout(quietMs)
  await Promise.all(sizes)
  await page.close()
  return bytes / 1024
}

// before they work pages take what build.test.ts allows; this is all that follows within the first seconds
test.each([
  ['Home', '/', 150],
  ['the start of Chat', '/threads', 250],
])('a browser fetches %s within its budget of JavaScript', async (_, path, kb) => {
  const fetched = await fetchedKb(path)
  expect(fetched).toBeGreaterThan(50)
  expect(fetched).toBeLessThanOrEqual(kb)
})

test('no page moves what is on it while it loads', async () => {
  const shifts: [string, number][] = []
  const paths = [
    ...['/', '/inbox', '/threads', '/workspaces', `/workspaces/${workspaceId}`, '/agents', '/tools', '/skills'],
    ...['/variables', '/executions', '/sandboxes', '/settings', '/settings/packages', '/scratch'],
  ]
  const page = await studio.openWindow({ person: studio.owner })
  for (const path of paths) {
    await page.goto(path)
    await page.evaluate(`new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
    await page.waitForTimeout(1_500)
    shifts.push([path, await page.evaluate<number>('window.shifted ?? 0')])
  }
  expect(shifts.filter(([, shift]) => shift > 0.05)).toEqual([])
})
