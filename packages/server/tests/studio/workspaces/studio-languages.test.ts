import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

const lines = (on: Page) => on.locator('.monaco-editor:visible .view-line')
const focusEditor = (on: Page) =>
  on.locator('.monaco-editor:visible').locator('textarea, .native-edit-context').first().focus()

describe.skipIf(!hasChromium)('languages in the editor', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Languages' } }))
  })
  afterAll(() => studio.close())

  const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
  const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()
  async function open(on: Page, path: string): Promise<void> {
    await on.goto(`/workspaces/${id}?file=${encodeURIComponent(path)}`)
    await lines(on).first().waitFor()
    await on.getByText('Saved', { exact: true }).waitFor()
  }
  async function typeAtEnd(on: Page, text: string): Promise<void> {
    await focusEditor(on)
    await on.keyboard.press('Control+End')
    await on.keyboard.type(text, { delay: 30 })
  }

  test('Python is completed, explained and checked with the other files of the workspace', story, async () => {
    await write(
      'helper.py',
      'def greet(name: str) -> str:\n    """Says hello to someone."""\n    return "hello " + name\n',
    )
    await write('main.py', 'import helper\n\nwrong: int = helper.greet("a")\n')
    await open(page, 'main.py')
    // its problem is in the list
    await page.goto(`/workspaces/${id}?file=main.py&panel=problems`)
    await page.getByText('"str" is not assignable to "int"').first().waitFor({ timeout: 60_000 })

    await typeAtEnd(page, 'helper.gr')
    const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'greet' })
    await suggestion.waitFor({ timeout: 30_000 })
    await page.keyboard.press('Enter')
    await page.keyboard.type('(')
    await page.locator('.parameter-hints-widget', { hasText: 'name: str' }).waitFor()
    await page.keyboard.type('"b"')
    await page.keyboard.press('Escape')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read('main.py')).toContain('helper.greet("b")')
    await expectAccessible(page)

    // the definition is in another file
    await page.keyboard.press('Control+Home')
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'End',
      'ArrowLeft',
      'ArrowLeft',
      'ArrowLeft',
      'ArrowLeft',
      'ArrowLeft',
    ])
      await page.keyboard.press(key)
    await page.keyboard.press('F12')
    await page.waitForURL(/file=helper\.py/)
    await lines(page).filter({ hasText: 'def greet' }).waitFor()
    await lines(page).locator('span', { hasText: 'greet' }).last().hover()
    await page.locator('.monaco-hover:visible', { hasText: 'Says hello to someone.' }).waitFor()
  })

  test('a viewer reads with it, in the dark and on a narrow screen', story, async () => {
    const viewer = await studio.server.invite(owner, 'viewer')
    const theirs = await studio.openWindow({ person: viewer, colorScheme: 'dark' })
    await theirs.setViewportSize({ width: 390, height: 800 })
    await open(theirs, 'main.py')
    await theirs.locator('.squiggly-error').first().waitFor({ timeout: 60_000 })
    await expectAccessible(theirs)
    await theirs.close()
  })

  test('an agent in a workspace is completed, explained and checked by its schema', story, async () => {
    await write('helper.yaml', 'kind: agent\nname: Helper\ndescription: Helps\ninstructions: Help.\n')
    await open(page, 'helper.yaml')
    await page.goto(`/workspaces/${id}?file=helper.yaml&panel=problems`)
    await page.getByText('name must be lower-case letters').first().waitFor()

    // a field, then its values
    await typeAtEnd(page, 'too')
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'tools' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'run-code' }).waitFor()
    await page.keyboard.type('run')
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read('helper.yaml')).toContain('\ntools:\n  - run-code')
    await page.locator('.monaco-editor:visible .view-line span', { hasText: 'tools' }).last().hover()
    await page.locator('.monaco-hover:visible', { hasText: 'What it may use' }).waitFor()
    await expectAccessible(page)
  })

  test('a tool, a skill and an agent as JSON have help too', story, async () => {
    const suggestion = (text: string) => page.locator('.suggest-widget .monaco-list-row', { hasText: text }).first()
    await write('count/tool.yaml', 'kind: tool\nname: count\ndescription: Counts\nlanguage: python\n')
    await write('sum/tool.yaml', 'kind: tool\nname: sum\ndescription: Adds\nlanguage: python\ninput:\n  ')
    await page.goto(`/workspaces/${id}?file=count%2Ftool.yaml&panel=problems`)
    await page.getByText('main.py is missing').first().waitFor()
    await open(page, 'sum/tool.yaml')
    await typeAtEnd(page, 'ty')
    await suggestion('type').waitFor()
    await page.keyboard.press('Enter')
    await suggestion('object').waitFor()

    await write('skills/tidy/SKILL.md', '---\nname: other\ndescription: Tidies\n---\n\nTidy up.\n')
    await page.goto(`/workspaces/${id}?file=skills%2Ftidy%2FSKILL.md&panel=problems`)
    await page.getByRole('button', { name: 'Show source' }).click()
    await page.getByText('name must be').first().waitFor()
    await lines(page).locator('span', { hasText: 'description' }).first().hover()
    await page.locator('.monaco-hover:visible', { hasText: 'models choose by it' }).waitFor()

    await write('agent.json', '{ "kind": "agent", "name": "a", "description": "A", "instructions": "A",  }')
    await open(page, 'agent.json')
    await focusEditor(page)
    await page.keyboard.press('Control+End')
    for (let left = 0; left < 2; left++) await page.keyboard.press('ArrowLeft')
    // its schema comes a moment after the file
    await expect
      .poll(
        async () => {
          await page.keyboard.press('Escape')
          await page.keyboard.press('Control+Space')
          await page.waitForTimeout(300)
          return suggestion('limits').isVisible()
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  })

  test('a file is formatted by its keys, on save where chosen, and from the palette', story, async () => {
    const content = (path: string) => expect.poll(() => read(path), { timeout: 30_000 })
    await write('ugly.py', "x = { 'a':1 }\n")
    await open(page, 'ugly.py')
    await focusEditor(page)
    await page.keyboard.press('Shift+Alt+F')
    await content('ugly.py').toBe('x = {"a": 1}\n')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('y  = ')
    await page.keyboard.press('Shift+Alt+F')
    await page.getByRole('heading', { name: 'Cannot format ugly.py' }).waitFor()

    await write('ugly.ts', 'const   a:number=1\n')
    await open(page, 'ugly.ts')
    await focusEditor(page)
    await page.keyboard.press('Control+S')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').last().fill('format')
    await page.getByRole('option', { name: 'Format on save' }).click()
    expect(await read('ugly.ts')).toBe('const   a:number=1\n')
    await focusEditor(page)
    await page.keyboard.press('Control+S')
    await content('ugly.ts').toBe('const a: number = 1;\n')

    for (const [path, before, after] of [
      ['ugly.json', '{"a":1}', '{ "a": 1 }\n'],
      ['ugly.css', 'a{color:red}', 'a {\n  color: red;\n}\n'],
      ['ugly.yaml', 'a:   1\n', 'a: 1\n'],
      ['ugly.html', '<p>a</p\n>', '<p>a</p>\n'],
    ] as const) {
      await write(path, before)
      await open(page, path)
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox').last().fill(`Format ${path}`)
      await page.getByRole('option', { name: `Format ${path}` }).click()
      await content(path).toBe(after)
    }
  })
})
