import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

describe.skipIf(!hasChromium)('conversations of two people', () => {
  let chat: ChatServer
  let studio: Studio

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ tools }) => ({ text: tools.length === 0 ? 'Numbers of May' : 'They add up.' }))
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const list = (on: Page) => on.getByRole('navigation', { name: 'Conversations' })
  const choose = (on: Page, tab: string) => on.getByRole('radio', { name: tab, exact: true }).click()

  test(
    'one is private to its author, is shared with the team, and is taken back, while a colleague looks on',
    { timeout: 120_000 },
    async () => {
      const { page, owner, server } = studio
      const colleague = await server.invite(owner, 'editor')
      const other = await studio.openWindow({ person: colleague, colorScheme: 'dark' })
      await Promise.all([page.goto('/threads'), other.goto('/threads?tab=team')])
      await page.getByText('Only you see the conversation until you share it').waitFor()
      await page.getByRole('textbox', { name: 'Message' }).fill('Add up the numbers of May')
      await page.keyboard.press('Enter')
      await page.getByText('They add up.').waitFor()
      await page.getByRole('banner').or(page.locator('header')).getByText('Private', { exact: true }).first().waitFor()
      const today = list(page).getByRole('list', { name: 'Today' })
      await today.getByRole('link', { name: /Numbers of May/ }).waitFor()
      await today.getByLabel('Private').waitFor()
      await expectAccessible(page)

      const address = new URL(page.url()).pathname
      await other.getByText('No conversations', { exact: true }).waitFor()
      await other.goto(address)
      await other.getByRole('heading', { name: 'Page not found' }).waitFor()
      await other.goto('/threads?tab=team')

      const menu = async (entry: string) => {
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: entry }).click()
      }
      await menu('Share with team…')
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText(/^Everyone in .* will see it/).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Share with team' }).click()
      await page.locator('header').getByText('Team', { exact: true }).waitFor()

      // nobody told the colleague: their list has it by itself, signed
      const line = list(other).getByRole('link', { name: /Numbers of May/ })
      await line.getByText('Olga Owner · coder').waitFor()
      await line.click()
      await other.getByText('They add up.').waitFor()
      expect(new URL(other.url()).searchParams.get('tab')).toBe('team')
      await other.getByText(/^Olga Owner with/).waitFor()
      await expectAccessible(other)
      await other.getByRole('button', { name: 'More', exact: true }).click()
      expect(await other.getByRole('menuitem', { name: 'Make private…' }).count()).toBe(0)
      await other.keyboard.press('Escape')

      await menu('Make private…')
      await dialog.getByText('Only you will see it', { exact: false }).waitFor()
      await dialog.getByRole('button', { name: 'Make private' }).click()
      await other.getByRole('heading', { name: 'Page not found' }).waitFor()
      await expect.poll(() => line.count()).toBe(0)

      await menu('Archive')
      await expect.poll(() => today.count()).toBe(0)
      await choose(page, 'Archived')
      await list(page)
        .getByRole('link', { name: /Numbers of May/ })
        .waitFor()
      expect(new URL(page.url()).searchParams.get('tab')).toBe('archived')

      // an admin sees that a colleague's is there, and no word of it
      const title = 'What the colleague keeps'
      await colleague.call(routes.threads.create, { body: { agent: 'coder', title } })
      await choose(page, 'Team')
      await page.getByRole('combobox', { name: 'Started by' }).click()
      await page.getByRole('option', { name: /^Private/ }).click()
      await list(page).getByText('Private conversation').waitFor()
      expect(await page.getByText(title).count()).toBe(0)
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 800 })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await other.context().close()
    },
  )
})
