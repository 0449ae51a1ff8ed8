import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('the scratch in the studio', () => {
  let studio: Studio
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ page } = studio)
  })
  afterAll(() => studio.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const started = async () => (await studio.owner.call(routes.runs.list, {})).items.length
  const shows = (on: Page, text: string) => on.locator('.monaco-editor:visible .view-line', { hasText: text })
  async function typeCode(on: Page, code: string): Promise<void> {
    await on.locator('.monaco-editor:visible .view-line').first().click()
    await on.keyboard.press('Control+A')
    await on.keyboard.insertText(code)
  }

  test(
    'an option that cannot be used is told at its field, which is shown when the code is to run',
    story,
    async () => {
      // at 200 % zoom the options show half a field at a time
      await page.setViewportSize({ width: 640, height: 400 })
      await page.goto('/scratch')
      await button('Options').click()
      const network = page.getByRole('textbox', { name: 'Network: addresses it may reach' })
      await network.fill('https://api.example.com/\nhttps://*.example.com/')
      await page.getByRole('checkbox', { name: 'Write no files' }).focus()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => network.evaluate((field) => field.matches(':focus'))).toBe(true)
      const error = page.getByText('There are no wildcards')
      expect(await error.innerText()).toContain('https://*.example.com/')
      const { x = 0, y = 0, height = 0 } = (await error.boundingBox()) ?? {}
      const seen = await page.evaluate<string>(`document.elementFromPoint(${x + 40}, ${y + height - 4}).textContent`)
      expect(seen).toContain('There are no wildcards')
      expect(await started()).toBe(0)
      await expectAccessible(page)

      // where options are counted there is less room beside them
      await page.setViewportSize({ width: 768, height: 800 })
      const run = await button('Run').boundingBox()
      expect(run && run.x + run.width).toBeLessThanOrEqual(768)
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  )

  test('options that were reset come back at a click, beside what was typed since', story, async () => {
    await page.goto('/scratch')
    await button(/^Options/).click()
    const stdin = page.getByRole('textbox', { name: 'Standard input' })
    const variables = page.getByRole('textbox', { name: 'Environment variables' })
    await stdin.fill('typed with care')
    await button('Reset options').click()
    await expect.poll(() => stdin.inputValue()).toBe('')
    await variables.fill('A=1')
    await button('Undo').click()
    await button('Options · 3').click()
    await expect.poll(() => stdin.inputValue()).toBe('typed with care')
    expect(await variables.inputValue()).toBe('A=1')
    await button('Reset options').click()
  })

  test('a program in Scratch is on another machine too, with its versions, and nobody else has it', story, async () => {
    const person = await studio.server.invite(studio.owner, 'editor')
    const here = await studio.openWindow({ person })
    await here.goto('/scratch')
    await shows(here, 'import math').waitFor()
    await typeCode(here, 'print("typed", "here")')
    await here.keyboard.press('Control+Enter')
    await here.getByText('typed here').waitFor()
    await expectAccessible(here)
    const address = here.url()
    await here.context().close()

    const there = await studio.openWindow({ person, colorScheme: 'dark' })
    await there.goto('/workspaces')
    const first = there.getByRole('table', { name: 'Workspaces' }).locator('tbody tr').first()
    await expect.poll(() => first.innerText()).toContain('Scratch')
    await expectAccessible(there)
    await first.getByRole('button', { name: 'Actions for Scratch' }).click()
    await there.getByRole('menuitem', { name: 'Download as zip' }).waitFor()
    for (const name of ['Rename', 'Archive', 'Delete'])
      expect(await there.getByRole('menuitem', { name, exact: true }).count()).toBe(0)
    await there.keyboard.press('Escape')
    await there.goto('/scratch')
    await shows(there, 'print("typed", "here")').waitFor()
    const { items } = await person.call(routes.workspaces.listVersions, {
      params: { id: new URL(address).pathname.split('/').at(-1) ?? '' },
    })
    expect(items.at(-1)?.message).toBe('A first program')
    expect(items.length).toBeGreaterThan(1)
    await there.context().close()

    await page.goto(new URL(address).pathname)
    await page.getByText('Workspace not found').waitFor()
  })

  test('Scratch takes over drafts of the browser at its first opening, file by file', story, async () => {
    const person = await studio.server.invite(studio.owner, 'editor')
    const kept = await studio.openWindow({ person })
    const options = { stdin: 'a line' }
    const drafts = {
      language: 'typescript',
      python: { entry: 'main.py', files: { 'main.py': 'print(open("rows.csv").read())', 'rows.csv': '1,2' }, options },
      typescript: { entry: 'main.ts', files: { 'main.ts': 'console.log("kept")', 'rows.csv': '3,4' }, options: {} },
    }
    await kept.goto('/')
    await kept.getByRole('heading', { name: 'Workspaces' }).first().waitFor()
    await kept.evaluate((stored) => {
      const { localStorage } = globalThis as unknown as { localStorage: { setItem(key: string, value: string): void } }
      localStorage.setItem('coherex.scratch.language', stored.language)
      localStorage.setItem('coherex.draft.scratch.python', JSON.stringify(stored.python))
      localStorage.setItem('coherex.draft.scratch.typescript', JSON.stringify(stored.typescript))
    }, drafts)
    await kept.goto('/scratch')
    await shows(kept, 'console.log("kept")').waitFor()
    const { id } = await person.call(routes.workspaces.openScratch, {})
    const read = (path: string) => person.call(routes.workspaces.readFile, { params: { id, path }, query: {} })
    const { items } = await person.call(routes.workspaces.listFiles, { params: { id } })
    expect(items.map(({ path }) => path).toSorted()).toEqual([
      'main.py',
      'rows.csv',
      'typescript/main.ts',
      'typescript/rows.csv',
    ])
    expect([await read('rows.csv'), await read('typescript/rows.csv')]).toEqual(['1,2', '3,4'])
    // once: what is deleted there does not come back
    await person.call(routes.workspaces.removeFile, { params: { id, path: 'typescript' }, query: {} })
    await kept.goto('/scratch')
    await shows(kept, 'rows.csv').waitFor()
    await kept.getByRole('button', { name: 'Options · 1' }).waitFor()
    expect((await person.call(routes.workspaces.listFiles, { params: { id } })).items).toHaveLength(2)
    await kept.context().close()
  })
})
