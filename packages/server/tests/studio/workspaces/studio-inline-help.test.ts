import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

const lines = (on: Page) => on.locator('.monaco-editor:visible .view-line')
const line = (on: Page, text: string | RegExp) => lines(on).filter({ hasText: text })
const ghost = (on: Page) =>
  on.locator('.monaco-editor:visible .ghost-text-decoration, .monaco-editor:visible .ghost-text')
const focusEditor = (on: Page) =>
  on.locator('.monaco-editor:visible').locator('textarea, .native-edit-context').first().focus()

describe.skipIf(!hasChromium)('help of a model in the editor', () => {
  let chat: ChatServer
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string

  beforeAll(async () => {
    chat = await startChatServer()
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Helped' } }))
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
  const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()
  async function open(on: Page, path: string): Promise<void> {
    await on.goto(`/workspaces/${id}?file=${encodeURIComponent(path)}`)
    await lines(on).first().waitFor()
    await on.getByText('Saved', { exact: true }).waitFor()
  }
  const answerOf = (title: string) => page.getByRole('region', { name: new RegExp(`^${title}: `) })

  test('ghost text comes in a pause of typing and Tab takes it; switched off, nothing is asked', story, async () => {
    await write('greet.txt', 'one\n')
    await open(page, 'greet.txt')
    chat.answer([{ text: 'world, and all who live in it' }])
    await focusEditor(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('hello ')
    await ghost(page).filter({ hasText: 'world' }).first().waitFor()
    expect(await read('greet.txt')).not.toContain('world')
    await page.keyboard.press('Tab')
    await expect.poll(() => read('greet.txt')).toBe('one\nhello world, and all who live in it')
    // keys without a pause are one question
    const prompts = () => JSON.stringify(chat.requests.map(({ messages }) => messages.at(-1)?.content))
    expect(prompts()).not.toContain('\\nhel<cursor/>')

    await page.getByRole('button', { name: 'Suggestions on' }).click()
    const before = chat.requests.length
    await focusEditor(page)
    await page.keyboard.type(' quietly')
    await page.waitForTimeout(1_500)
    expect(chat.requests).toHaveLength(before)
    await page.reload()
    await page.getByRole('button', { name: 'Suggestions off' }).waitFor()
  })

  test(
    'an edit by instruction is a diff first, then an edit like any other that one undo takes back',
    story,
    async () => {
      await write('sum.py', 'def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n')
      await open(page, 'sum.py')
      chat.answer([{ text: '```python\n    return a + b\n```\nIt adds now.' }])
      await focusEditor(page)
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Shift+End')
      await page.keyboard.press('Control+i')
      const answer = answerOf('Edit by instruction')
      await answer.getByRole('textbox', { name: 'What to change' }).fill('Add, do not subtract')
      await page.keyboard.press('Enter')
      await answer.getByText('It adds now.').waitFor()
      await answer.getByRole('cell', { name: 'return a + b' }).first().waitFor()
      await expectAccessible(page)
      expect(await read('sum.py')).toContain('return a - b')
      // somebody else writes elsewhere before it is accepted
      await owner.call(routes.workspaces.edit, {
        params: { id },
        body: { path: 'sum.py', search: 'print(add(1, 2))', replace: 'print(add(3, 4))' },
      })
      await line(page, 'add(3, 4)').waitFor()
      await answer.getByRole('button', { name: 'Accept' }).click()
      await expect.poll(() => read('sum.py')).toBe('def add(a, b):\n    return a + b\n\n\nprint(add(3, 4))\n')
      await answer.waitFor({ state: 'detached' })
      await focusEditor(page)
      await page.keyboard.press('Control+z')
      await expect.poll(() => read('sum.py')).toBe('def add(a, b):\n    return a - b\n\n\nprint(add(3, 4))\n')
    },
  )

  test('an edit of lines that were changed since is not made, and says so', story, async () => {
    await write('old.py', 'x = 1\n')
    await open(page, 'old.py')
    chat.answer([{ text: '```\nx = 2\n```' }])
    await focusEditor(page)
    await page.keyboard.press('Control+i')
    const answer = answerOf('Edit by instruction')
    await answer.getByRole('textbox').fill('Two')
    await page.keyboard.press('Enter')
    await answer.getByRole('button', { name: 'Accept' }).waitFor()
    await write('old.py', 'x = 7\n')
    await line(page, 'x = 7').waitFor()
    await answer.getByRole('button', { name: 'Accept' }).click()
    await answer.getByText('Lines of old.py that it changes were changed since').waitFor()
    expect(await read('old.py')).toBe('x = 7\n')
    await answer.getByRole('button', { name: 'Discard' }).first().click()
  })

  test('an explanation is asked for in the menu of the editor, and what the model says is text', story, async () => {
    await open(page, 'sum.py')
    chat.answer([
      { text: 'It **adds** <img src=x onerror="window.hacked = true"> <script>window.hacked = true</script>' },
    ])
    await lines(page).first().click({ button: 'right' })
    // the menu hears of a click only when it has stood for a moment
    await page.getByRole('menuitem', { name: 'Explain' }).hover()
    await page.waitForTimeout(500)
    await page.getByRole('menuitem', { name: 'Explain' }).click()
    const answer = answerOf('Explain')
    await answer.getByText('adds', { exact: true }).waitFor()
    await answer.getByText('window.hacked').first().waitFor()
    expect(await answer.locator('img, script').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    await expectAccessible(page)
    await answer.getByRole('button', { name: 'Discard' }).click()
  })

  test('a problem and a failed run are mended from where they are shown, and a test is a new file', story, async () => {
    await write('wrong.ts', 'const count: number = "three"\nconsole.log(count)\n')
    await open(page, 'wrong.ts')
    chat.answer([{ text: '```ts\nconst count: number = 3\nconsole.log(count)\n```' }])
    await page.getByRole('button', { name: 'Open the bottom dock' }).click()
    await page.getByRole('tab', { name: /^Problems/ }).click()
    await page.getByRole('button', { name: 'Fix line 1 of wrong.ts' }).click()
    const fix = answerOf('Fix this error')
    await fix.getByRole('button', { name: 'Accept' }).click()
    await expect.poll(() => read('wrong.ts')).toBe('const count: number = 3\nconsole.log(count)\n')
    expect(JSON.stringify(chat.requests.at(-1)?.messages)).toContain("Type 'string' is not assignable to type 'number'")

    await write('fails.py', 'print(1)\nprint(nobody)\n')
    await open(page, 'fails.py')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Fix this error' }).click()
    await fix.getByRole('button', { name: 'Accept' }).waitFor()
    expect(JSON.stringify(chat.requests.at(-1)?.messages)).toContain('nobody')
    await fix.getByRole('button', { name: 'Discard' }).first().click()

    chat.answer([{ text: '```python\ndef test_it():\n    assert True\n```' }])
    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: /Search/ })
      .or(page.getByPlaceholder(/^Search names/))
      .first()
      .fill('Write a test')
    await page.getByRole('option', { name: 'Write a test for fails.py', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await answerOf('Write a test').getByRole('button', { name: 'Create file' }).click()
    await page.getByRole('list', { name: 'Open files' }).getByText('test_fails.py').waitFor()
    expect(await read('test_fails.py')).toBe('def test_it():\n    assert True\n')
  })

  test('who may only read is offered none of it', story, async () => {
    const viewer = await studio.server.invite(owner, 'viewer')
    const theirs = await studio.openWindow({ person: viewer })
    const asked = chat.requests.length
    await open(theirs, 'sum.py')
    await lines(theirs).first().click({ button: 'right' })
    await theirs
      .getByRole('menuitem', { name: /Command Palette|Copy/ })
      .first()
      .waitFor()
    expect(await theirs.getByRole('menuitem', { name: 'Explain' }).count()).toBe(0)
    expect(await theirs.getByRole('button', { name: /^Suggestions/ }).count()).toBe(0)
    expect(chat.requests).toHaveLength(asked)
  })
})
