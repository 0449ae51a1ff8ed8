import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const answer = `Count them:

\`\`\`js title="Sum" run
const numbers = [1, 2, 3]
console.log('adding', numbers.length)
numbers.reduce((a, b) => a + b)
\`\`\`

Then:

\`\`\`js title="Twice"
numbers.length * 2
\`\`\`

On the server:

\`\`\`python <!-- executable: Square -->
x = 12
x * x
\`\`\`

It fails:

\`\`\`ts title="Broken"
const one: number = 1
missing(one)
\`\`\`

\`\`\`sql title="Table"
SELECT 6 * 7 AS answer
\`\`\`

\`\`\`mermaid title="Flow"
graph LR; A[Ask] --> B[Answer]
\`\`\`

\`\`\`vega-lite title="Bars"
{ "data": { "values": [{ "a": "x", "b": 3 }, { "a": "y", "b": 5 }] }, "mark": "bar", "encoding": { "x": { "field": "a" }, "y": { "field": "b", "type": "quantitative" } } }
\`\`\`

\`\`\`html title="Page"
<h1>Shown</h1><script>parent.document.title = 'taken'</script>
\`\`\`

\`\`\`svg title="Circle"
<svg width="40" height="40"><circle cx="20" cy="20" r="18" fill="teal"/></svg>
\`\`\`
`

describe.skipIf(!hasChromium)('blocks of a conversation', () => {
  let chat: ChatServer
  let studio: Studio

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ tools }) => ({ text: tools.length === 0 ? 'Blocks' : answer }))
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const block = (on: Page, title: string) => on.getByRole('region', { name: `Block: ${title}` })
  const importBlock = async (owner: Studio['owner'], title: string, code: string) => {
    const thread = await owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title },
        messages: [
          {
            ...{ id: 'one', parentId: null, role: 'assistant' },
            ...{ createdAt: '2026-01-01T00:00:00.000Z', createdBy: 'Ann' },
            parts: [{ type: 'text', text: `\`\`\`js title="${title}"\n${code}\n\`\`\`` }],
          },
        ],
      },
    })
    await owner.call(routes.threads.change, { params: { id: thread.id }, body: { reach: 'team' } })
    return thread
  }
  const press = (on: Page, title: string, name: string) =>
    block(on, title).getByRole('button', { name, exact: true }).click()
  const choose = async (on: Page, title: string, entry: string | RegExp) => {
    await press(on, title, 'More for this block')
    await on.getByRole('menuitem', { name: entry }).click()
  }

  test(
    'are run in the browser and on the server, edited, looked back at and shown again',
    { timeout: 300_000 },
    async () => {
      const { page, owner } = studio
      await page.goto('/threads')
      await page.getByRole('textbox', { name: 'Message' }).fill('Show me some code')
      await page.keyboard.press('Enter')
      await block(page, 'Sum').waitFor()

      // in the browser, in one session
      await block(page, 'Sum').getByRole('button', { name: 'Run', exact: true }).click()
      await block(page, 'Sum').getByText('succeeded').waitFor()
      await block(page, 'Sum').getByText('adding 3').waitFor()
      await press(page, 'Twice', 'Run')
      await block(page, 'Twice').getByText('succeeded').waitFor()
      await block(page, 'Twice').getByText('6', { exact: true }).first().waitFor()

      // on the server
      await press(page, 'Square', 'Run')
      await block(page, 'Square').getByText('succeeded').waitFor()
      await block(page, 'Square').getByText('144').first().waitFor()

      await press(page, 'Table', 'Run')
      await block(page, 'Table').getByText('42').first().waitFor()

      await press(page, 'Broken', 'Run')
      await block(page, 'Broken')
        .getByText(/missing is not defined/)
        .first()
        .waitFor()
      await block(page, 'Broken').getByRole('button', { name: 'Ask the agent to fix it' }).waitFor()

      // drawn where nothing of them reaches the page
      await expect.poll(() => page.frames().filter((one) => one.url().endsWith('/runtimes/page')).length).toBe(2)
      for (const frame of page.frames().filter((one) => one.url().endsWith('/runtimes/page'))) {
        await frame.locator('svg').first().waitFor()
      }
      await block(page, 'Circle').getByRole('img', { name: 'Circle' }).waitFor()
      await block(page, 'Page').getByRole('button', { name: 'Run scripts' }).waitFor()
      expect(await page.title()).not.toBe('taken')

      // an edit is a version by itself
      await choose(page, 'Twice', 'Edit')
      const editor = block(page, 'Twice').getByRole('textbox')
      await editor.first().waitFor({ state: 'attached' })
      await editor.first().focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('numbers.length * 100')
      await block(page, 'Twice').getByText('v2').waitFor()
      await press(page, 'Twice', 'Run')
      await block(page, 'Twice').getByText('300', { exact: true }).first().waitFor()
      await choose(page, 'Twice', 'Close the editor')
      await expectAccessible(page)

      // what came of it is there again, and so is what was before
      await page.reload()
      await block(page, 'Twice').getByText('300', { exact: true }).first().waitFor()
      await block(page, 'Sum').getByText('adding 3').waitFor()
      await block(page, 'Broken')
        .getByText(/missing is not defined/)
        .first()
        .waitFor()
      await choose(page, 'Twice', 'History')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Changes' }).click()
      await dialog.getByText('numbers.length * 100').first().waitFor()
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await block(page, 'Twice').getByText('v3').waitFor()
      await block(page, 'Twice').getByText('numbers.length * 2').waitFor()

      const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      const { messages } = await owner.call(routes.threads.get, { params: { id } })
      const { items } = await owner.call(routes.artifacts.fenceExecutions, {
        params: { id, messageId: messages.at(-1)?.id ?? '' },
      })
      expect(
        items.map(({ index, status, reportedBy }) => [index, status, reportedBy ?? 'server']).toReversed(),
      ).toEqual([
        [0, 'succeeded', 'client'],
        [1, 'succeeded', 'client'],
        [2, 'succeeded', 'server'],
        [4, 'succeeded', 'client'],
        [3, 'failed', 'client'],
        [1, 'succeeded', 'client'],
      ])
    },
  )

  test('are edited and run by two people at once', { timeout: 240_000 }, async () => {
    const { page, owner, server } = studio
    const thread = await importBlock(owner, 'Both', 'const first = 1\n\nconst second = 2\nfirst + second')
    const editor = await server.invite(owner, 'editor')
    const other = await studio.openWindow({ person: editor })
    const windows = [page, other]
    for (const one of windows) {
      await one.goto(`/threads/${thread.id}`)
      await choose(one, 'Both', 'Edit')
      await block(one, 'Both').getByTestId('monaco').waitFor()
    }
    const typeInLine = async (on: Page, line: number, words: string) => {
      await block(on, 'Both').locator('.view-line').nth(line).click()
      await on.keyboard.press('End')
      await on.keyboard.type(words)
    }
    // both type over the same version; whoever is saved second is merged
    await typeInLine(page, 0, '0')
    await typeInLine(other, 2, '0')
    for (const one of windows) {
      await block(one, 'Both').getByText('first = 10', { exact: false }).waitFor()
      await block(one, 'Both').getByText('second = 20', { exact: false }).waitFor()
    }
    await press(other, 'Both', 'Run')
    await block(other, 'Both').getByText('30').first().waitFor()
    await block(page, 'Both').getByText('30').first().waitFor()
    await block(page, 'Both').getByText(`by ${editor.me.person.name}`).waitFor()
  })

  test(
    'are typed in by two people in one line, who see each other, and both keep their text',
    { timeout: 240_000 },
    async () => {
      const { page, owner, server } = studio
      const title = 'Line'
      const thread = await importBlock(owner, title, 'const total = 1\ntotal')
      const editor = await server.invite(owner, 'editor')
      const other = await studio.openWindow({ person: editor })
      for (const one of [page, other]) {
        await one.goto(`/threads/${thread.id}`)
        await choose(one, title, 'Edit')
        await block(one, title).getByTestId('monaco').waitFor()
      }
      const shows = (on: Page, words: string) => block(on, title).getByText(words, { exact: true }).first().waitFor()
      // the first letter makes it a text of both
      await block(page, title).locator('.view-line').first().click()
      await page.keyboard.press('End')
      await page.keyboard.type('0')
      await shows(other, 'const total = 10')
      await block(other, title).locator('.view-line').first().click()
      await other.keyboard.press('Home')
      await other.locator('.peer-name', { hasText: 'Olga Owner' }).waitFor({ state: 'attached' })
      await page.locator('.peer-name', { hasText: editor.me.person.name }).waitFor({ state: 'attached' })
      await Promise.all([
        page.keyboard.type('00 + 234', { delay: 30 }),
        other.keyboard.type('/* mine */ ', { delay: 30 }),
      ])
      const both = '/* mine */ const total = 1000 + 234'
      for (const one of [page, other]) await shows(one, both)
      await press(other, title, 'Run')
      await block(other, title).getByText('1234', { exact: true }).first().waitFor()
      await block(page, title).getByText('1234', { exact: true }).first().waitFor()
      const { items } = await owner.call(routes.artifacts.ofThread, { params: { id: thread.id } })
      expect(items).toMatchObject([{ code: `${both}\ntotal` }])

      // without a line one goes on typing, and finds it in the text of both when the line is back
      await page.context().setOffline(true)
      await page.keyboard.type(' // away', { delay: 30 })
      await page.context().setOffline(false)
      await shows(other, `${both} // away`)
      await shows(page, `${both} // away`)

      // the editor closes on what is stored, and the other goes on
      await choose(other, title, 'Close the editor')
      await page.keyboard.type(' // more')
      await shows(other, `${both} // away // more`)
      await other.context().close()
    },
  )

  test('are stopped, and a reader runs them without leaving anything', { timeout: 180_000 }, async () => {
    const { page, owner, server } = studio
    const thread = await owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Loop' },
        messages: [
          {
            ...{
              id: 'one',
              parentId: null,
              role: 'assistant',
              createdAt: '2026-01-01T00:00:00.000Z',
              createdBy: 'Ann',
            },
            parts: [
              {
                type: 'text',
                text: '```js title="Loop"\nfor (;;) {}\n```\n```js title="Plain"\n6 * 7\n```\n```python title="Ask"\nprint("Hello", input("Name? "))\n```\n```js title="Guest"\nconst guest = await prompt("Who? ")\nguest.toUpperCase()\n```\n```js title="Needs"\nimport os from "node:os"\nos.EOL.length + 40\n```',
              },
            ],
          },
        ],
      },
    })
    await owner.call(routes.threads.change, { params: { id: thread.id }, body: { reach: 'team' } })
    await page.goto(`/threads/${thread.id}`)
    await block(page, 'Loop').getByRole('button', { name: 'Run', exact: true }).dblclick()
    await block(page, 'Loop').getByText('running').waitFor()
    await press(page, 'Loop', 'Stop')
    await block(page, 'Loop').getByText('cancelled').waitFor()
    await press(page, 'Plain', 'Run')
    await block(page, 'Plain').getByText('42').first().waitFor()

    // a line that code on the server asks for is typed in its block
    await press(page, 'Ask', 'Run')
    const line = block(page, 'Ask').getByRole('textbox')
    await line.fill('Olga')
    await line.press('Enter')
    await block(page, 'Ask').getByText('Hello Olga').waitFor()

    // and one in this browser, whose variables are shown and forgotten
    await press(page, 'Guest', 'Run')
    await block(page, 'Guest').getByLabel('Who?').fill('Pia')
    await press(page, 'Guest', 'Send')
    await block(page, 'Guest').getByText('PIA').first().waitFor()
    await press(page, 'Guest', 'JavaScript session · 1 variable')
    await page.getByRole('dialog').getByText('guest').waitFor()
    await page.getByRole('button', { name: 'Forget variables' }).click()
    await page.getByText('JavaScript begins anew in this browser').waitFor()

    // the browser has no modules of Node: the block says so and goes on there
    await press(page, 'Needs', 'Run')
    await press(page, 'Needs', 'Run on the server')
    await block(page, 'Needs').getByText('succeeded').waitFor()

    const viewer = await server.invite(owner, 'viewer')
    const other = await studio.openWindow({ person: viewer, colorScheme: 'dark' })
    await other.goto(`/threads/${thread.id}`)
    await press(other, 'Plain', 'Run')
    await block(other, 'Plain').getByText('succeeded').waitFor()
    await expectAccessible(other)
    const { items } = await owner.call(routes.artifacts.fenceExecutions, {
      params: { id: thread.id, messageId: thread.messages[0]?.id ?? '' },
    })
    expect(items).toHaveLength(6)
  })
})
