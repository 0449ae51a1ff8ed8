import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'

describe.skipIf(!hasChromium)('undo of an answer', () => {
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
    'the chat of a workspace lists what an answer changed, and undoes its files, then the conversation',
    { timeout: 120_000 },
    async () => {
      const { owner, page } = studio
      const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Undone' } })
      const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${workspaceId}/files/${path}`)).text()
      const write = (path: string, body: string) =>
        owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path }, body })
      await write('a.txt', 'before\n')
      const calls = [
        { name: 'read_file', arguments: { path: 'a.txt' } },
        { name: 'edit_file', arguments: { path: 'a.txt', search: 'before', replace: 'after' } },
        { name: 'write_file', arguments: { path: 'b.txt', content: 'made\n' } },
      ]
      let step = 0
      chat.answer(({ tools }) => {
        const call = tools.length > 0 ? calls[step++] : undefined
        return call ? { calls: [call] } : { text: 'Done.' }
      })
      const { id } = await owner.call(routes.threads.create, { body: { agent: 'coder', workspaceId } })
      const { id: turnId } = (await owner.call(routes.threads.turn, {
        ...{ params: { id }, query: { wait: 'false' }, body: { text: 'Work' } },
      })) as { id: string }
      await expect
        .poll(async () => (await owner.call(routes.threads.getTurn, { params: { id: turnId } })).status, {
          timeout: 30_000,
        })
        .toBe('done')
      expect(await read('a.txt')).toBe('after\n')
      await write('b.txt', 'made, and typed in\n')

      await page.goto(`/workspaces/${workspaceId}?panel=chat`)
      await page.getByRole('combobox', { name: 'Conversation' }).click()
      await page.getByRole('option').nth(1).click()
      const changed = page.getByRole('list', { name: 'Changed files' })
      await changed.getByRole('button', { name: 'a.txt' }).click()
      await changed.getByRole('region', { name: 'Lines of a.txt' }).getByText('after').waitFor()
      await changed.getByRole('region', { name: 'New file: b.txt' }).waitFor()
      const button = page.getByRole('button', { name: 'Undo changes' })
      await button.waitFor()
      await expectAccessible(page)
      await button.click()
      await page.getByText('a.txt: changes undone').first().waitFor()
      await page.getByText('b.txt stays as it is').first().waitFor()
      expect(await read('a.txt')).toBe('before\n')
      expect(await read('b.txt')).toBe('made, and typed in\n')

      await page.getByRole('button', { name: 'More for this answer' }).click()
      await page.getByRole('menuitem', { name: /Undo this answer/ }).click()
      await page.getByRole('button', { name: 'Undo files and conversation' }).click()
      await page.getByText('The conversation is back before your message').first().waitFor()
      await page.getByText('Send coder its first message.').waitFor()
      await page.getByRole('button', { name: 'Show it again' }).click()
      await page.getByRole('log').getByText('Done.').waitFor()
    },
  )
})
