import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const answer = 'Done. Try it:\n\n```python title="Square"\nx = 12\nprint(x * x)\n```\n'

describe.skipIf(!hasChromium)('the dock of a conversation', () => {
  let chat: ChatServer
  let studio: Studio

  beforeAll(async () => {
    chat = await startChatServer()
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  test(
    'shows a block, a change and a file beside the messages, and keeps its width',
    { timeout: 180_000 },
    async () => {
      const { owner, page } = studio
      const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Docked' } })
      const path = 'notes.md'
      await owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path }, body: '# Notes\n\nold\n' })
      const calls = [
        { name: 'read_file', arguments: { path } },
        { name: 'edit_file', arguments: { path, search: 'old', replace: 'new' } },
      ]
      let step = 0
      chat.answer(({ tools }) => {
        const call = tools.length > 0 ? calls[step++] : undefined
        return call ? { calls: [call] } : { text: tools.length > 0 ? answer : 'Docked' }
      })
      const { id } = await owner.call(routes.threads.create, { body: { agent: 'coder', workspaceId } })
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`/threads/${id}`)
      await page.getByRole('textbox', { name: 'Message' }).fill('Work')
      await page.keyboard.press('Enter')
      const log = page.getByRole('log')
      const dock = page.getByRole('region', { name: 'Right dock' })
      const block = 'Block: Square'
      await log.getByRole('region', { name: block }).waitFor()

      await log.getByRole('region', { name: block }).getByRole('button', { name: 'Open beside' }).click()
      await dock.getByRole('tab', { name: 'Square' }).waitFor()
      await log.getByText('Square is open beside').waitFor()
      await dock.getByRole('button', { name: /^Runs / }).click()
      await page.getByRole('menuitem', { name: /^Server/ }).click()
      await dock.getByRole('button', { name: 'Run', exact: true }).click()
      await dock.getByText('144').waitFor()
      await expectAccessible(page)

      await log
        .getByRole('list', { name: 'Changed files' })
        .getByRole('button', { name: `Open ${path} beside` })
        .click()
      await dock
        .getByRole('region', { name: `Lines of ${path}` })
        .getByText('new')
        .waitFor()
      // the block is back in its message, with what came of it
      await log.getByRole('region', { name: block }).getByText('144').waitFor()

      await dock.getByRole('tab', { name: 'Files' }).click()
      await dock.getByRole('list', { name: 'Files of the workspace' }).getByRole('button', { name: path }).click()
      await dock.getByRole('heading', { name: 'Notes' }).waitFor()
      await dock.getByText('new', { exact: true }).waitFor()
      await dock.getByRole('tab', { name: 'Changes' }).click()
      await dock.getByRole('list', { name: 'Changes by answer' }).getByText('new').waitFor()
      await dock.getByRole('tab', { name: 'Details' }).click()
      await dock.getByRole('link', { name: 'coder' }).waitFor()
      await expectAccessible(page)

      const separator = page.getByRole('separator', { name: 'Resize the right dock' })
      await separator.press('ArrowLeft')
      const width = await separator.getAttribute('aria-valuenow')
      await page.reload()
      await dock.getByRole('link', { name: 'coder' }).waitFor()
      expect(await separator.getAttribute('aria-valuenow')).toBe(width)
      await page.keyboard.press('Control+Alt+b')
      await dock.waitFor({ state: 'hidden' })

      const phone = await studio.openWindow({ person: owner, colorScheme: 'dark' })
      await phone.setViewportSize({ width: 390, height: 800 })
      await phone.goto(`/threads/${id}`)
      await phone.getByRole('button', { name: 'Open beside' }).first().click()
      await phone.getByRole('radio', { name: 'Square' }).waitFor()
      await phone.getByRole('region', { name: 'Right dock' }).getByRole('region', { name: block }).waitFor()
      await expectAccessible(phone)
      await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await phone.getByRole('radio', { name: 'Messages' }).click()
      await phone.getByRole('button', { name: 'Show here' }).click()
      await phone.getByRole('log').getByRole('region', { name: block }).waitFor()
      await phone.close()
    },
  )
})
