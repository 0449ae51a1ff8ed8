import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('proposals in the editor', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Plans' } }))
  })
  afterAll(() => studio.close())

  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const text = (changes: Record<number, string> = {}) =>
    `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`
  const write = (body: string, query: { agent?: string; readVersion?: number; message?: string } = {}) =>
    owner.call(routes.workspaces.writeFile, { params: { id, path: 'plan.txt' }, query, body })
  const read = async () => (await owner.fetch(`/api/v1/workspaces/${id}/files/plan.txt`)).text()
  const bar = (on: Page, name: string) => on.getByRole('group', { name })
  const mine = { 3: 'mine 3', 25: 'mine 25' }

  test('an agent’s changes stand in the open file, where one is accepted and the other rejected', story, async () => {
    const { version } = await write(text())
    await write(text(mine))
    await page.goto(`/workspaces/${id}?file=plan.txt`)
    await page.locator('.view-line', { hasText: 'mine 3' }).waitFor()
    const proposed = text({ 3: 'three\nand a half', 25: 'twenty-five' })
    await write(proposed, { agent: 'helper', readVersion: version, message: 'In words' })

    const first = bar(page, 'Proposed change 1 of 2, by helper')
    await first.getByText('In words').waitFor()
    const added = page.getByLabel('Proposed lines').filter({ hasText: 'and a half' })
    expect(await added.textContent()).toBe('three\nand a half')
    await page.locator('.proposed-removed').first().waitFor()
    expect(await read()).toBe(text(mine))
    await expectAccessible(page)
    const theirs = await studio.openWindow({ person: await studio.server.invite(owner, 'viewer'), colorScheme: 'dark' })
    await theirs.goto(`/workspaces/${id}?file=plan.txt`)
    await bar(theirs, 'Proposed change 1 of 2').waitFor()
    expect(await bar(theirs, 'Proposed change 1 of 2').getByRole('button').count()).toBe(0)
    await expectAccessible(theirs)

    // a line above that the server hears of later does not put the wrong one in
    await page.locator('.view-line', { hasText: 'line 1' }).first().click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('title\n')
    await first.getByRole('button', { name: 'Accept' }).click()
    const last = bar(page, 'Proposed change, by helper')
    await last.waitFor()
    await page.locator('.view-line', { hasText: 'and a half' }).waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expect.poll(read).toBe(`title\n${text({ 3: 'three\nand a half', 25: 'mine 25' })}`)

    // by keyboard: from the text to the next change, and on to its second button
    await page.locator('.view-line', { hasText: 'line 1' }).first().click()
    await page.keyboard.press('Alt+F5')
    await page.locator('.proposed-bar button:focus').filter({ hasText: 'Accept' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await last.waitFor({ state: 'detached' })
    await page.locator('.monaco-editor.focused').waitFor()
    expect(await read()).toBe(`title\n${text({ 3: 'three\nand a half', 25: 'mine 25' })}`)
    const decided = await owner.call(routes.workspaces.listProposals, { params: { id }, query: { status: 'accepted' } })
    expect(decided.items).toHaveLength(1)
  })
})
