import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const source = (how: string) =>
  `kind: agent\nname: writer\ndescription: Writes\ninstructions: Write in ${how}.\ntools: [files]\n`

describe.skipIf(!hasChromium)('the playground of an agent', () => {
  let chat: ChatServer
  let studio: Studio
  let page: Page

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ messages, tools }) => {
      if (tools.length === 0) return { text: 'A title' }
      return { text: JSON.stringify(messages).includes('in verse') ? 'Roses are red.' : 'There are roses.' }
    })
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ page } = studio)
    await studio.owner.call(routes.agents.create, { body: { source: source('prose') } })
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  async function change(to: string) {
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(source(to))
  }

  test(
    'unsaved changes and the saved version answer the same question side by side',
    { timeout: 120_000 },
    async () => {
      await page.goto('/agents/writer')
      await page.getByRole('tab', { name: 'Compare' }).click()
      const both = page.getByRole('textbox', { name: 'Message to both' })
      expect(await both.getAttribute('placeholder')).toBe('Change the definition to compare it with the saved one')

      await change('verse')
      await page.getByRole('tab', { name: 'Compare' }).click()
      await expect.poll(() => both.getAttribute('placeholder')).toBe('Ask both the same question')
      await both.fill('Roses?')
      await both.press('Enter')
      const saved = page.getByRole('region', { name: 'Version 1' })
      const unsaved = page.getByRole('region', { name: 'Unsaved changes' })
      await saved.getByText('There are roses.').waitFor()
      await unsaved.getByText('Roses are red.').waitFor()
      await expectAccessible(page)

      // nothing was saved
      const { version } = await studio.owner.call(routes.agents.get, { params: { name: 'writer' } })
      expect(version).toBe(1)
      await page.setViewportSize({ width: 390, height: 800 })
      await expectAccessible(page)
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  )

  test('Try answers with the unsaved changes, or with the saved version', { timeout: 120_000 }, async () => {
    await page.goto('/agents/writer')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    const message = page.getByRole('textbox', { name: 'Message', exact: true })
    await message.fill('Roses, please')
    await message.press('Enter')
    await page.getByText('Roses are red.').waitFor()
    await page.getByRole('combobox', { name: 'Definition to try' }).click()
    await page.getByRole('option', { name: 'version 1' }).click()
    await message.fill('Roses, please')
    await message.press('Enter')
    await page.getByText('There are roses.').waitFor()
  })
})
