// Conversations in Debian's Chromium: the first word of an answer, and a thread of 200 messages opened and typed in.
// Run: npm run bench -- chat
import type { Page } from 'playwright-core'
import { createClient, routes } from '../packages/contract/src/index.ts'
import { startChatServer } from '../packages/server/tests/harness/outside/chat-server.ts'
import { makeDataDirectory, startBenchServer, type BenchServer } from './bench-server.ts'
import { median, type Row } from './measure.ts'
import { openBrowser, setUp } from './studio.ts'

const messageCount = 200
const rounds = 7
const keys = 120
const thinksMs = 500

export async function benchChat(): Promise<Row[]> {
  const chat = await startChatServer()
  const spokeAt: number[] = []
  chat.answer(async ({ tools }) => {
    if (tools.length === 0) return { text: 'A title' }
    await new Promise((done) => setTimeout(done, thinksMs))
    spokeAt.push(Date.now())
    return { text: `word${spokeAt.length} and more` }
  })
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path, { COHEREX_COMPATIBLE_BASE_URL: chat.url })
  const browser = await openBrowser(server.url, await setUp(server))
  try {
    const page = browser.pages()[0] ?? (await browser.newPage())
    const first: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await page.goto(`${server.url}/threads`)
      await page.getByRole('textbox', { name: 'Message' }).fill('Say a word')
      await page.waitForTimeout(500)
      const seen = watchFor(page, `word${round}`)
      await page.keyboard.press('Enter')
      first.push((await seen) - (spokeAt[round - 1] ?? 0))
    }
    const address = `${server.url}/threads/${await makeLongThread(server)}`
    const opened: number[] = []
    for (let round = 0; round < rounds; round++) {
      await page.goto('about:blank')
      const began = performance.now()
      await page.goto(address)
      await page.getByText(`Words of message ${messageCount - 1}.`).waitFor()
      opened.push(performance.now() - began)
    }
    return [
      row("first word in the page after the model's own, p50", median(first), 300),
      row(`thread of ${messageCount} messages, opened`, median(opened), 1000),
      row(`key in a thread of ${messageCount} messages, script and layout, p95`, await typeInto(page), 20),
    ]
  } finally {
    await browser.close()
    await server.stop()
    await directory.remove()
    await chat.stop()
  }
}

const row = (what: string, value: number, most: number): Row => ({
  ...{ what, value, unit: 'ms', goal: `≤ ${most}`, reached: value <= most },
})

/** When a word stands in the page; page and model are on one clock. */
async function watchFor(page: Page, word: string): Promise<number> {
  const handle = await page.waitForFunction(
    (wanted) => {
      const { document } = globalThis as unknown as { document: { body: { textContent: string } } }
      return document.body.textContent.includes(wanted) && Date.now()
    },
    word,
    { polling: 'raf' },
  )
  return (await handle.jsonValue()) as number
}

async function makeLongThread(server: BenchServer): Promise<string> {
  const call = createClient({ baseUrl: server.url, fetch, key: server.key })
  const code = '```python\nfor n in range(10):\n    print(n)\n```'
  const messages = Array.from({ length: messageCount }, (_, at) => ({
    ...{ id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}`, createdAt: '2026-01-01T00:00:00.000Z' },
    ...{ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), createdBy: 'Ann' },
    parts: [{ type: 'text' as const, text: `Words of message ${at}.${at % 2 === 0 ? '' : `\n\n${code}`.repeat(3)}` }],
  }))
  const body = { kind: 'coherex-thread' as const, version: 1 as const, agent: 'coder', title: 'Long', messages }
  const { id } = await call(routes.threads.import, { body })
  await call(routes.threads.change, { params: { id }, body: { reach: 'team' } })
  return id
}

/** From the key to the end of the script and layout that it causes. */
async function typeInto(page: Page): Promise<number> {
  await page.getByRole('textbox', { name: 'Message' }).click()
  await page.waitForTimeout(2_000)
  // as text: browsers have names that are not known here
  await page.evaluate(`{
    globalThis.seen = []
    const { port1, port2 } = new MessageChannel()
    let began = 0
    document.addEventListener('keydown', () => (began = performance.now()), { capture: true })
    // a message comes once React has drawn what was typed; reading a size lays the page out
    document.addEventListener('input', () => port2.postMessage(0))
    port1.addEventListener('message', () => {
      if (document.body.offsetHeight > 0) seen.push(performance.now() - began)
    })
    port1.start()
  }`)
  await page.keyboard.type('k'.repeat(keys), { delay: 60 })
  await page.waitForTimeout(500)
  const seen = await page.evaluate<number[]>('seen')
  if (seen.length !== keys) throw new Error(`${seen.length} of ${keys} keys reached the page`)
  return seen.toSorted((one, other) => one - other)[Math.ceil(keys * 0.95) - 1] ?? Infinity
}
