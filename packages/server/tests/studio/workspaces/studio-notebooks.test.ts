import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { formatOfNotebook, hasNbconvert, hasNbformat, scriptByJupyter } from '../../harness/outside/jupyter.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 240_000 }

const plot = 'import matplotlib.pyplot as plt\nplt.plot(days)\nplt.title(f"{len(days)} days")\nplt.show()'
const notebook = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: { mine: 1 }, source: ['# Weather\n', '\n', 'As measured.'] },
    {
      ...{ cell_type: 'code', execution_count: null, id: 'days', metadata: {}, outputs: [] },
      source: ['days = [11.5, 9, 10]'],
    },
    {
      ...{ cell_type: 'code', execution_count: null, id: 'plot', metadata: { tags: ['keep'] }, outputs: [] },
      source: plot.split(/(?<=\n)/),
    },
  ],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' }, widgets: { state: {} } },
  nbformat: 4,
  nbformat_minor: 5,
}
const text = `${JSON.stringify(notebook, null, 1)}\n`

describe.skipIf(!hasChromium)('a notebook of a workspace', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Weather' } }))
    await owner.call(routes.workspaces.writeFile, { params: { id, path: 'weather.ipynb' }, body: text })
  })
  afterAll(() => studio.close())

  const cell = (on: Page, number: number) => on.getByRole('region', { name: `Cell ${number}`, exact: true })
  const read = async (path = 'weather.ipynb') => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()

  test('is edited and run with shared variables, keeps its outputs, and shows them to others', story, async () => {
    await page.goto(`/workspaces/${id}?file=weather.ipynb`)
    await page.getByRole('heading', { name: 'Weather', level: 2 }).or(page.getByText('As measured.')).first().waitFor()
    const theirs = await studio.openWindow({ person: await studio.server.invite(owner, 'editor'), colorScheme: 'dark' })
    await theirs.goto(`/workspaces/${id}?file=weather.ipynb`)
    await theirs.getByText('days = [11.5, 9, 10]').waitFor()

    // an edit in one window is in the other
    await cell(page, 2).getByText('days = [11.5, 9, 10]').click()
    await page.locator('.monaco-editor.focused').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' + [12]')
    await cell(theirs, 2).getByText('days = [11.5, 9, 10] + [12]').waitFor()

    await page.keyboard.press('Control+Enter')
    await cell(page, 2).getByText('[1]', { exact: true }).waitFor()
    await cell(page, 3).getByRole('button', { name: 'Run', exact: true }).click()
    await cell(page, 3).getByRole('img').waitFor()
    await page.getByText('Python session, 2 cells').first().waitFor()
    await cell(theirs, 3).getByRole('img').waitFor()
    await expectAccessible(page)
    await expectAccessible(theirs)

    // what is in the file is what was shown, and nothing else of it has changed
    await page.getByText('Saved', { exact: true }).waitFor()
    await expect.poll(() => read()).toContain('image/png')
    const written = JSON.parse(await read()) as typeof notebook
    expect(written.cells[2]).toMatchObject({ id: 'plot', metadata: { tags: ['keep'] }, execution_count: 2 })
    expect(written).toMatchObject({
      metadata: notebook.metadata,
      cells: [notebook.cells[0], { execution_count: 1 }, {}],
    })
    await page.reload()
    await cell(page, 3).getByRole('img').waitFor()
    await cell(page, 3).getByText('[2]', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Open the bottom dock' }).click()
    await page.getByRole('region', { name: 'Bottom dock' }).getByRole('tab', { name: 'Variables' }).click()
    await page.getByRole('list', { name: 'Variables' }).getByText('days', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show source' }).click()
    await page.locator('.monaco-editor:visible .view-line').first().waitFor()
    await page.getByRole('button', { name: 'Show notebook' }).click()
    await cell(page, 3).getByRole('img').waitFor()
  })

  test('becomes a script with cells, and that a notebook again', story, async () => {
    await page.getByRole('button', { name: 'Actions for weather.ipynb' }).click()
    await page.getByRole('menuitem', { name: 'Convert to script' }).click()
    await page.getByRole('heading', { level: 2, name: 'weather.py' }).waitFor()
    await page.locator('.monaco-editor:visible .view-line').filter({ hasText: '# %% [markdown]' }).waitFor()
    await page.getByRole('button', { name: 'Actions for weather.py' }).click()
    await page.getByRole('menuitem', { name: 'Convert to notebook' }).click()
    await page.getByRole('heading', { level: 2, name: 'weather 2.ipynb' }).waitFor()
    await cell(page, 2).getByText('days = [11.5, 9, 10] + [12]').waitFor()
  })

  test(
    'is valid by the schema of nbformat 4.5, with outputs and converted, and Jupyter opens it',
    story,
    async (context) => {
      if (!hasNbformat) return context.skip('needs python3-nbformat')
      const texts = await Promise.all(['weather.ipynb', 'weather%202.ipynb'].map(read))
      expect(await Promise.all(texts.map(formatOfNotebook))).toEqual(['4.5', '4.5'])
      if (!hasNbconvert) return context.skip('needs jupyter-nbconvert')
      expect(await scriptByJupyter(texts[0] ?? '')).toContain('days = [11.5, 9, 10] + [12]')
    },
  )

  test('shares its session with the cells of a script, whose values stand beside their lines', story, async () => {
    const body = '# %%\ncount = len(days)\n# %%\ncount + 1\n'
    await owner.call(routes.workspaces.writeFile, { params: { id, path: 'count.py' }, body })
    await page.goto(`/workspaces/${id}?file=count.py`)
    await page.locator('.monaco-editor:visible .view-line').filter({ hasText: 'count + 1' }).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+Enter')
    await page.getByText('Ln 3, Col 1').waitFor()
    await page.getByText('Python session, 3 cells').first().waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    const value = page.locator('.line-result')
    await value.filter({ hasText: '= 5' }).waitFor()

    // what the session knows completes what is typed, and what was shown beside the line is old
    await page.keyboard.press('Control+End')
    await page.keyboard.type('count.bit_c')
    await value.waitFor({ state: 'detached' })
    await page
      .locator('.suggest-widget .monaco-list-row')
      .filter({ hasText: 'bit_count' })
      .filter({ hasText: 'session' })
      .waitFor()
  })

  test('has the output of a cell whose window was closed before it ended', story, async () => {
    const slow = 'import time\nprint("begun")\ntime.sleep(8)\nprint("late", 6 * 7)'
    const cells = [{ ...notebook.cells[1], id: 'slow', source: [slow] }]
    const params = { id, path: 'slow.ipynb' }
    await owner.call(routes.workspaces.writeFile, { params, body: JSON.stringify({ ...notebook, cells }) })
    const address = `/workspaces/${id}?file=slow.ipynb`
    const first = await page.context().newPage()
    await first.goto(address)
    await cell(first, 1).getByRole('button', { name: 'Run', exact: true }).click()
    await cell(first, 1).getByText('begun', { exact: true }).waitFor()
    await first.close()
    expect(await read('slow.ipynb')).not.toContain('42')

    // what goes on is seen again, and what comes of it is written once
    const second = await page.context().newPage()
    await second.goto(address)
    await cell(second, 1).getByText('late 42').waitFor()
    await cell(second, 1).getByText('[1]', { exact: true }).waitFor()
    await expect.poll(() => read('slow.ipynb')).toContain('late 42')
    await second.reload()
    await cell(second, 1).getByText('late 42').waitFor()
    await cell(second, 1).getByText('[1]', { exact: true }).waitFor()
    await second.close()
  })
})
