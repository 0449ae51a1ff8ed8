import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { openStudio, type Studio } from '../harness/studio.ts'
import type { TestPerson } from '../harness/test-server.ts'

describe.skipIf(!hasChromium)('sandboxes in the studio', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
  })
  afterAll(() => studio.close())

  const cell = (number: number) => page.getByRole('region', { name: `Cell ${number}`, exact: true })
  const shot = async (name: string) => {
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` })
  }

  /** Types into the cell that comes next and runs it; answers its number. */
  async function runCell(code: string): Promise<number> {
    const next = page.getByRole('region', { name: 'Next cell', exact: true })
    const cells = page.getByRole('list', { name: 'Cells' }).getByRole('listitem')
    const before = await cells.count()
    const line = next.locator('.monaco-editor .view-line').first()
    const closed = next.getByText('Click to type code')
    await line.or(closed).waitFor()
    if (await closed.isVisible()) await closed.click()
    await line.click()
    await page.keyboard.insertText(code)
    await next.getByRole('button', { name: 'Run', disabled: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells.count(), { timeout: 15_000 }).toBe(before + 1)
    await next.getByRole('button', { name: 'Run', disabled: true }).waitFor()
    return before + 1
  }

  test(
    'a person makes a sandbox, works in it cell by cell, looks into a frame, moves files, and finds all of it after it slept',
    { timeout: 240_000 },
    async () => {
      await page.goto('/sandboxes')
      await page.getByText('No sandbox yet').waitFor()
      await expectAccessible(page)
      // what it is to begin with
      await page.getByRole('button', { name: 'Templates' }).click()
      await page.getByText('No template yet').waitFor()
      await page.getByRole('button', { name: 'Build a template' }).click()
      await page.getByLabel('Name').fill('notes')
      await page
        .getByLabel('Files of the template')
        .setInputFiles({ name: 'start.md', mimeType: 'text/plain', buffer: Buffer.from('begin here') })
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Build', exact: true }).click()
      await page.getByRole('list', { name: 'Templates' }).getByText('notes').waitFor()
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'New sandbox' }).first().click()
      await page.getByLabel('Name').fill('Spring sales')
      await page.getByRole('combobox', { name: 'Template' }).click()
      await page.getByRole('option', { name: 'notes' }).click()
      await page.getByLabel('Memory in MB').fill('512')
      await page.getByRole('button', { name: 'Create sandbox' }).click()
      await page.getByRole('heading', { name: 'Spring sales' }).waitFor()
      const id = page.url().split('/').at(-1) ?? ''

      await runCell(
        'import pandas as pd\nframe = pd.DataFrame({"n": range(120), "double": [2 * n for n in range(120)]})',
      )
      await runCell('frame.n.sum()')
      await cell(2).getByRole('region', { name: 'Result' }).getByText('7140').waitFor({ timeout: 30_000 })

      // a page of a data frame
      await page.getByRole('button', { name: /^frame/ }).click()
      await page.getByText('1–50 of 120').waitFor()
      await page.getByRole('button', { name: 'More rows' }).click()
      await page.getByText('51–100 of 120').waitFor()
      await page.getByRole('cell', { name: '100', exact: true }).first().waitFor()
      await shot('frame')
      await expectAccessible(page)

      // files in and out
      await page.getByRole('tab', { name: 'Files' }).click()
      await page.getByText('start.md', { exact: true }).waitFor()
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'in.txt', mimeType: 'text/plain', buffer: Buffer.from('given') })
      await page.getByText('in.txt', { exact: true }).waitFor()
      await runCell('open("in.txt").read() + "!"')
      await cell(3).getByText('given!').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download in.txt' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('in.txt')
      await owner.call(routes.workspaces.create, { body: { name: 'Sales desk' } })
      await page.getByRole('button', { name: 'Copy in.txt to workspace' }).click()
      await page.getByLabel('Path').fill('from-sandbox.txt')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved from-sandbox.txt').waitFor()
      await page.getByRole('button', { name: 'More for files' }).click()
      await page.getByRole('menuitem', { name: 'Copy from workspace…' }).click()
      await page.getByRole('button', { name: 'Copy files' }).click()
      await page.getByText('from-sandbox.txt', { exact: true }).waitFor()

      // a cell that goes on is interrupted, and what was there before stays
      await runCell('stopped = 1; print("is made")\nwhile True: pass')
      await cell(4).getByText('is made', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Interrupt' }).click()
      await cell(4).getByText('cancelled').first().waitFor()
      await page.getByRole('tab', { name: 'Variables' }).click()
      await page.getByRole('button', { name: 'All variables' }).click()
      await page.getByRole('button', { name: /^stopped/ }).waitFor()

      // a shell in the dock below goes on while its page is left
      await page
        .getByRole('button', { name: /bottom dock/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Open terminal' }).click()
      const terminal = page.getByRole('group', { name: 'Terminal', exact: true })
      await terminal.locator('.xterm-helper-textarea').waitFor({ state: 'attached' })
      await expect.poll(() => terminal.textContent()).toContain('$')
      await page.keyboard.type('kept=still; echo $((6 * 7)) > made.txt; cat made.txt\n')
      await expect.poll(() => terminal.textContent()).toMatch(/made\.txt[\s\S]*42/)
      await shot('terminal')
      await page.goto('/sandboxes')
      await page.getByRole('main').getByRole('link', { name: 'Spring sales' }).click()
      await expect.poll(() => terminal.textContent(), { timeout: 15_000 }).toMatch(/made\.txt[\s\S]*42/)
      // and takes a long paste
      await page.keyboard.type('stty -echo; wc -c > pasted.txt\n')
      const paths = async () =>
        (await owner.call(routes.sandboxes.listFiles, { params: { id } })).items.map((file) => file.path)
      await expect.poll(paths).toContain('pasted.txt')
      await page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ('x'.repeat(99) + '\\n').repeat(1000))
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      }`)
      await page.keyboard.press('Control+d')
      await page.keyboard.type('echo $kept $(cat pasted.txt)\n')
      await expect.poll(() => terminal.textContent(), { timeout: 30_000 }).toContain('still 100000')
      await page.getByRole('tab', { name: 'Processes' }).click()
      await page.getByLabel('Command').fill('echo from the background; sleep 60')
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByText('from the background', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Close the bottom dock' }).first().click()

      // it sleeps, and says what is gone
      await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 1000 } })
      await page.goto('/sandboxes')
      await page.getByRole('table', { name: 'Sandboxes' }).getByText('sleeping').waitFor({ timeout: 30_000 })
      await page.getByRole('main').getByRole('link', { name: 'Spring sales' }).click()
      await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 600_000 } })
      await page.getByRole('button', { name: 'Run all cells again…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run the cells' }).click()
      await page.getByText('3 cells ran').waitFor({ timeout: 60_000 })
      await runCell('len(frame) / 1')
      await cell(5).getByRole('region', { name: 'Result' }).getByText('120.0').waitFor()

      // a cell that asks is answered where it asks, and what it asked stays
      await runCell('name = input("Who? ")')
      await page.getByRole('textbox', { name: 'Who?' }).fill('Olga')
      await page.keyboard.press('Enter')
      await cell(6).getByText('Who? Olga').waitFor()

      // gone with its name
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByRole('button', { name: 'Delete sandbox' }).click()
      await page.getByText('No sandbox yet').waitFor()
    },
  )

  test(
    'a notebook is edited, ordered and run again, two see the same, and a fork has its cells',
    { timeout: 120_000 },
    async () => {
      const { id } = await owner.call(routes.sandboxes.create, { body: { name: 'Notes', language: 'python' } })
      const run = (code: string) =>
        owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code } })
      await run('a = 1')
      await run('a + 1')
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      const colleague = await studio.openWindow({ person: await studio.server.invite(owner, 'viewer') })
      await Promise.all([page.goto(`/sandboxes/${id}`), colleague.goto(`/sandboxes/${id}`)])
      await page.evaluate(`new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
      await cell(2).getByText('2', { exact: true }).first().waitFor()
      await page.waitForTimeout(500)
      expect(await page.evaluate<number>('window.shifted ?? 0')).toBeLessThan(0.05)

      // typed where it stands, run with Shift-Enter, on to the next
      await cell(1).getByText('a = 1').click()
      await cell(1).locator('.monaco-editor.focused').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('a = 41')
      await page.keyboard.press('Shift+Enter')
      await expect.poll(() => page.evaluate('document.activeElement?.dataset.cell !== undefined')).toBe(true)
      await page.keyboard.press('Control+Enter')
      await cell(2).getByRole('region', { name: 'Result' }).getByText('42').waitFor()
      await colleague.getByRole('region', { name: 'Cell 1', exact: true }).getByText('a = 41').waitFor()
      expect(await colleague.getByRole('button', { name: 'More for Cell 1' }).count()).toBe(0)

      // text above, moved below, collapsed
      await page.keyboard.press('b')
      await cell(3).locator('.monaco-editor.focused').waitFor()
      await page.keyboard.insertText('print("third")')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Alt+ArrowUp')
      await cell(2).getByText('print("third")').waitFor()
      await page.getByRole('button', { name: 'More for Cell 1' }).click()
      await page.getByRole('menuitem', { name: 'Insert text below' }).click()
      await page.getByRole('textbox', { name: 'Text of Cell 2' }).fill('# A heading\n\nwith *words*')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'A heading' }).waitFor()
      await colleague.getByRole('heading', { name: 'A heading' }).waitFor()
      await shot('notebook')
      await expectAccessible(page)

      // deleted and put back
      await page.getByRole('button', { name: 'More for Cell 4' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await cell(4).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await cell(4).getByText('42').waitFor()

      // renamed in place, its network opened
      await page.getByRole('button', { name: 'Notes', exact: true }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Better notes')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Better notes' }).waitFor()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Settings…' }).click()
      await page.getByLabel('Network: addresses it may reach').fill('https://example.com/')
      await shot('settings')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Settings saved').waitFor()
      expect((await owner.call(routes.sandboxes.get, { params: { id } })).network).toEqual({
        allow: ['https://example.com/'],
      })

      // all of it again from the start
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Restart and run all' }).click()
      await page.getByText('3 cells ran').waitFor()
      await cell(3).getByText('third', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Fork' }).click()
      await page.getByRole('heading', { name: 'Better notes (fork)' }).waitFor()
      await page.getByText('Variables were not copied. Run all cells again.').waitFor()
      await cell(4).getByText('42').waitFor()
      await shot('fork')
      await page.setViewportSize({ width: 390, height: 800 })
      await shot('phone')
      await expectAccessible(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('button', { name: 'Run all cells again…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run the cells' }).click()
      await page.getByText('3 cells ran again').waitFor()
      expect(complaints).toEqual([])
      await colleague.context().close()
    },
  )
})
