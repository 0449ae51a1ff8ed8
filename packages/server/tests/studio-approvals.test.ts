import { routes } from '@coherex/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from './harness/chat-server.ts'
import { expectAccessible, hasChromium, launchChromium, openWindow } from './harness/chromium.ts'
import { startCounter, type Counter } from './harness/counter.ts'
import { startKillableServer, type KillableServer } from './harness/killable-server.ts'
import { invitePerson, setUpOwner } from './harness/test-server.ts'

describe.skipIf(!hasChromium)('an agent that wants to post', () => {
  let chat: ChatServer
  let counter: Counter
  let server: KillableServer
  let browser: Browser
  let ours: Page
  let theirs: Page

  beforeAll(async () => {
    ;[chat, counter] = await Promise.all([startChatServer(), startCounter()])
    chat.answer(postWhatIsAsked)
    ;[server, browser] = await Promise.all([
      startKillableServer({
        COHEREX_COMPATIBLE_BASE_URL: chat.url,
        COHEREX_ALLOW_PRIVATE: counter.hostPort,
        COHEREX_WARM: 'false',
        COHEREX_LOG_LEVEL: 'error',
      }),
      launchChromium(),
    ])
    const olga = await setUpOwner(server.process)
    const colleague = await invitePerson(server.process, olga, { role: 'editor', name: 'Bob Babbage' })
    const { url } = server.process
    ours = await openWindow(browser, url, { person: olga })
    theirs = await openWindow(browser, url, { person: colleague, colorScheme: 'dark' })
    const source = [
      'kind: agent',
      'name: announcer',
      'description: Tells the world',
      'instructions: Post what you are told.',
      'tools: [bash]',
      `network: { allow: ["${counter.url}/"] }`,
      'approvals: { bash: always }',
    ]
    const { status } = await server.call(routes.agents.create, { body: { source: source.join('\n') } })
    expect(status).toBe('active')
  })
  afterAll(async () => {
    await browser.close()
    await server.remove()
    await chat.stop()
    counter.stop()
  })

  function postWhatIsAsked({ messages, tools }: ChatRequest): ChatReply {
    if (tools.length === 0) return { text: 'An announcement' }
    const last = messages.at(-1)
    if (last?.role !== 'tool') {
      const text = JSON.stringify(last?.content).includes('secret') ? 'our secret' : 'version 2 is out'
      const command = `curl -s -d '${text}' ${counter.url}/announce`
      return { calls: [{ name: 'bash', arguments: { command } }] }
    }
    return { text: JSON.stringify(last.content).includes('counted /announce') ? 'It is posted.' : 'Then I will not.' }
  }

  const asked = (page: Page) => page.getByRole('region', { name: 'announcer asks' })
  const waiting = (page: Page) => page.getByRole('link', { name: /^Approvals/ })
  const say = async (text: string) => {
    // its last words are there a moment before its turn is over, and until then nothing is sent
    await ours.getByRole('button', { name: 'Send' }).waitFor()
    await ours.getByRole('textbox', { name: 'Message' }).fill(text)
    await ours.keyboard.press('Enter')
  }

  test(
    'waits for a person through a restart, and posts once when somebody else approves it',
    { timeout: 120_000 },
    async () => {
      await Promise.all([ours.goto('/threads?agent=announcer'), theirs.goto('/')])
      await say('Tell them that version 2 is out')
      await asked(ours).getByText('/announce').waitFor({ timeout: 60_000 })
      await ours.getByText('Waiting for a person').waitFor()
      await expectAccessible(ours)
      // nobody told Bob of the conversation: every page of his says that something waits
      await expect.poll(() => waiting(theirs).innerText()).toContain('1')

      await server.killNow()
      await server.startAgain({ isWhereItWas: true })
      expect(counter.received).toEqual([])

      await waiting(theirs).click()
      await asked(theirs)
        .getByText(/works for Olga Owner/)
        .waitFor()
      await asked(theirs)
        .getByRole('region', { name: 'Arguments' })
        .getByText(`version 2 is out' ${counter.url}/announce`)
        .waitFor()
      await expectAccessible(theirs)
      await asked(theirs).getByRole('button', { name: 'Approve' }).click()
      const rows = theirs.getByRole('table', { name: 'All questions' }).locator('tbody tr')
      await rows.filter({ hasText: 'approved' }).filter({ hasText: 'Bob Babbage' }).waitFor()
      await theirs.getByText('Nothing waits for an answer').waitFor()
      await expect.poll(() => waiting(theirs).innerText()).not.toContain('1')

      // nobody touched the first page since
      await ours.getByText('It is posted.').waitFor({ timeout: 60_000 })
      await expect.poll(() => asked(ours).count()).toBe(0)
      expect(counter.received).toEqual([{ method: 'POST', path: '/announce', body: 'version 2 is out' }])
    },
  )

  test('hears why not, and posts nothing', { timeout: 120_000 }, async () => {
    await say('And now our secret')
    await asked(theirs).getByText('our secret').waitFor({ timeout: 30_000 })
    await asked(theirs).getByRole('button', { name: 'Reject' }).click()
    await theirs.getByLabel(/^Why not/).press('Escape')
    // whoever thought better of it is where they were
    await expect.poll(() => theirs.evaluate('document.activeElement?.textContent')).toBe('Reject')
    await theirs.keyboard.press('Enter')
    await theirs.getByLabel(/^Why not/).fill('It is a secret')
    await expectAccessible(theirs)
    await theirs.keyboard.press('Enter')
    await ours.getByText('Then I will not.').waitFor({ timeout: 30_000 })
    const last = chat.requests.findLast(({ tools }) => tools.length > 0)
    expect(JSON.stringify(last?.messages.at(-1))).toContain('Bob Babbage rejected it: It is a secret')
    expect(counter.received).toHaveLength(1)
    await theirs
      .getByRole('row', { name: /rejected/ })
      .getByText('It is a secret')
      .waitFor()
    await theirs.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => theirs.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible(theirs)
  })

  test(
    'is asked about where the team says so: an admin chooses that, an editor sees it',
    { timeout: 120_000 },
    async () => {
      const rule = (page: Page) => page.getByRole('combobox', { name: 'When people are asked before fetch' })
      // the list at the top comes last, and does not push down what one is about to press
      const rest = Promise.all(
        [/v1\/approvals(\?(?!.*pending).*)?$/, /v1\/approvals\/rules$/].map((path) => ours.waitForResponse(path)),
      )
      const drawn = () =>
        ours.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      await ours.route(/v1\/approvals\?.*status=pending(?!.*limit=9)/, async (route) => {
        await rest
        await drawn()
        await route.continue()
      })
      await ours.goto('/approvals')
      const place = () => rule(ours).boundingBox()
      await rule(ours).waitFor()
      const first = await place()
      await ours.getByText('Nothing waits for an answer').waitFor()
      await ours.getByRole('table', { name: 'All questions' }).locator('tbody tr').first().waitFor()
      await drawn()
      expect(await place()).toEqual(first)
      await ours.unrouteAll()
      await rule(ours).click()
      await ours.getByRole('option', { name: 'Every time' }).click()
      await expect.poll(() => server.call(routes.approvals.rules, {})).toEqual({ rules: { fetch: 'always' } })
      await theirs.goto('/approvals')
      await rule(theirs).getByText('Every time').waitFor()
      expect(await rule(theirs).isDisabled()).toBe(true)
      await expectAccessible(theirs)
    },
  )
})
