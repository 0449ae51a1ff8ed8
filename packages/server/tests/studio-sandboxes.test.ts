import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from './harness/chromium.ts'
import { openStudio, type Studio } from './harness/studio.ts'
import type { TestPerson } from './harness/test-server.ts'

describe.skipIf(!hasChromium)('sandboxes in the studio', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
  })
  afterAll(() => studio.close())

  async function runCell(code: string): Promise<void> {
    const next = page.getByRole('region', { name: 'Next cell' })
    const cells = page.getByRole('list', { name: 'Cells' }).getByRole('article')
    const before = await cells.count()
    await next.locator('.monaco-editor .view-line').first().click()
    await page.keyboard.insertText(code)
    await next.getByRole('button', { name: 'Run cell', disabled: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells.count(), { timeout: 15_000 }).toBe(before + 1)
    await next.getByRole('button', { name: 'Run cell', disabled: true }).waitFor()
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
      await page.getByRole('button', { name: 'Make sandbox' }).click()
      await page.getByRole('heading', { name: 'Spring sales' }).waitFor()
      const id = page.url().split('/').at(-1) ?? ''

      await runCell(
        'import pandas as pd\nframe = pd.DataFrame({"n": range(120), "double": [2 * n for n in range(120)]})',
      )
      await runCell('frame.n.sum()')
      const cells = page.getByRole('list', { name: 'Cells' }).getByRole('article')
      await cells.nth(1).getByRole('region', { name: 'Result' }).getByText('7140').waitFor({ timeout: 30_000 })

      // a page of a data frame
      await page.getByRole('button', { name: /^frame/ }).click()
      await page.getByText('1–50 of 120').waitFor()
      await page.getByRole('button', { name: 'More rows' }).click()
      await page.getByText('51–100 of 120').waitFor()
      await page.getByRole('cell', { name: '198', exact: true }).waitFor()
      await expectAccessible(page)

      // files in and out
      await page.getByRole('tab', { name: 'Files' }).click()
      await page.getByText('start.md', { exact: true }).waitFor()
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'in.txt', mimeType: 'text/plain', buffer: Buffer.from('given') })
      await page.getByText('in.txt', { exact: true }).waitFor()
      await runCell('open("in.txt").read() + "!"')
      await cells.nth(2).getByText('given!').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download in.txt' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('in.txt')

      // a cell that goes on is interrupted, and what was there before stays
      await runCell('while True: pass')
      await page.getByRole('button', { name: 'Interrupt' }).click()
      await cells.nth(3).getByText('cancelled').first().waitFor()

      // what the stopped cell had made by then is among the variables, and what a cell wrote among the files
      await runCell('part = frame.head(3); open("written.txt", "w").write("x")')
      await page.getByText('written.txt', { exact: true }).waitFor()
      await runCell('stopped = 1; print("is made")\nwhile True: pass')
      await cells.nth(5).getByText('is made', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Interrupt' }).click()
      await cells.nth(5).getByText('cancelled').first().waitFor()
      await page.getByRole('tab', { name: 'Variables' }).click()
      await page.getByRole('button', { name: /^stopped/ }).waitFor()
      await page.getByRole('button', { name: /^part/ }).click()
      await page.getByText('1–3 of 3').waitFor()
      await runCell('part = frame.head(2)')
      await page.getByText('1–2 of 2').waitFor()

      // a command, and its output
      await page.getByRole('tab', { name: 'Processes' }).click()
      await page.getByLabel('Command').fill('echo from the background; sleep 60')
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByText('from the background', { exact: true }).waitFor()

      // a shell
      await page.getByRole('tab', { name: 'Terminal' }).click()
      await page.getByRole('button', { name: 'Open terminal' }).click()
      const terminal = page.getByRole('group', { name: 'Terminal' })
      await terminal.locator('.xterm-helper-textarea').waitFor({ state: 'attached' })
      await expect.poll(() => terminal.textContent()).toContain('$')
      await page.keyboard.type('echo $((6 * 7)) > made.txt; cat made.txt\n')
      await expect.poll(() => terminal.textContent()).toMatch(/made\.txt[\s\S]*42/)
      // its shell is there after a look elsewhere, and takes a long paste
      await page.keyboard.type('stty -echo; kept=still; wc -c > pasted.txt\n')
      const paths = async () =>
        (await owner.call(routes.sandboxes.listFiles, { params: { id } })).items.map((file) => file.path)
      await expect.poll(paths).toContain('pasted.txt')
      await page.getByRole('tab', { name: 'Files' }).click()
      await page.getByText('pasted.txt', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Terminal' }).click()
      await terminal.locator('.xterm-helper-textarea').focus()
      await page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ('x'.repeat(99) + '\\n').repeat(1000))
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      }`)
      await page.keyboard.press('Control+d')
      await page.keyboard.type('echo $kept $(cat pasted.txt)\n')
      await expect.poll(() => terminal.textContent(), { timeout: 30_000 }).toContain('still 100000')

      // it sleeps, and says what is gone
      await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 1000 } })
      await page.goto('/sandboxes')
      await page.getByRole('table', { name: 'Sandboxes' }).getByText('sleeping').waitFor({ timeout: 30_000 })
      await page.getByRole('link', { name: 'Spring sales' }).click()
      await owner.call(routes.sandboxes.extend, { params: { id }, body: { idleTimeoutMs: 600_000 } })
      await page.getByRole('button', { name: 'Run the cells again' }).click()
      await page.getByText('cells ran again').waitFor({ timeout: 60_000 })
      await runCell('len(frame) / 1')
      await cells.last().getByRole('region', { name: 'Result' }).getByText('120.0').waitFor()

      // a cell that asks is answered where it asks
      await runCell('name = input("Who? ")')
      await page.getByRole('textbox', { name: 'Who?' }).fill('Olga')
      await page.keyboard.press('Enter')
      await runCell('open("made-by-cell.txt", "w").write(name); name * 2')
      await cells.last().getByText('OlgaOlga').waitFor()

      // gone with its name
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByRole('button', { name: 'Delete sandbox' }).click()
      await page.getByText('No sandbox yet').waitFor()
    },
  )
})
