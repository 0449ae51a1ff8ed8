import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { leadTo, openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 240_000 }
const phone = { width: 390, height: 800 }

describe.skipIf(!hasChromium)('tools in the studio', () => {
  let studio: Studio
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ page } = studio)
  })
  afterAll(() => studio.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const tab = (name: string | RegExp) => page.getByRole('tab', { name })
  const dialog = () => page.getByRole('dialog')
  const said = (text: string | RegExp) => page.getByText(text).first()
  const tool = (name: string) => studio.owner.call(routes.tools.get, { params: { name } })

  async function typeInto(file: string, code: string): Promise<void> {
    await button(file).click()
    await page.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(code)
  }

  async function save(version: number, note = ''): Promise<void> {
    await button(`Save version ${version}`).click()
    await dialog().getByRole('textbox', { name: 'Note' }).fill(note)
    await dialog()
      .getByRole('button', { name: `Save version ${version}` })
      .click()
  }

  async function publish(words: string): Promise<void> {
    await button(words).click()
    await dialog().getByRole('button', { name: words }).click()
    await dialog().getByRole('button', { name: 'Done' }).click()
  }

  test('a Python tool is created, tried, tested and published', story, async () => {
    await page.goto('/tools')
    await page.getByRole('heading', { name: 'No tools yet' }).waitFor()
    await expectAccessible(page)
    await button('New tool').first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Greet Me')
    await button('Create tool').click()
    await said('Lower-case letters, digits and hyphens: invoice-total').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('greet')
    await button('Create tool').click()
    await page.waitForURL('**/tools/greet')
    await said('The tool is valid.').waitFor()
    await page.locator('.monaco-editor .view-line').first().waitFor()
    await expectAccessible(page)

    await button('Try').first().click()
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Olga')
    await button('Run').click()
    await said('Hello Olga').waitFor()
    await expectAccessible(page)
    await button('Make a test from this run').click()
    await save(2)
    await said('Version 2 of greet is saved').waitFor()

    await tab(/^Tests/).click()
    await button('Run tests of version 2').click()
    await said('All 2 passed').waitFor()
    await expectAccessible(page)

    await button('Publish version 2').click()
    await dialog().getByText('Tests pass').waitFor()
    await dialog().getByRole('button', { name: 'Publish version 2' }).click()
    await dialog().getByRole('button', { name: 'Done' }).waitFor()
    await expectAccessible(page)
    await dialog().getByRole('button', { name: 'Done' }).click()
    expect(await tool('greet')).toMatchObject({ status: 'published', version: 2 })
  })

  test(
    'an edit becomes a version with a diff, a failing test keeps it back, and an older one is published again',
    story,
    async () => {
      await page.goto('/tools/greet')
      const loud = 'def main(name: str = "world") -> str: return f"HELLO {name}"'
      await typeInto('main.py', loud)
      await save(3, 'Louder')
      await said('Version 3 of greet is saved').waitFor()
      await button('Publish version 3').click()
      await dialog().getByRole('button', { name: 'Publish version 3' }).click()
      await dialog()
        .getByText(/2 of 2 failed/)
        .waitFor()
      await dialog().getByRole('button', { name: 'Show tests' }).click()
      await button('Delete somebody').click()
      await button('Delete from a run').click()
      await button('Add test').first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('loud')
      await page.getByRole('textbox', { name: 'Input as JSON' }).fill('{ "name": "Ann" }')
      await page.getByRole('textbox', { name: 'Check' }).fill('output.startswith("HELLO")')
      await dialog().getByRole('button', { name: 'Add test' }).click()
      await save(4)
      await said('Version 4 of greet is saved').waitFor()
      await publish('Publish version 4')
      expect(await tool('greet')).toMatchObject({ version: 4 })

      await tab('Versions').click()
      await button(/^Version 3.*Louder/).click()
      const changes = page.getByRole('region', { name: 'What version 3 changes' })
      await changes.waitFor()
      expect(await changes.textContent()).toContain('HELLO')
      await expectAccessible(page)
      await button(/^Version 2/).click()
      await publish('Roll back to version 2')
      expect(await tool('greet')).toMatchObject({ version: 2, newestVersion: 4 })
    },
  )

  test('a schema is written as a form and as JSON, with a sample that is checked', story, async () => {
    await page.goto('/tools/greet?tab=schema')
    await said('The sample fits the schema.').waitFor()
    await page.getByRole('radio', { name: 'Written here' }).click()
    await button('Add field to input').click()
    await page.getByRole('textbox', { name: 'Description of field2' }).fill('How often')
    const json = page.getByRole('textbox', { name: 'JSON Schema' })
    await expect.poll(() => json.inputValue()).toContain('"How often"')
    await expectAccessible(page)
    await json.fill('{ "type": "strin" }')
    await page
      .getByRole('region', { name: 'Sample' })
      .getByText(/The schema is not valid/)
      .waitFor()
    await button('Discard changes').click()
    await said(/^Read from the code when version 4/).waitFor()
  })

  test('its usage, its exports and its access are shown, and a past run becomes a test', story, async () => {
    const { run } = await studio.owner.call(routes.tools.call, {
      params: { name: 'greet' },
      body: { input: { name: 'Bob' } },
    })
    await page.goto('/tools/greet?tab=usage')
    await page.getByRole('table', { name: 'Callers' }).getByText('Olga Owner').waitFor()
    await expectAccessible(page)
    await tab('Export').click()
    await page.getByRole('tab', { name: 'LangChain', exact: true }).click()
    await said(/DynamicStructuredTool/).waitFor()
    await expectAccessible(page)
    await tab('Access').click()
    await page.getByRole('combobox', { name: 'Reach' }).waitFor()
    await expectAccessible(page)
    await tab('Used by').click()
    await said(/^None\./).waitFor()
    await tab('Deploy to MCP').click()
    await page.getByRole('radio', { name: 'API key' }).click()
    await button('Create a key and fill it in').click()
    const key = await page.getByLabel('API key', { exact: true }).and(page.locator('output')).textContent()
    await page.getByLabel('Snippet for Claude Code').getByText(`Bearer ${key}`).waitFor()
    await expectAccessible(page)
    const listed = await fetch(`${studio.server.url}/api/v1/tools/greet`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(listed.status).toBe(200)

    await page.goto(`/runs/${run.id}`)
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Make a test of greet' }).click()
    await said('The test is in tool.yaml').waitFor()
    await page.getByRole('list', { name: 'Tests' }).getByText('{"name":"Bob"}').waitFor()
    await button('Discard changes').click()
  })

  test('a run is exported as a tool in two clicks', story, async () => {
    const { id } = await studio.owner.call(routes.runs.create, {
      body: { language: 'javascript', code: 'export default (env, { n }) => n * 2', input: { n: 21 } },
    })
    await page.goto(`/runs/${id}`)
    await button('More actions').click()
    await page.getByRole('menuitem', { name: 'Export as tool…' }).click()
    await dialog().getByRole('textbox', { name: 'Name' }).fill('double')
    await dialog().getByRole('textbox', { name: 'Description' }).fill('Doubles a number')
    await expectAccessible(page)
    await dialog().getByRole('button', { name: 'Export as tool' }).click()
    await page.waitForURL('**/tools/double')
    expect(await tool('double')).toMatchObject({
      status: 'draft',
      current: { definition: { tests: [{ input: { n: 21 }, output: 42 }] } },
    })
  })

  test('a tool is found, tried and published with the keyboard alone', story, async () => {
    await page.goto('/')
    await page.getByRole('main').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('double')
    await page.getByRole('option', { name: /^double/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/tools/double')
    await said('The tool is valid.').waitFor()
    const press = async (name: string) => {
      await button(name).first().focus()
      await page.keyboard.press('Enter')
    }
    await press('Try')
    await page.getByRole('region', { name: 'Try double' }).waitFor()
    const input = page
      .getByRole('textbox', { name: 'Input as JSON' })
      .or(page.getByRole('textbox', { name: 'n', exact: true }))
    await input.first().focus()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Try double' }).getByText('42').waitFor()
    await press('Publish version 1')
    await dialog().getByRole('textbox', { name: 'Note' }).focus()
    await page.keyboard.type('The first one')
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Done' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await tool('double')).status).toBe('published')
  })

  test('pages of tools are accessible in the dark and on a phone', story, async () => {
    const dark = await studio.openWindow({ person: studio.owner, colorScheme: 'dark' })
    const walk = async (window: Page) => {
      await window.goto('/tools')
      await window.getByRole('table', { name: 'Tools' }).getByText('greet', { exact: true }).first().waitFor()
      await expectAccessible(window)
      for (const at of ['edit', 'schema', 'tests', 'versions', 'usage', 'export', 'access', 'mcp']) {
        await leadTo(window, `/tools/greet?tab=${at}`)
        await window.getByRole('tab', { selected: true }).first().waitFor()
        await window.waitForLoadState('networkidle')
        await expectAccessible(window)
        // nothing is wider than the window
        expect(await window.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
    }
    await walk(dark)
    await dark.setViewportSize(phone)
    await walk(dark)
    await page.setViewportSize(phone)
    await walk(page)
    await page.getByRole('radio', { name: 'Try' }).click()
    await page.getByRole('region', { name: 'Try greet' }).waitFor()
    await expectAccessible(page)
  })
})
