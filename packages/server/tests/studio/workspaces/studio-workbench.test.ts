import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

const program = `import sys, coherex
print("hello", coherex.input["name"], sys.stdin.read().strip())
open("result.csv", "w").write("day,celsius\\nMonday,11.5\\n")
`

describe.skipIf(!hasChromium)('the workbench of a workspace', () => {
  let chat: ChatServer
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string

  beforeAll(async () => {
    chat = await startChatServer()
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Weather' } }))
    const write = (path: string, body: string) =>
      owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
    await write('greet.py', program)
    await write('docs/plan.md', '# The plan\n\n- measure\n')
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const panel = (on: Page, name: string) => on.getByRole('region', { name: 'Left dock' }).getByRole('tab', { name })
  const output = () => page.getByRole('region', { name: 'Output', exact: true })
  const tabs = () => page.getByRole('list', { name: 'Open files' }).getByRole('listitem')

  test('two files are open, one runs with input, and its output stays while other panels open', story, async () => {
    await page.goto(`/workspaces/${id}`)
    await page.getByRole('treeitem', { name: 'plan.md' }).click()
    await page.getByRole('heading', { name: 'The plan' }).waitFor()
    await page.getByRole('treeitem', { name: 'greet.py' }).click()
    await page.locator('.monaco-editor:visible .view-line').first().waitFor()
    expect(await tabs().count()).toBe(2)

    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByLabel('Input as JSON').fill('{ "name": "Ada" }')
    await page.getByLabel('Standard input').fill('and Bob')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Options · 2' }).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await output().getByText('hello Ada and Bob').waitFor()

    await panel(page, 'History').click()
    await page.getByRole('list', { name: 'Versions' }).getByText('Added greet.py').waitFor()
    await output().getByText('hello Ada and Bob').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Control+j')
    await output().waitFor({ state: 'hidden' })

    // what is open, the options and the output are there after a reload
    await page.reload()
    await page.locator('.monaco-editor:visible .view-line').first().waitFor()
    expect(await tabs().count()).toBe(2)
    await page.getByRole('button', { name: 'Options · 2' }).waitFor()
    await page.getByRole('button', { name: 'Open the bottom dock' }).click()
    await output().getByText('hello Ada and Bob').waitFor()
  })

  test('a file that the run wrote is saved to the workspace and opens as a table', story, async () => {
    await panel(page, 'Files').click()
    const written = page.getByRole('region', { name: 'Written by the last run' })
    await written.getByRole('button', { name: 'Save result.csv to the workspace' }).click()
    await written.getByText('Saved').waitFor()
    await page.getByRole('treeitem', { name: 'result.csv' }).click()
    await page.getByRole('cell', { name: 'Monday' }).waitFor()
    await page.getByRole('treeitem', { name: 'result.csv' }).dragTo(page.getByRole('treeitem', { name: 'docs' }))
    await page.getByRole('dialog', { name: 'Moved result.csv to docs' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'docs/result.csv' }).waitFor()
    await page.keyboard.press('Alt+w')
    await expect.poll(() => tabs().count()).toBe(2)
  })

  test('the chat beside a file tells the agent which file is open, unless it is left out', story, async () => {
    chat.answer(({ messages, tools }) => {
      const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content)
      if (tools.length === 0) return { text: 'About greetings' }
      return { text: asked.includes('(Open file: `greet.py`)') ? 'It prints a greeting.' : 'Which file?' }
    })
    await page.getByRole('treeitem', { name: 'greet.py' }).click()
    await page.getByRole('button', { name: 'Open the right dock' }).click()
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('What does it print?')
    await page.getByText('greet.py').last().waitFor()
    await box.press('Enter')
    const answers = page.getByRole('article', { name: /^Answer of/ })
    await answers.getByText('It prints a greeting.').waitFor()
    await page.getByRole('button', { name: 'Leave out greet.py' }).click()
    await box.fill('And without it?')
    await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
    await box.press('Enter')
    await answers.getByText('Which file?').waitFor()
    await expectAccessible(page)
    const { items } = await owner.call(routes.threads.list, {})
    expect(items).toMatchObject([{ workspaceId: id }])
    await output().getByText('hello Ada and Bob').waitFor()
  })

  test('on a phone one region is in sight, in the dark as well', story, async () => {
    const phone = await studio.openWindow({ person: owner, colorScheme: 'dark' })
    await phone.setViewportSize({ width: 390, height: 800 })
    await phone.goto(`/workspaces/${id}`)
    await phone.getByRole('treeitem', { name: 'greet.py' }).click()
    await phone.locator('.monaco-editor:visible .view-line').first().waitFor()
    expect(await phone.getByRole('treeitem').count()).toBe(0)
    await phone.getByRole('radio', { name: 'Output' }).click()
    await phone.getByRole('region', { name: 'Output', exact: true }).getByText('hello Ada and Bob').waitFor()
    await expectAccessible(phone)
    await phone.context().close()
  })
})
