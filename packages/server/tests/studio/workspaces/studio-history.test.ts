import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'

describe.skipIf(!hasChromium)('the history of a workspace', () => {
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
    'a person undoes one turn of an agent, looks at past files, compares two versions and restores one file',
    {
      timeout: 180_000,
    },
    async () => {
      const { owner, page } = studio
      const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Past' } })
      const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()
      const write = (path: string, body: string) =>
        owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
      await write('a.txt', 'one\n\ntwo\n\nthree\n')
      await write('b.txt', 'first\n')
      const calls = [
        { name: 'read_file', arguments: { path: 'a.txt' } },
        { name: 'edit_file', arguments: { path: 'a.txt', search: 'one', replace: 'ONE' } },
        { name: 'write_file', arguments: { path: 'c.txt', content: 'made\n' } },
      ]
      let step = 0
      chat.answer(({ tools }) => {
        const call = tools.length > 0 ? calls[step++] : undefined
        return call ? { calls: [call] } : { text: 'Done.' }
      })
      const { turn } = await owner.call(routes.threads.create, {
        body: { agent: 'coder', workspaceId: id, message: { text: 'Work' } },
      })
      const turnId = turn?.id ?? ''
      await expect
        .poll(async () => (await owner.call(routes.threads.getTurn, { params: { id: turnId } })).status, {
          timeout: 30_000,
        })
        .toBe('done')
      await write('a.txt', 'ONE\n\ntwo\n\nthree, typed since\n')

      await page.goto(`/workspaces/${id}?file=a.txt`)
      await page.getByRole('button', { name: 'Actions for a.txt' }).click()
      await page.getByRole('menuitem', { name: /History/ }).click()
      const versions = page.getByRole('list', { name: 'Versions' })
      await expect.poll(() => page.getByRole('radio', { name: 'This file' }).isChecked()).toBe(true)
      await page.getByRole('radio', { name: 'All files' }).click()
      await versions.getByRole('button', { name: 'coder changed 2 files' }).waitFor()
      await expectAccessible(page)

      await versions.getByRole('button', { name: 'Show changes' }).click()
      await page.getByRole('region', { name: 'Changed: a.txt' }).getByText('ONE', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'New file: c.txt' }).waitFor()
      await page.getByRole('combobox', { name: 'From version' }).click()
      await page.getByRole('option', { name: /^Version 1\b/ }).click()
      await page.getByRole('combobox', { name: 'To version' }).click()
      await page.getByRole('option', { name: /^Version 2\b/ }).click()
      await page.getByRole('region', { name: 'New file: b.txt' }).waitFor()
      expect(await page.getByRole('region', { name: /: a\.txt$/ }).count()).toBe(0)
      await page.getByRole('combobox', { name: 'To version' }).click()
      await page.getByRole('option', { name: /^Version 5\b/ }).click()
      const changed = page.getByRole('region', { name: 'Changed: a.txt' })
      await changed.getByRole('button', { name: 'Restore' }).click()
      await expect.poll(() => read('a.txt')).toBe('one\n\ntwo\n\nthree\n')
      expect(await read('c.txt')).toBe('made\n')
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await expect.poll(() => read('a.txt')).toContain('typed since')
      await page.getByRole('button', { name: 'Close comparison' }).click()

      const slider = page.getByRole('slider', { name: 'Version to show' })
      await slider.focus()
      await page.keyboard.press('Home')
      await page.getByRole('heading', { name: 'Files at version 1' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'Files at version 2' }).waitFor()
      const past = page.getByRole('list', { name: 'Files at version 2' })
      await expect.poll(() => past.getByRole('button').allTextContents()).toEqual(['a.txt', 'b.txt'])
      await expect.poll(() => page.getByRole('region', { name: 'a.txt at version 2' }).textContent()).toContain('one')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Close version' }).click()

      await versions.getByRole('button', { name: 'Undo just this' }).click()
      await expect.poll(() => read('a.txt')).toBe('one\n\ntwo\n\nthree, typed since\n')
      expect((await owner.fetch(`/api/v1/workspaces/${id}/files/c.txt`)).status).toBe(404)
    },
  )
})
