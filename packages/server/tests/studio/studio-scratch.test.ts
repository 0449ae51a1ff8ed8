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
  const focused = () => page.locator(':focus').innerText()

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
      expect(run && run.x + run.width).toBeGreaterThan(700)
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

  test('files are added and removed by keyboard, and no key reaches the code behind a dialog', story, async () => {
    await page.goto('/scratch')
    await page.locator('.monaco-editor .view-line').first().waitFor()
    const before = await started()
    const add = async (path: string) => {
      await button('Add file').click()
      await page.getByRole('textbox', { name: 'Path' }).fill(path)
    }
    await add('lib/sum.py')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await add('lib/mean.py')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    await add('lib')
    await page.getByText('lib is a folder already, with lib/sum.py in it').waitFor()
    await page.getByRole('textbox', { name: 'Path' }).fill('main.py/x.py')
    await page.getByText('main.py is a file already, and no folder').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await button('Remove lib/mean.py').focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('lib/sum.py')
    await button('Remove lib/sum.py').focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('main.py')
    expect(await started()).toBe(before)
  })
})
