import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 240_000 }
const yaml = [
  'kind: tool',
  'name: total',
  'description: Adds up prices',
  'language: javascript',
  'licence: MIT',
  'tests:',
  '  - { name: two, input: { prices: [1, 2] }, output: 3 }',
  '',
].join('\n')
const total = 'export default (env, { prices }) => prices.reduce((sum, one) => sum + one, 0)\n'
const findings = [{ file: 'main.js', line: 1, note: 'An empty list is not tested' }]
const block = 'Here it is:\n\n```js title="Square"\nexport default (env, { n }) => n * n\n```\n'

describe.skipIf(!hasChromium)('ways of a tool through the studio', () => {
  let chat: ChatServer
  let studio: Studio
  let page: Page
  let id: string

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ tools, messages }) => {
      if (JSON.stringify(messages).includes('prices.reduce')) return { text: JSON.stringify({ findings }) }
      return { text: tools.length === 0 ? 'Squares' : block }
    })
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ page } = studio)
    const { owner } = studio
    id = (await owner.call(routes.workspaces.create, { body: { name: 'Prices' } })).id
    const write = (path: string, body: string) =>
      owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
    await write('total/tool.yaml', yaml)
    await write('total/main.js', total)
    await write('half.js', 'export default (env, { n }) => n / 2\n')
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true })
  const dialog = (on: Page) => on.getByRole('dialog')
  const tool = (name: string) => studio.owner.call(routes.tools.get, { params: { name } })

  test('a folder of a workspace is exported as a tool from the tree, and a file from its menu', story, async () => {
    await page.goto(`/workspaces/${id}`)
    await page.getByRole('treeitem', { name: 'total' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Export as tool…' }).click()
    await dialog(page).getByText('Empty: as tool.yaml says').first().waitFor()
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Export as tool' }).click()
    await page.waitForURL('**/tools/total')
    expect(await tool('total')).toMatchObject({ status: 'draft', description: 'Adds up prices' })

    await page.goto(`/workspaces/${id}?file=half.js`)
    await button(page, 'Actions for half.js').click()
    await page.getByRole('menuitem', { name: 'Export as tool…' }).click()
    await dialog(page).getByRole('textbox', { name: 'Description' }).fill('Halves a number')
    await dialog(page).getByRole('button', { name: 'Export as tool' }).click()
    await page.waitForURL('**/tools/half')
    expect(await tool('half')).toMatchObject({ status: 'draft', language: 'javascript' })
  })

  test('a block of a chat is exported as a tool', story, async () => {
    await page.goto('/threads')
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('Write a square')
    await message.press('Enter')
    await page.getByRole('region', { name: 'Block: Square' }).waitFor()
    await button(page, 'More for this block').click()
    await page.getByRole('menuitem', { name: 'Export as tool…' }).click()
    expect(await dialog(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('square')
    await dialog(page).getByRole('textbox', { name: 'Description' }).fill('Squares a number')
    await dialog(page).getByRole('button', { name: 'Export as tool' }).click()
    await page.waitForURL('**/tools/square')
    const { output } = await studio.owner.call(routes.tools.call, {
      params: { name: 'square' },
      body: { input: { n: 7 }, version: 1 },
    })
    expect(output).toBe(49)
  })

  test(
    'a model reviews a version, a colleague comments and approves it from the inbox, and it is published',
    story,
    async () => {
      const { owner, server } = studio
      await owner.call(routes.tools.setRules, { body: { toolReview: 'person', service: null } })
      await page.goto('/tools/total?tab=versions')
      await page.getByRole('button', { name: /^Version 1/ }).click()
      await button(page, 'Ask a model').click()
      await page
        .getByRole('region', { name: 'Reviews of version 1' })
        .getByText('An empty list is not tested')
        .waitFor()
      await page.getByText('main.js:1').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Publish version 1', exact: true }).first().click()
      await dialog(page).getByRole('button', { name: 'Publish version 1' }).click()
      await dialog(page).getByRole('button', { name: 'Show reviews' }).waitFor()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      expect(await tool('total')).toMatchObject({ status: 'draft' })

      const colleague = await studio.openWindow({ person: await server.invite(owner, 'editor'), colorScheme: 'dark' })
      await colleague.goto('/inbox')
      await colleague.getByText('Version 1 of tool total waits for a review').first().click()
      const reviews = colleague.getByRole('region', { name: 'Reviews of version 1' })
      await reviews.getByText('An empty list is not tested').waitFor()
      await expectAccessible(colleague)
      await reviews.getByRole('textbox', { name: 'Comment' }).fill('Fine for now')
      await reviews.getByRole('button', { name: 'Comment', exact: true }).click()
      await reviews.getByText('Fine for now').waitFor()
      await reviews.getByRole('button', { name: 'Approve' }).click()
      await colleague.getByText('Version 1 is approved').first().waitFor()

      await page.getByRole('button', { name: 'Publish version 1', exact: true }).first().click()
      await dialog(page).getByRole('textbox', { name: 'Note' }).fill('The first one')
      await dialog(page).getByRole('button', { name: 'Publish version 1' }).click()
      await dialog(page).getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: /^Version 1.*The first one/ }).waitFor()
      expect(await tool('total')).toMatchObject({ status: 'published', version: 1 })
      await owner.call(routes.tools.setRules, { body: { toolReview: 'none', service: null } })
    },
  )

  test('another team installs a tool that its team offers to the server', story, async () => {
    const { owner, server } = studio
    await page.goto('/tools/total?tab=access')
    await page.getByRole('combobox', { name: 'Reach' }).click()
    await page.getByRole('option', { name: /^Server/ }).click()
    await page.getByText('The reach of total is server').first().waitFor()
    const stranger = await server.stranger(owner)
    const window = await studio.openWindow({ person: stranger })
    await window.goto('/tools')
    await window.getByRole('region', { name: 'Tools of other teams' }).getByText('of First team').waitFor()
    await expectAccessible(window)
    await button(window, 'Install total').click()
    await window.waitForURL('**/tools/total')
    expect(await stranger.call(routes.tools.get, { params: { name: 'total' } })).toMatchObject({
      status: 'draft',
      owner: { name: stranger.me.person.name },
    })
  })

  test('by keys alone a file is made, written, run, published as a tool and called', story, async () => {
    const keys = await studio.openWindow({ person: studio.owner })
    await keys.addInitScript(
      `addEventListener('pointerdown', () => { window.pointers = (window.pointers ?? 0) + 1 }, true)`,
    )
    await keys.goto(`/workspaces/${id}`)
    await keys.getByRole('treeitem', { name: 'half.js' }).waitFor()
    const command = async (words: string) => {
      await keys.keyboard.press('Control+k')
      await keys.getByRole('combobox', { name: 'Search everything' }).waitFor()
      await keys.keyboard.type(words)
      await keys.getByRole('option', { name: words, selected: true }).waitFor()
      await keys.keyboard.press('Enter')
    }
    const press = async (name: string) => {
      await keys.getByRole('button', { name, exact: true, disabled: false }).first().focus()
      await keys.keyboard.press('Enter')
    }
    await command('New file')
    await keys.getByRole('textbox', { name: 'Path' }).waitFor()
    await keys.keyboard.insertText('shout.js')
    await keys.keyboard.press('Enter')
    await keys.locator('.monaco-editor.focused').waitFor()
    await keys.keyboard.insertText('console.log("it ran")\nexport default (env, { word }) => `${word}!`\n')
    await keys.keyboard.press('Control+Enter')
    await keys.getByRole('region', { name: 'Output', exact: true }).getByText('it ran').waitFor()

    await command('Publish as tool')
    await dialog(keys).getByRole('textbox', { name: 'Description' }).waitFor()
    await keys.keyboard.insertText('Shouts a word')
    await keys.keyboard.press('Enter')
    await keys.waitForURL('**/tools/shout')
    await keys.getByText('The tool is valid.').waitFor()
    await press('Try')
    const trial = keys.getByRole('region', { name: 'Try shout' })
    await trial.getByRole('textbox').first().focus()
    await keys.keyboard.press('Control+a')
    await keys.keyboard.insertText('{ "word": "hey" }')
    await keys.keyboard.press('Control+Enter')
    await trial.getByText('hey!').first().waitFor()
    await press('Make a test from this run')
    await press('Save version 2')
    await dialog(keys).locator('input:focus').waitFor()
    await keys.keyboard.insertText('With a test')
    await keys.keyboard.press('Enter')
    await press('Publish version 2')
    await dialog(keys).getByRole('textbox', { name: 'Note' }).focus()
    await keys.keyboard.press('Enter')
    await dialog(keys).getByRole('button', { name: 'Done' }).waitFor()
    await keys.keyboard.press('Enter')
    await expect.poll(async () => (await tool('shout')).status).toBe('published')
    expect(await keys.evaluate('window.pointers ?? 0')).toBe(0)
  })
})
