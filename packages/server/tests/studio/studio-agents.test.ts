import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, openWindow } from '../harness/chromium.ts'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from '../harness/outside/chat-server.ts'
import { leadTo, openStudio, type Studio } from '../harness/studio.ts'
import { startTestServer, type TestPerson } from '../harness/test-server.ts'

const story = { timeout: 180_000 }
const plot = 'import matplotlib.pyplot as plt\nplt.plot([1, 4, 9]); plt.show()'
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
const hostile = [
  'See [the **docs**](https://docs.example.org/a) or [not](javascript:alert(1)).',
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>',
  '![tracker](https://evil.example/pixel.png)',
  '| team | sold |\n|---|--:|\n| north | 12 |',
  '```python\nprint("hi")\n```',
].join('\n\n')

const wide = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(' + ')
const formulas = [
  'It is $E = mc^2$, for $5 and $10.',
  String.raw`\[ x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a} \in \mathbb{R} \]`,
  `$$\nf(x) = ${wide}\n$$`,
  String.raw`Not these: $\frac{1$, \(\href{javascript:alert(1)}{x}\) and $\text{<img src=x onerror="document.title='taken'">}$.`,
].join('\n\n')

const valid = 'kind: agent\nname: greeter\ndescription: Says hello\ninstructions: Say hello.\n'

/** What the model says, by what it was asked last. */
function answer({ messages, tools }: ChatRequest): ChatReply {
  if (tools.length === 0) return { text: 'A talk about plots' }
  const asked = messages.findLast(({ role }) => role === 'user')?.content
  const question = typeof asked === 'string' ? asked : JSON.stringify(asked)
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .filter(({ role }) => role === 'tool')
  if (question.includes('plot')) {
    if (results.length > 0) return { text: 'There is the plot.' }
    return { text: 'I will draw it.', calls: [{ name: 'run_code', arguments: { language: 'python', code: plot } }] }
  }
  if (question.includes('count slowly')) return { text: words(400), betweenMs: 100 }
  if (question.includes('count')) return { text: words(60), betweenMs: 50 }
  if (question.includes('clean up')) {
    if (results.length > 0 && question.includes('slowly')) return { text: 'Halfway there.', betweenMs: 20_000 }
    if (results.length > 0) return { text: 'All tidy now.' }
    return { calls: [{ name: 'bash', arguments: { command: 'echo cleaned' } }] }
  }
  if (question.includes('dangerous')) return { text: hostile }
  if (question.includes('formulas')) return { text: formulas }
  if (question.includes('note it down')) {
    if (results.length > 0) return { text: 'I proposed it.' }
    const content = '---\nname: count-words\ndescription: Counts words, slowly\u200B.\n---\nCount them twice.\n'
    const files = [{ path: 'SKILL.md', content }]
    return { calls: [{ name: 'propose_skill', arguments: { name: 'count-words', files, note: 'To be sure' } }] }
  }
  const proposed = /propose (kind: agent.*)/s.exec(question)?.[1]
  if (proposed) {
    return results.length > 0
      ? { text: 'I proposed it.' }
      : { calls: [{ name: 'save_agent', arguments: { source: proposed } }] }
  }
  if (question.includes('greeter')) {
    const source = results.length === 0 ? valid.replace('instructions', 'instruction') : valid
    return results.length < 2
      ? { calls: [{ name: 'draft_definition', arguments: { source } }] }
      : { text: 'The greeter is ready.' }
  }
  return { text: `You said: ${question}` }
}

describe.skipIf(!hasChromium)('agents in the studio', () => {
  let chat: ChatServer
  let studio: Studio
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(answer)
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ owner, page } = studio)
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const say = async (on: Page, text: string) => {
    const box = on.getByRole('textbox', { name: 'Message' })
    await box.fill(text)
    // the last words of an answer are there a moment before its turn is over, and until then what is sent is queued
    await on.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
    await box.press('Enter')
  }
  const answers = (on: Page) => on.getByRole('article', { name: /^Answer of/ })
  const threadId = (on: Page) => new URL(on.url()).pathname.split('/').at(-1) ?? ''

  test('without a model Home leads to the sample workspace and says how to add one', story, async () => {
    const bare = await startTestServer()
    const first = await openWindow(studio.browser, bare.url, { person: await bare.owner() })
    await first.goto('/')
    await first.getByRole('heading', { name: 'Chat needs a model' }).waitFor()
    const welcome = first.getByRole('main').getByRole('link', { name: /^Welcome/ })
    expect(await welcome.getAttribute('href')).toMatch(/^\/workspaces\/wsp_/)
    await first.getByRole('link', { name: 'Add a model' }).click()
    await first.getByRole('heading', { name: 'No model yet' }).waitFor()
    await expectAccessible(first)

    const key = first.getByRole('textbox', { name: 'ANTHROPIC_API_KEY' }).or(first.getByLabel('ANTHROPIC_API_KEY'))
    await key.first().fill('sk-ant-something')
    await first.keyboard.press('Enter')
    await first.getByText('set by the team').waitFor()
    // it is asked at once whether it takes the key; mostly nothing leads to it from here
    await first.getByText(/^It (?:could not be reached|refused the key)$/).waitFor()
    expect(await key.first().inputValue()).toBe('')
    expect(await first.content()).not.toContain('sk-ant-something')
    await first.getByRole('combobox', { name: 'Default model' }).click()
    await first
      .getByRole('option', { name: /anthropic\// })
      .first()
      .click()
    await first
      .getByText(/Agents use anthropic\//)
      .first()
      .waitFor()
    // an address inside the operator's network is refused, and the page says so
    await first.getByLabel('COHEREX_COMPATIBLE_BASE_URL').fill(chat.url)
    await first.keyboard.press('Enter')
    await first.getByText('problem', { exact: true }).waitFor()
    // what is no address is told, and taken away where it was entered
    await first.getByLabel('COHEREX_COMPATIBLE_BASE_URL', { exact: true }).fill('somewhere')
    await first.keyboard.press('Enter')
    await first
      .getByText(/^Its address cannot be used/)
      .first()
      .waitFor()
    expect(await first.getByRole('button', { name: 'Remove COHEREX_COMPATIBLE_API_KEY' }).count()).toBe(0)
    await first.getByRole('button', { name: 'Remove COHEREX_COMPATIBLE_BASE_URL' }).click()
    await expect.poll(() => first.getByText('problem', { exact: true }).count()).toBe(0)
    await first.goto('/')
    await first.getByRole('textbox', { name: 'Message' }).waitFor()
    await first.context().close()
    await bare.stop()
  })

  test(
    'a person chats at once: words stream in, a tool call can be unfolded and its plot is shown',
    story,
    async () => {
      const asked: string[] = []
      const isOurs = (path: string) => path.startsWith('/api/v1/') && path !== '/api/v1/me'
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (isOurs(pathname)) asked.push(`${request.method()} ${pathname}${search}`)
      })
      await page.goto('/')
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await page.waitForLoadState('networkidle')
      // a page asks for each thing once, also when its line for changes opens
      expect(asked).toEqual([...new Set(asked)])
      asked.splice(0)
      await say(page, 'Draw a plot')
      await page.waitForURL(/\/threads\/thr/)
      await page.getByText('I will draw it.').waitFor()
      // the first word takes one request and the stream: nothing is looked up in between
      const isOnTheWay = (path: string) => /stream|^POST|\/turns\/|\/messages\//.test(path)
      expect(asked.filter(isOnTheWay)).toEqual(['POST /api/v1/threads', `GET /api/v1/threads/${threadId(page)}/stream`])
      await page.getByText('There is the plot.').waitFor({ timeout: 60_000 })
      const image = page.getByRole('img', { name: /^Image/ })
      await expect
        .poll(() => image.evaluate((shown) => Reflect.get(shown, 'naturalWidth') as number))
        .toBeGreaterThan(100)
      await page.getByText('Run code').click()
      await page.getByRole('region', { name: 'Arguments' }).getByText('matplotlib').first().waitFor()
      await page.getByRole('heading', { name: 'A talk about plots' }).waitFor()
      // of the answer, and of the conversation
      await page.getByText(/^330 tokens · \d/).waitFor()
      await page.getByText(/^coder · 330 tokens · \d/).waitFor()
      // that its price is unknown stands in the details, once
      await page.getByText(/^330 tokens · \d/).click()
      await page.getByText('The price of the model is unknown.').waitFor()
      await expectAccessible(page)
    },
  )

  test('markdown of a model stays content: no script, no request, and links that lead out safely', story, async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await say(page, 'Say something dangerous')
    await page.getByRole('cell', { name: 'north' }).waitFor()
    const link = page.getByRole('link', { name: 'the docs' })
    expect(await link.getAttribute('rel')).toContain('noopener')
    expect(await page.getByRole('link', { name: 'not', exact: true }).count()).toBe(0)
    await page.getByText('<img src=x').waitFor()
    await page.getByRole('link', { name: /tracker from evil.example/ }).waitFor()
    await page.locator('pre span', { hasText: 'print' }).first().waitFor()
    expect(await page.title()).not.toContain('taken')
    expect(asked.filter((url) => !url.startsWith(studio.server.url) && !url.startsWith('data:'))).toEqual([])
    await expectAccessible(page)
  })

  test('formulas of an answer are drawn, money stays money, and what is copied is their source', story, async () => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    const isOfFormulas = (url: string) => /\/assets\/(?:formula|KaTeX)/.test(url)
    await page.goto('/threads')
    await say(page, 'no signs at all')
    await page.getByText('You said: no signs at all').waitFor()
    expect(loaded.filter(isOfFormulas)).toEqual([])

    await say(page, 'Show formulas')
    const shown = answers(page).last()
    // for those who see them, and for those who have them read
    await expect.poll(() => shown.locator('[data-formula] .katex-html').count()).toBe(4)
    expect(await shown.getByRole('math').count()).toBe(4)
    await shown.getByText('for $5 and $10.').waitFor()
    const refused = shown.locator('code[title^="This formula cannot be drawn"]')
    await expect
      .poll(() => refused.allInnerTexts())
      .toEqual([String.raw`$\frac{1$`, String.raw`\(\href{javascript:alert(1)}{x}\)`])
    expect(await page.title()).not.toContain('taken')
    expect(loaded.filter(isOfFormulas)).not.toEqual([])
    await page.getByRole('log').focus()
    await page.evaluate('document.getSelection().selectAllChildren([...document.querySelectorAll("article")].at(-1))')
    await page.keyboard.press('Control+C')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.press('Control+V')
    const plain = (text: string) => text.replaceAll(/\n+/g, '\n\n')
    await expect.poll(async () => plain(await box.inputValue())).toContain(plain(formulas))
    await box.fill('')
    await expectAccessible(page)

    await page.setViewportSize({ width: 390, height: 800 })
    const beyond = () => page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth)
    await expect.poll(beyond).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test(
    'a reload in the middle and a second browser show the same answer, without a gap or a repeat',
    story,
    async () => {
      await say(page, 'count')
      await page.getByText(/word3 /).waitFor()
      await owner.call(routes.threads.change, { params: { id: threadId(page) }, body: { reach: 'team' } })
      const other = await studio.openWindow({
        person: await studio.server.invite(owner, 'viewer'),
        colorScheme: 'dark',
      })
      await Promise.all([page.reload(), other.goto(`/threads/${threadId(page)}`)])
      for (const one of [page, other]) {
        await one.getByText('word59').waitFor()
        // it can be copied when it is all there
        await answers(one).last().getByRole('button', { name: 'Copy' }).waitFor()
        expect((await answers(one).last().innerText()).match(/word\d+/g)).toEqual(words(60).split(' '))
      }
      expect(await other.getByRole('textbox', { name: 'Message' }).getAttribute('placeholder')).toContain(
        'Only editors',
      )
      await expectAccessible(other)
      await other.context().close()
    },
  )

  test('a turn is stopped with its button, and can be continued', story, async () => {
    // the answer before has the same words
    const slow = answers(page).nth(await answers(page).count())
    await say(page, 'count slowly')
    await slow.getByText(/word2 /).waitFor()
    // after a reload, what was there is there again before anything is heard
    const silence = Promise.withResolvers<void>()
    await page.route('**/stream', (route) => silence.promise.then(() => route.continue()))
    await page.reload()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await slow.getByText(/word2 /).waitFor()
    silence.resolve()
    await slow.getByText(/word9 /).waitFor()
    await page.unrouteAll()
    await page.getByText('Writing', { exact: true }).waitFor()
    // what is said meanwhile is queued, outlives a reload, and can be taken back
    await page.getByRole('textbox', { name: 'Message' }).fill('figs')
    await page.getByRole('button', { name: 'Queue message' }).click()
    const queued = page.getByRole('article', { name: 'Queued message of Olga Owner' })
    await queued.getByText('figs').waitFor()
    await expectAccessible(page)
    await page.reload()
    await queued.getByRole('button', { name: 'Remove' }).click()
    await queued.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Olga Owner stopped it.').waitFor()
    const heard = (await slow.innerText()).match(/word\d+/g) ?? []
    expect(heard).toEqual(words(heard.length).split(' '))
    chat.answer([{ text: 'And on.' }])
    await page.getByRole('button', { name: 'Continue' }).click()
    await slow.getByText('And on.').waitFor()
    await slow.getByText(/word2 /).waitFor()
    await expect.poll(() => page.getByText('Olga Owner stopped it.').count()).toBe(0)
    chat.answer(answer)

    // who reads above is left there, until they say something themselves
    const log = page.getByRole('log')
    const leftBelow = () => log.evaluate((shown) => shown.scrollHeight - shown.scrollTop - shown.clientHeight)
    await log.evaluate((shown) => shown.scrollTo({ top: 0 }))
    await expect.poll(leftBelow).toBeGreaterThan(200)
    // and what they type while it is on its way is the next message
    const held = Promise.withResolvers<void>()
    await page.route(/\/turns\?wait=false$/, (route) => held.promise.then(() => route.continue()))
    await say(page, 'bananas')
    await page.getByRole('textbox', { name: 'Message' }).fill('cherries')
    held.resolve()
    await page.getByText('You said: bananas').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).click()
    await page.getByText('You said: cherries').waitFor()
    await page.unrouteAll()
    await expect.poll(leftBelow).toBeLessThan(5)

    // any file can go along; what is attached outlives a reload
    const sales = { name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from('team,sold\nnorth,12\n') }
    await page.getByLabel('Files to attach').setInputFiles(sales)
    const file = page.getByRole('list', { name: 'Attached files' }).getByText('sales.csv')
    await page.getByText('19 B · to the sandbox').waitFor()
    await page.reload()
    await file.waitFor()
    await say(page, 'dates')
    await page.getByText('files/sales.csv in your sandbox').waitFor()
    await page.getByRole('link', { name: /sales\.csv/ }).waitFor()
    await expectAccessible(page)
  })

  test('a message is edited into a branch, answered again, and either branch is shown', story, async () => {
    await leadTo(page, '/threads')
    await say(page, 'apples')
    await page.getByText('You said: apples').waitFor()
    await page.getByRole('button', { name: 'More for this answer' }).click()
    await page.getByRole('menuitem', { name: /^Answer again/ }).click()
    await page.getByText('2 of 2').waitFor()
    await page.getByRole('button', { name: 'Edit and ask again' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('pears')
    await page.keyboard.press('Enter')
    await page.getByText('You said: pears').waitFor()
    await page.getByRole('button', { name: 'Earlier version' }).first().click()
    await page.getByText('You said: apples').waitFor()

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('About fruit')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'About fruit' }).waitFor()
    const exported = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
    const original = page.url()
    await page.locator('input[type=file][accept*=json]').setInputFiles(await (await exported).path())
    await expect.poll(() => page.url()).not.toBe(original)
    // which branch a copy shows is its own affair
    await page.getByText(/^You said: (?:apples|pears)/).waitFor()

    // whoever searches while the conversation is on its way goes on typing there
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/v1${new URL(original).pathname}`, (route) => held.promise.then(() => route.continue()))
    await page.goto(original)
    const search = page.getByRole('searchbox', { name: 'Search conversations' })
    await search.fill('pe')
    held.resolve()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await page.keyboard.type('ars')
    await expect.poll(() => search.inputValue()).toBe('pears')
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await expect.poll(() => list.getByRole('link').allInnerTexts()).toHaveLength(2)
    // what was looked for is in the address: it is still there with another of those found, and on the way back
    await page.waitForURL(/search=pears/)
    await list.locator('a:not([aria-current])').click()
    await page.waitForURL((url) => url.pathname !== new URL(original).pathname)
    await expect.poll(() => search.inputValue()).toBe('pears')
    await page.goBack()
    await page.waitForURL((url) => url.pathname === new URL(original).pathname)
    await expect.poll(() => search.inputValue()).toBe('pears')
    await expect.poll(() => list.getByRole('link').allInnerTexts()).toHaveLength(2)
    await page.unrouteAll()
    await page.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: 'scripted compatible/scripted' }).click()
    await expect
      .poll(async () => (await owner.call(routes.threads.get, { params: { id: threadId(page) } })).model)
      .toBe('compatible/scripted')
  })

  test(
    'an agent is made from a template: errors are marked, tools ticked, versions compared and restored',
    story,
    async () => {
      await leadTo(page, '/agents')
      await page.getByRole('row', { name: /coder/ }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'New agent' }).click()
      await page.getByRole('link', { name: /Data analyst/ }).click()
      await page.getByText('The definition is valid.').waitFor()
      await page.locator('.monaco-editor .view-line').first().click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.insertText('limit: 3\n')
      await page.getByRole('list', { name: 'Problems' }).getByText('line 1, column 1').waitFor()
      await page.locator('.failed-line').waitFor()
      expect(await page.getByRole('button', { name: 'Create agent' }).isDisabled()).toBe(true)
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('Delete')
      await page.getByText('The definition is valid.').waitFor()
      await page.getByRole('button', { name: 'Create agent' }).click()
      await page.waitForURL(/\/agents\/data-analyst$/)
      // the fourth click: it is at work, beside its definition
      await page.getByRole('button', { name: 'Try' }).click()
      await say(page, 'good morning')
      await page.getByText('You said: good morning').waitFor()
      await expectAccessible(page)
      await page.getByRole('checkbox', { name: /^bash/ }).click()
      await page.getByRole('textbox', { name: 'Description' }).fill('Counts what is in files')
      await page
        .getByRole('region', { name: 'Definition' })
        .or(page.locator('.view-lines'))
        .getByText('Counts what is in files')
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Save version 2' }).click()
      const heading = page.getByRole('heading', { level: 1 })
      await heading.getByText(/^version 2/).waitFor()
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('button', { name: /^Version 2/ }).click()
      await page
        .getByRole('region', { name: 'What version 2 changed' })
        .getByRole('row', { name: /added: .*bash/ })
        .waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Version 1/ }).click()
      await page.getByRole('button', { name: 'Restore version 1' }).click()
      await heading.getByText(/^version 3/).waitFor()
      await page.getByRole('button', { name: /^Version 3/ }).click()
      await page.getByRole('combobox', { name: 'Compare version 3 with' }).click()
      await page.getByRole('option', { name: 'version 1' }).click()
      await page.getByText('The same text as version 1.').waitFor()
      await page.getByRole('button', { name: 'More for data-analyst' }).click()
      await page.getByRole('menuitem', { name: 'Pause' }).click()
      await page.getByText('paused', { exact: true }).waitFor()
    },
  )

  test('two people change a definition: what was saved first is not written over unseen', story, async () => {
    const text = (steps: number) => `${valid.replace('greeter', 'shared')}limits: { steps: ${steps} }\n`
    await owner.call(routes.agents.create, { body: { source: text(1) } })
    await leadTo(page, '/agents/shared')
    await page.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text(7))
    const save = page.getByRole('button', { name: /^Save version/ })
    await expect.poll(() => save.isEnabled()).toBe(true)
    const put = (steps: number) =>
      owner.call(routes.agents.put, { params: { name: 'shared' }, body: { source: text(steps) } })
    await put(9)
    await page.getByText('Version 2 was saved while you were changing version 1.').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Show what it changed' }).click()
    const theirs = page.getByRole('region', { name: 'From version 1 to version 2' })
    await theirs.getByRole('row', { name: /added: limits: \{ steps: 9 \}/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    // what is typed while it is on its way stays
    const mayGo = Promise.withResolvers<void>()
    await page.route('**/api/v1/agents/shared', async (route) => {
      if (route.request().method() === 'PUT') await mayGo.promise
      await route.continue()
    })
    await save.click()
    await page.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('# and more')
    mayGo.resolve()
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/^version 3\b/)
      .waitFor()
    await page.getByRole('button', { name: 'Save version 4' }).waitFor()
    await page.unroute('**/api/v1/agents/shared')
    await page.locator('.monaco-editor').getByText('# and more').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await owner.call(routes.agents.get, { params: { name: 'shared' } })).toMatchObject({ source: text(7) })

    // whoever typed nothing sees the new version; what is emptied is not called valid
    await put(11)
    await page.locator('.monaco-editor').getByText('11').waitFor()
    await page.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.getByRole('list', { name: 'Problems' }).getByText('must be a mapping of fields').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('The definition is valid.').waitFor()

    const exported = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More for shared' }).click()
    await page.getByRole('menuitem', { name: 'Export' }).click()
    const file = await (await exported).path()
    await owner.call(routes.agents.remove, { params: { name: 'shared' } })
    await leadTo(page, '/agents')
    await page.getByRole('button', { name: 'New agent' }).click()
    const input = page.getByLabel('File with a definition')
    await input.setInputFiles({ name: 'broken.yaml', mimeType: 'application/yaml', buffer: Buffer.from([0xff, 0xfe]) })
    await page.getByText('It is not text: a definition is YAML or JSON.').first().waitFor()
    await input.setInputFiles(file)
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForURL(/\/agents\/shared$/)
    expect(await owner.call(routes.agents.get, { params: { name: 'shared' } })).toMatchObject({ source: text(11) })
  })

  test('a call that a rule names waits for a person, who sees exactly what would be done', story, async () => {
    const source = valid.replace('greeter', 'careful') + 'tools: [bash]\napprovals: { bash: always }\n'
    await owner.call(routes.agents.create, { body: { source } })
    await leadTo(page, '/threads?agent=careful')
    await say(page, 'clean up')
    const asked = page.getByRole('region', { name: 'careful asks' })
    await asked.getByText('echo cleaned').waitFor()
    await page.getByText('Waiting for a person').waitFor()
    await expectAccessible(page)
    await asked.getByRole('button', { name: 'Change arguments' }).click()
    await asked.getByRole('textbox').fill('{ "command": "echo swept" }')
    await asked.getByRole('button', { name: 'Approve as changed' }).click()
    await page.getByText('All tidy now.').waitFor()
    await page.getByText('Bash', { exact: true }).click()
    await page.getByRole('region', { name: 'Result' }).getByText('swept').waitFor()
    await expect.poll(() => asked.count()).toBe(0)

    // after the answer the words come as they are written again
    await say(page, 'clean up slowly')
    await asked.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('Halfway', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).press('Enter')
    await page.getByText('Olga Owner stopped it.').waitFor()
    const box = page.getByRole('textbox', { name: 'Message' })
    await expect.poll(() => box.evaluate((shown) => shown.matches(':focus'))).toBe(true)
  })

  test('triggers of an agent: a secret that is shown once, a test by hand, and what became of it', story, async () => {
    await owner.call(routes.agents.create, { body: { source: valid.replace('greeter', 'idle') } })
    await leadTo(page, '/agents/idle')
    await page.getByRole('tab', { name: 'Triggers' }).click()
    await page.getByRole('heading', { name: 'No triggers yet' }).waitFor()
    await page.getByRole('button', { name: 'Add trigger' }).click()
    const adding = page.getByRole('dialog', { name: 'Add trigger' })
    await adding.getByLabel('Time', { exact: true }).fill('07:30')
    await adding.getByLabel('Time zone').fill('Europe/Berlin')
    await expect.poll(() => adding.getByRole('listitem').count()).toBe(3)
    await expectAccessible(page)
    await adding.getByRole('button', { name: 'Add trigger' }).click()
    await page.getByRole('button', { name: 'Save version 2' }).click()
    await page.getByRole('list', { name: 'Next runs of schedule-1' }).waitFor()
    expect((await owner.call(routes.agents.get, { params: { name: 'idle' } })).source).toContain(
      'triggers:\n  - schedule: 30 7 * * 1-5\n    timezone: Europe/Berlin\n',
    )

    const triggers = 'triggers: [{ schedule: "0 9 * * *", timezone: Europe/Berlin }, { name: deploys, webhook: {} }]\n'
    await owner.call(routes.agents.create, { body: { source: valid.replace('greeter', 'night-watch') + triggers } })
    await leadTo(page, '/agents/night-watch')
    await page.getByRole('tab', { name: /Triggers/ }).click()
    expect(await page.getByLabel('Address of deploys').innerText()).toMatch(/\/hooks\/[\w-]{32}$/)
    expect(await page.getByRole('list', { name: 'Next runs of schedule-1' }).getByRole('listitem').count()).toBe(5)
    await page.getByText('It takes requests once it has a secret').waitFor()
    await page.getByRole('button', { name: 'Create secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create secret' }).click()
    const secret = await page.getByLabel('Secret', { exact: true }).innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Replace secret' }).waitFor()
    expect(await page.content()).not.toContain(secret)

    await page.getByRole('button', { name: 'Test schedule-1' }).click()
    const deliveries = page.getByRole('region', { name: 'Deliveries' })
    await deliveries.getByText('succeeded').waitFor()
    await expectAccessible(page)
    await deliveries.getByRole('button', { name: /schedule-1/ }).click()
    await deliveries.getByText('No payload.').waitFor()
    await deliveries.getByRole('button', { name: 'Deliver again' }).click()
    await deliveries.getByText('redelivery').waitFor()
    // what a sender would bring is typed in
    await page.getByRole('button', { name: 'Test deploys' }).click()
    await page.getByLabel('Payload').fill('{ "tag": "v2" }')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    // whoever fired it is where they were
    await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Test deploys')
    await deliveries.getByRole('button', { name: /deploys/ }).click()
    await deliveries.getByText('"tag": "v2"').waitFor()
    await deliveries.getByRole('region', { name: 'Answer of the agent' }).waitFor()
    await deliveries.getByRole('link', { name: 'Open conversation' }).click()
    await page.getByRole('article', { name: 'Message of trigger deploys' }).waitFor()
  })

  test('a conversation with the builder shows the definition as it grows, and ends with an agent', story, async () => {
    await leadTo(page, '/agents')
    await page.getByRole('button', { name: 'Build in a chat' }).click()
    // nothing is begun before something is said
    await page.waitForURL(/\/threads\?agent=builder$/)
    await say(page, 'I want a greeter')
    await page.waitForURL(/\/threads\/thr/)
    await page.getByText('The greeter is ready.').waitFor()
    await page.getByText('not valid yet').first().waitFor()
    const panel = page.getByRole('region', { name: 'Right dock' })
    await panel.getByText('valid', { exact: true }).waitFor()
    expect(await page.getByLabel('Definition so far').count()).toBe(1)
    expect(await answers(page).getByText('kind: agent').count()).toBe(0)
    await expectAccessible(page)
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForURL(/\/agents\/greeter$/)
    await page.getByText('active', { exact: true }).waitFor()
  })

  test('an agent proposes to widen another one: a person sees what it newly may do, and decides', story, async () => {
    const source = valid.replace('greeter', 'kept-small') + 'tools: [bash]\napprovals: { bash: always }\n'
    await owner.call(routes.agents.create, { body: { source } })
    const propose = async (text: string) => {
      await owner.call(routes.triggers.execute, { params: { name: 'builder' }, body: { input: `propose ${text}` } })
    }
    await leadTo(page, '/agents/kept-small')
    await page.getByRole('tab', { name: 'Edit' }).waitFor()
    expect(await page.getByRole('tab', { name: /Proposals/ }).count()).toBe(0)
    await propose(
      source.replace('approvals: { bash: always }', 'network: { allow: ["https://evil.example/"] } # \u200B'),
    )
    // it comes up by itself
    await page.getByRole('tab', { name: /Proposals/ }).click()
    const proposal = page.getByRole('region', { name: 'Proposed by agent builder' })
    await proposal
      .getByText('It uses bash without asking a person (until now after a person approved each call).')
      .waitFor()
    await proposal.getByText('It may reach https://evil.example/').waitFor()
    await proposal.getByText('# <U+200B>').waitFor()
    await expectAccessible(page)
    await leadTo(page, '/agents')
    const row = page.getByRole('row', { name: /kept-small/ })
    await row.getByText('1 proposal').waitFor()

    const viewer = await studio.openWindow({
      person: await studio.server.invite(owner, 'viewer'),
      colorScheme: 'dark',
    })
    await viewer.goto('/agents/kept-small')
    const seen = viewer.getByRole('region', { name: 'Proposed by agent builder' })
    expect(await seen.getByRole('button', { name: 'Approve version 2' }).isDisabled()).toBe(true)
    await expectAccessible(viewer)
    await viewer.context().close()

    await row.click()
    await proposal.getByRole('button', { name: 'Approve version 2' }).click()
    await page.getByText('version 2', { exact: false }).first().waitFor()
    await expect.poll(() => page.getByRole('tab', { name: /Proposals/ }).count()).toBe(0)
    await propose(source)
    await page.getByRole('tab', { name: /Proposals/ }).click()
    await proposal.getByRole('button', { name: 'Reject' }).click()
    await proposal.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByText('rejected', { exact: true }).waitFor()
    const { version, definition } = await owner.call(routes.agents.get, { params: { name: 'kept-small' } })
    expect({ version, network: definition.network }).toEqual({
      version: 2,
      network: { allow: ['https://evil.example/'] },
    })
  })

  test(
    'a skill is written, an agent proposes another version, and a person approves what they see',
    story,
    async () => {
      await leadTo(page, '/agents')
      await page.getByRole('link', { name: 'Skills' }).click()
      await page.getByText('No skills yet').waitFor()
      await page.getByRole('button', { name: 'New skill' }).click()
      await page.getByRole('link', { name: /With a script/ }).click()
      await page.getByText('The skill is valid.').waitFor()
      await page.getByRole('button', { name: 'scripts/count.py', exact: true }).waitFor()
      await page.locator('.monaco-editor .view-line').first().click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.insertText('# ')
      await page.getByRole('list', { name: 'Problems' }).getByText('there is no front matter').waitFor()
      expect(await page.getByRole('button', { name: 'Create skill' }).isDisabled()).toBe(true)
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Backspace')
      await page.getByText('The skill is valid.').waitFor()
      await page.getByRole('textbox', { name: 'Description' }).fill('Counts: words')
      await page.locator('.view-lines').getByText('description: "Counts: words"').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Create skill' }).click()
      await page.waitForURL(/\/skills\/count-words$/)
      const heading = page.getByRole('heading', { level: 1 })
      await heading.getByText(/^version 1 · Olga Owner · team$/).waitFor()
      await page.getByRole('button', { name: 'Try' }).click()
      await say(page, 'how long is this')
      await page.getByText('You said: how long is this').waitFor()
      const asked = JSON.stringify(chat.requests.findLast(({ tools }) => tools.length > 0)?.messages[0])
      expect(asked).toContain('The person tries the skill count-words')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Close the right dock' }).first().click()
      await page.getByRole('tab', { name: 'Access' }).click()
      await page.getByText('agents whose definition lists it, or all skills: version 1').waitFor()

      const source = valid.replace('greeter', 'scribe') + 'tools: [propose-skill]\nskills: all\n'
      await owner.call(routes.agents.create, { body: { source } })
      await leadTo(page, '/threads?agent=scribe')
      await say(page, 'Please note it down')
      await page.getByText('I proposed it.').waitFor()
      const viewer = await studio.openWindow({
        person: await studio.server.invite(owner, 'viewer'),
        colorScheme: 'dark',
      })
      for (const one of [viewer, page]) {
        await one.goto('/skills')
        await one.getByText('1 proposal').waitFor()
        await one.getByRole('row', { name: /count-words/ }).click()
        const changes = one.getByRole('region', { name: 'What version 2 changes' })
        await changes.getByRole('row', { name: /added: description: Counts words, slowly<U\+200B>\./ }).waitFor()
        await changes.getByRole('heading', { name: 'scripts/count.py' }).waitFor()
        await one.getByText('scribe for Olga Owner: To be sure').waitFor()
        await expectAccessible(one)
      }
      const approve = (on: Page) => on.getByRole('button', { name: 'Approve version 2' })
      expect(await approve(viewer).isDisabled()).toBe(true)
      await viewer.context().close()
      await approve(page).click()
      await heading.getByText(/^version 2\b/).waitFor()

      const zip = await owner.fetch('/api/v1/skills/count-words/zip?version=1')
      const buffer = Buffer.from(await zip.arrayBuffer())
      await leadTo(page, '/skills')
      await page.getByLabel('Zip of a skill').setInputFiles({ name: 'count.zip', mimeType: 'application/zip', buffer })
      await page.waitForURL(/\/skills\/count-words$/)
      await heading.getByText(/^version 3\b/).waitFor()

      const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Desk of skills' } })
      const local = '---\nname: local\ndescription: Known here\n---\nDo it.\n'
      await owner.call(routes.workspaces.writeFile, { params: { id, path: 'skills/local/SKILL.md' }, body: local })
      await leadTo(page, '/skills')
      await page.getByRole('combobox', { name: 'Workspace' }).click()
      await page.getByRole('option', { name: 'Desk of skills' }).click()
      await page.getByText('not approved', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Review' }).click()
      await page
        .getByRole('region', { name: 'Content of local' })
        .getByRole('row', { name: /added: Do it\./ })
        .waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.getByText('approved', { exact: true }).waitFor()
    },
  )
})
