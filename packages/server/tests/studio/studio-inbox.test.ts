import { routes } from '@coherex/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startKillableServer, type KillableServer } from '../harness/killable-server.ts'
import { startCounter, type Counter } from '../harness/load/counter.ts'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from '../harness/outside/chat-server.ts'
import { invitePerson, setUpOwner } from '../harness/test-server.ts'

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
    const colleague = await invitePerson(server.process, olga, { role: 'admin', name: 'Bob Babbage' })
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

  const asked = (page: Page) => page.getByRole('region', { name: 'announcer asks', exact: true })
  const inbox = (page: Page) => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: /^Inbox/ })
  const say = async (text: string) => {
    // its last words are there a moment before its turn is over, and until then nothing is sent
    await ours.getByRole('button', { name: 'Send' }).waitFor()
    await ours.getByRole('textbox', { name: 'Message' }).fill(text)
    await ours.keyboard.press('Enter')
  }
  /** A key of the inbox, once what it acts on is there to be read. */
  const key = async (name: string, about: string) => {
    await asked(theirs).getByText(about).waitFor()
    // a key that bounces decides nothing
    await theirs.waitForTimeout(500)
    await theirs.keyboard.press(name)
  }

  test(
    'waits in the inbox of a colleague through a restart, and posts once when they press a',
    { timeout: 120_000 },
    async () => {
      await Promise.all([ours.goto('/threads?agent=announcer'), theirs.goto('/')])
      await say('Tell them that version 2 is out')
      await asked(ours).getByText('/announce').waitFor({ timeout: 60_000 })
      await ours.getByText('Waiting for a person').waitFor()
      await expectAccessible(ours)
      const { id } = await server.call(routes.threads.create, { body: { agent: 'announcer' } })
      const body = { text: 'And now our secret' }
      await server.call(routes.threads.turn, { params: { id }, query: { wait: 'false' }, body })
      // nobody told Bob of the conversations: every page of his says how much waits
      await expect.poll(() => theirs.title(), { timeout: 30_000 }).toBe('(2) Home · Coherex')
      expect(await inbox(theirs).innerText()).toContain('2')

      await server.killNow()
      await server.startAgain({ isWhereItWas: true })
      expect(counter.received).toEqual([])

      await inbox(theirs).click()
      await key('j', 'our secret')
      await asked(theirs)
        .getByText(/works for Olga Owner/)
        .waitFor()
      await expectAccessible(theirs)
      await key('a', `version 2 is out' ${counter.url}/announce`)
      // the next one is open, and nothing was decided for it
      await asked(theirs).getByText('our secret').waitFor()
      await expect.poll(() => theirs.title()).toBe('(1) Inbox · Coherex')

      // nobody touched the first page since
      await ours.getByText('It is posted.').waitFor({ timeout: 60_000 })
      await expect.poll(() => asked(ours).count()).toBe(0)
      expect(counter.received).toEqual([{ method: 'POST', path: '/announce', body: 'version 2 is out' }])
    },
  )

  test('hears why not, and posts nothing', { timeout: 120_000 }, async () => {
    await key('r', 'our secret')
    await theirs.getByLabel(/^Why not/).press('Escape')
    // whoever thought better of it is where they were
    await expect.poll(() => theirs.evaluate('document.activeElement?.textContent')).toBe('Reject')
    await theirs.keyboard.press('Enter')
    await theirs.getByLabel(/^Why not/).fill('It is a secret')
    await expectAccessible(theirs)
    await theirs.keyboard.press('Enter')
    await theirs.getByText('Nothing waits for you').waitFor({ timeout: 30_000 })
    expect(await theirs.title()).toBe('Inbox · Coherex')
    const told = () => JSON.stringify(chat.requests.findLast(({ tools }) => tools.length > 0)?.messages.at(-1))
    await expect.poll(told, { timeout: 30_000 }).toContain('Bob Babbage rejected it: It is a secret')
    expect(counter.received).toHaveLength(1)
    await theirs.getByRole('radio', { name: 'History' }).click()
    await theirs
      .getByRole('row', { name: /rejected/ })
      .getByText('It is a secret')
      .waitFor()
    await theirs.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => theirs.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible(theirs)
  })

  test(
    'asks no more in a conversation where someone said so, until that is taken back',
    { timeout: 120_000 },
    async () => {
      await say('Tell them once more')
      await asked(ours).getByRole('checkbox').click()
      await asked(ours).getByRole('button', { name: 'Approve' }).click()
      await expect.poll(() => counter.received.length, { timeout: 30_000 }).toBe(2)
      await say('And again')
      await expect.poll(() => counter.received.length, { timeout: 30_000 }).toBe(3)
      await ours.getByRole('button', { name: 'More', exact: true }).click()
      await ours.getByRole('menuitem', { name: 'Standing approvals' }).click()
      await ours.getByText('announcer uses bash for Olga Owner').waitFor()
      await expectAccessible(ours)
      await ours.getByRole('button', { name: 'Ask again before bash' }).click()
      await ours.getByText('No standing approvals.').waitFor()
      await ours.keyboard.press('Escape')
      await say('One more')
      // on a phone the item has the screen to itself, and the list is a step back
      await theirs.goto('/approvals')
      await theirs.getByRole('link', { name: /announcer asks to use bash/ }).click()
      await asked(theirs).getByText('version 2 is out').waitFor({ timeout: 30_000 })
      await expect.poll(() => theirs.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await expectAccessible(theirs)
      await asked(theirs).getByRole('button', { name: 'Reject' }).click()
      await theirs.getByRole('button', { name: 'Reject' }).click()
      await theirs.getByText('Nothing waits for you').waitFor()
      expect(counter.received).toHaveLength(3)
    },
  )

  test(
    'is asked about where the team says so: an admin chooses that, an editor sees it',
    { timeout: 120_000 },
    async () => {
      const rule = (page: Page) => page.getByRole('combobox', { name: 'When people are asked before fetch' })
      await ours.goto('/settings/approval-rules')
      await rule(ours).click()
      await ours.getByRole('option', { name: 'Every time' }).click()
      await expect.poll(() => server.call(routes.approvals.rules, {})).toEqual({ rules: { fetch: 'always' } })
      const bob = (await server.call(routes.teams.listMembers, {})).items.find(
        ({ person }) => person.name === 'Bob Babbage',
      )
      const params = { personId: bob?.person.id ?? '' }
      await server.call(routes.teams.changeRole, { params, body: { role: 'editor' } })
      await theirs.goto('/settings/approval-rules')
      await rule(theirs).getByText('Every time').waitFor()
      expect(await rule(theirs).isDisabled()).toBe(true)
      await expectAccessible(theirs)
    },
  )
})
