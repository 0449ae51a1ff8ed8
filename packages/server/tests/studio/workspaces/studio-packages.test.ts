import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { findAnyUv } from '../../harness/outside/find-uv.ts'
import { startNpmRegistry, type NpmRegistry } from '../../harness/outside/npm-registry.ts'
import { createWheelIndex, type WheelIndex } from '../../harness/outside/wheel-index.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'

const story = { timeout: 180_000 }
const longMs = 90_000

describe.skipIf(!hasChromium)('packages in the studio', () => {
  let studio: Studio
  let page: Page
  let registry: NpmRegistry
  let index: WheelIndex

  beforeAll(async () => {
    registry = await startNpmRegistry()
    index = await createWheelIndex()
    await registry.publish(
      { name: 'tidy-words', version: '1.0.0' },
      { name: 'tidy-words', version: '1.2.0', manifest: { dependencies: { 'word-list': '^2.0.0' } } },
      { name: 'word-list', version: '2.0.1' },
      {
        name: 'typed-words',
        version: '1.0.0',
        manifest: { exports: { '.': { types: './dist/words.d.ts', default: './index.js' } } },
        files: { 'dist/words.d.ts': 'export declare function shortestWord(words: string[]): string' },
      },
    )
    index.offer({ name: 'tidy', version: '1.5', files: { 'tidy.py': 'name = "tidy 1.5"\n' } })
    studio = await openStudio({ COHEREX_NPM_REGISTRY: registry.url, COHEREX_PYPI_INDEX: index.url })
    ;({ page } = studio)
    page.setDefaultTimeout(longMs)
  })
  afterAll(async () => {
    await studio.close()
    await registry.close()
    await index.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const output = (text: string) =>
    page.getByRole('region', { name: 'Output', exact: true }).getByText(text, { exact: true })

  async function pickLanguage(name: string): Promise<void> {
    const select = page.getByRole('combobox', { name: 'Language' })
    await select.click()
    await page.getByRole('option', { name, exact: true }).click()
    await page.waitForURL(/file=main.js/)
    await expect.poll(() => select.evaluate((element) => element.matches(':focus'))).toBe(true)
  }

  async function typeCode(code: string): Promise<void> {
    await page.locator('.monaco-editor:visible .view-line').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(code)
  }

  test('a package is found by its name, added, locked and used by a run, whose details name it', story, async () => {
    await page.goto('/scratch')
    await pickLanguage('JavaScript')
    await typeCode('import words from "tidy-words"\nconsole.log(words)')
    await button('Options').click()
    const field = page.getByRole('combobox', { name: 'Packages' })
    await field.fill('tidy-words')
    await page.getByRole('option', { name: /^1\.0\.0/ }).waitFor()
    await expectAccessible(page)
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Lock · 1 package').waitFor()
    await field.fill('tidy-words')
    await page.keyboard.press('Enter')
    await page.getByText('Lock · 2 packages').click()
    await page.getByRole('list', { name: 'Packages of the lock' }).getByText('word-list').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button('Run').click()
    await output('tidy-words@1.2.0').waitFor()
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByRole('list', { name: 'Packages of the lock' }).getByText('1.2.0').waitFor()
  })

  test('a package that the code makes up is added by the button of its failure', story, async () => {
    await page.goto('/scratch')
    await button(/^Options/).click()
    await button('Reset options').click()
    await page.keyboard.press('Escape')
    await typeCode('const name = ["word", "list"].join("-")\nconsole.log((await import(name)).default)')
    await button('Run').click()
    await button('Add word-list and run again').click()
    await output('word-list@2.0.1').waitFor()
    // what was added stays for the next run
    await button('Options · 1').click()
    await page.getByText('Lock · 1 package').waitFor()
    await page.keyboard.press('Escape')
  })

  test(
    'a workspace gets a package in its manifest and lock as one version, and its files run with it',
    story,
    async () => {
      const { owner } = studio
      const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Words', template: 'blank' } })
      const text = 'import words from "tidy-words"\nconsole.log(words)\n'
      const files = { params: { id }, body: { write: [{ path: 'main.js', text }] } }
      const { version } = await owner.call(routes.workspaces.changeFiles, files)
      await page.goto(`/workspaces/${id}?file=main.js&panel=packages`)
      await page.getByRole('combobox', { name: 'JavaScript' }).fill('tidy-words@1.0.0')
      await page.keyboard.press('Enter')
      await button('package-lock.json').waitFor()
      await page.getByText('Lock · 1 package').waitFor()
      await expectAccessible(page)
      const [latest] = (await owner.call(routes.workspaces.listVersions, { params: { id } })).items
      expect(latest).toMatchObject({ number: version + 1, message: 'Add tidy-words@1.0.0', changeCount: 2 })
      await button('Run').click()
      await output('tidy-words@1.0.0').waitFor()
    },
  )

  test('the rules of the team are set in the settings, and told where they refuse a package', story, async () => {
    await page.goto('/settings/packages')
    await page.getByRole('table', { name: 'Kept sets' }).getByText('tidy-words', { exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Listed' }).click()
    await page.getByRole('textbox', { name: 'Allowed packages' }).fill('word-*')
    await button('Save rules').click()
    await page.getByText('The rules for packages are set').waitFor()
    await page.goto('/scratch')
    await button(/^Options/).click()
    await page.getByRole('combobox', { name: 'Packages' }).fill('tidy-words')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Package rules of the team' }).click()
    await page.getByRole('radio', { name: 'Any' }).click()
    await button('Save rules').click()
    await page.getByText('The rules for packages are set').waitFor()
  })

  test('a cell whose module is missing has it added to its sandbox', story, async (context) => {
    if (!findAnyUv()) return context.skip('needs uv')
    const { id } = await studio.owner.call(routes.sandboxes.create, { body: { language: 'python' } })
    await page.goto(`/sandboxes/${id}`)
    await typeCode('import tidy\nprint(tidy.name)')
    await page.keyboard.press('Control+Enter')
    await button(/^Add tidy .*and run again$/).click()
    await page.getByText('tidy 1.5', { exact: true }).waitFor()
  })

  test('the editor of a workspace knows the types of the packages that package.json names', story, async () => {
    const { id } = await studio.owner.call(routes.workspaces.create, { body: { name: 'Typed' } })
    const code = 'import { shortestWord } from "typed-words"\nexport const word: number = shortestWord(["a"])\n'
    const write = [
      { path: 'package.json', text: '{ "dependencies": { "typed-words": "1.0.0" } }\n' },
      { path: 'main.ts', text: code },
    ]
    await studio.owner.call(routes.workspaces.changeFiles, { params: { id }, body: { message: 'Begin', write } })
    await page.goto(`/workspaces/${id}?file=main.ts&panel=problems`)
    await page.getByText("Type 'string' is not assignable to type 'number'").first().waitFor()
  })
})
