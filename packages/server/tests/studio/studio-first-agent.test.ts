import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

const mostClicks = 5
const mostMs = 120_000

describe.skipIf(!hasChromium)('the first agent of a new user', () => {
  let chat: ChatServer
  let server: TestServer
  let browser: Awaited<ReturnType<typeof launchChromium>>

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ tools }) => ({ text: tools.length === 0 ? 'A talk' : 'Hello from your agent.' }))
    ;[server, browser] = await Promise.all([
      startTestServer({ COHEREX_COMPATIBLE_BASE_URL: chat.url }),
      launchChromium(),
    ])
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await chat.stop()
  })

  test('is made and run in at most five clicks and two minutes', { timeout: 240_000 }, async () => {
    const page = await openWindow(browser, server.url)
    // over a reload too: the page that is left tells what it counted
    let clicks = 0
    await page.exposeFunction('tellClick', () => clicks++)
    // those that a person makes: a form that is sent by Enter clicks its button too, at no place
    await page.addInitScript(`addEventListener('click', (event) => { if (event.detail > 0) window.tellClick() }, true)`)
    const began = performance.now()
    await page.goto(server.signInPath)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('analytical engine')
    await page.getByLabel('Team name').fill('Engines')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()

    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Agent' }).click()
    await page.getByRole('dialog').getByRole('listitem').first().getByRole('link').click()
    await page.getByRole('button', { name: 'Create agent', disabled: false }).click()
    await page.waitForURL(/\/agents\/(?!new)/)
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    const message = page.getByRole('textbox', { name: 'Message', exact: true })
    await message.fill('Good morning')
    await message.press('Enter')
    await page.getByText('Hello from your agent.').waitFor()

    expect(performance.now() - began).toBeLessThan(mostMs)
    expect(clicks).toBeGreaterThan(0)
    expect(clicks).toBeLessThanOrEqual(mostClicks)
  })
})
