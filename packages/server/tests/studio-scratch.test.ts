import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from './harness/chromium.ts'
import { openStudio, type Studio } from './harness/studio.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('the scratch in the studio', () => {
  let studio: Studio
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ page } = studio)
  })
  afterAll(() => studio.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const started = async () => (await studio.owner.call(routes.runs.list, {})).items.length
  const focused = () => page.locator(':focus').innerText()

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
