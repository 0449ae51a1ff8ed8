import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 180_000 }
const slow = 'import time\nfor n in range(600):\n    print(f"line {n}", flush=True)\n    time.sleep(0.5)\n'
// only the first run asks for the network, which is not there: the second proves that the code ran again
const needsNetwork = `import urllib.request
kept = [*globals().get('kept', []), 1]
if len(kept) == 1: urllib.request.urlopen('https://api.example.com/x')
print('allowed', 'now')`

/** What the model does, by what it was asked last. */
function answer({ messages, tools }: ChatRequest): ChatReply {
  if (tools.length === 0) return { text: 'A talk' }
  const last = messages.findLastIndex(({ role }) => role === 'user')
  if (messages.slice(last).some(({ role }) => role === 'tool')) return { text: 'That is it.' }
  const question = JSON.stringify(messages[last]?.content)
  const run = (language: string, code: string) => ({ calls: [{ name: 'run_code', arguments: { language, code } }] })
  if (question.includes('print slowly')) return run('python', slow)
  if (question.includes('fetch')) return run('python', needsNetwork)
  if (question.includes('clean up'))
    return { calls: [{ name: 'bash', arguments: { command: 'echo once >> count.txt' } }] }
  return { text: 'Fine.' }
}

describe.skipIf(!hasChromium)('chat in the studio', () => {
  let chat: ChatServer
  let studio: Studio
  let page: Page

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(answer)
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    page = studio.page
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const say = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  test('a long conversation opens at its end, and Jump to latest leads back to it', story, async () => {
    const said = (at: number) => ({
      ...{ id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}`, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), createdBy: 'Ann' },
      parts: [{ type: 'text' as const, text: `Words of message ${at}.\n\nAnd more of them.` }],
    })
    const { id } = await studio.owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Long' },
        messages: Array.from({ length: 200 }, (_, at) => said(at)),
      },
    })
    await page.goto(`/threads/${id}`)
    const log = page.getByRole('log')
    const jump = page.getByRole('button', { name: 'Jump to latest' })
    await log.getByText('Words of message 199.').waitFor()
    expect(await jump.count()).toBe(0)
    await log.hover()
    await page.mouse.wheel(0, -2_000)
    await jump.click()
    await jump.waitFor({ state: 'detached' })
    const below = () => log.evaluate((shown) => shown.scrollHeight - shown.scrollTop - shown.clientHeight)
    await expect.poll(below).toBeLessThan(5)
  })

  test('files are attached by dropping and by pasting them', story, async () => {
    await page.goto('/threads')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.waitFor()
    for (const [event, name] of [
      ['drop', 'dropped.csv'],
      ['paste', 'pasted.txt'],
    ] as const) {
      const carried = await page.evaluateHandle(`(() => {
        const data = new DataTransfer()
        data.items.add(new File(['a,b'], '${name}'))
        return data
      })()`)
      if (event === 'drop') await box.dispatchEvent('drop', { dataTransfer: carried })
      else {
        await box.evaluate((area, data) => {
          const { ClipboardEvent } = globalThis as unknown as { ClipboardEvent: new (...given: unknown[]) => unknown }
          const pasted = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          ;(area as unknown as { dispatchEvent(given: unknown): void }).dispatchEvent(pasted)
        }, carried as never)
      }
      await page.getByRole('list', { name: 'Attached files' }).getByText(name).waitFor()
    }
    await expect.poll(() => page.getByText('3 B · to the sandbox').count()).toBe(2)
    await say('Look at both')
    await page.getByRole('link', { name: /dropped\.csv/ }).waitFor()
    await page.getByRole('link', { name: /pasted\.txt/ }).waitFor()
    await page.getByText('Fine.').waitFor()
  })

  test('a running call shows what it prints, and Home shows that it runs', story, async () => {
    await page.goto('/threads')
    await say('print slowly')
    await page.getByRole('region', { name: 'Live output' }).getByText('line 1', { exact: true }).waitFor()
    const address = new URL(page.url()).pathname
    await page.goto('/')
    const running = page
      .getByRole('region', { name: 'Running now' })
      .or(page.locator('section', { hasText: 'Running now' }))
    await running.getByRole('link', { name: /print slowly/ }).waitFor()
    await page.goto(address)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Olga Owner stopped it.').waitFor()
  })

  test('the fix of a call that needed the network runs its code again', story, async () => {
    await page.goto('/threads')
    await say('fetch it')
    await page.getByText(/^This \w+ has no network: it asked for api\.example\.com/).waitFor()
    await page.getByRole('button', { name: /^Allow api\.example\.com .*run again$/ }).click()
    await page.getByRole('button', { name: 'Open the run' }).first().click()
    await page.waitForURL(/\/runs\/run_/)
    await page.getByText('allowed now', { exact: true }).waitFor()
    await page.locator('header').getByText('succeeded', { exact: true }).waitFor()
  })

  test('a call that needed an approval shows on Home, and Run again asks for another one', story, async () => {
    const source = [
      'kind: agent\nname: careful\ndescription: Asks first\ninstructions: Do as told.',
      'tools: [bash]\napprovals: { bash: always }\n',
    ]
    await studio.owner.call(routes.agents.create, { body: { source: source.join('\n') } })
    await page.goto('/threads?agent=careful')
    await say('clean up')
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    await approve.waitFor()
    const address = new URL(page.url()).pathname
    await page.goto('/')
    await page
      .locator('section', { hasText: 'Needs you' })
      .getByRole('link', { name: /careful/ })
      .first()
      .waitFor()
    await page.goto(address)
    await approve.click()
    await page.getByText('That is it.').waitFor()

    await page.goto('/executions?kind=run')
    const row = page.getByRole('row').filter({ hasText: 'echo once' })
    await row.getByRole('button', { name: /^Actions for this/ }).click()
    await page.getByRole('menuitem', { name: 'Run again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run this again?' })
    await dialog.getByText('careful needed an approval for bash').waitFor()
    await dialog.getByText('needed: by running it you approve it').waitFor()
    await dialog.getByText('echo once >> count.txt').waitFor()
    await dialog.getByText(/^the sandbox .*, with the files and variables it has now$/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Run again', exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Approve and run' }).click()
    await page.waitForURL(/run_/)
    await page.getByText('Retry of').waitFor()
  })
})
