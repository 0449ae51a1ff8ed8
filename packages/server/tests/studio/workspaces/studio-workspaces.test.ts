import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../../harness/chromium.ts'
import { startGitServer, type GitServer } from '../../harness/outside/git-server.ts'
import { leadTo, openStudio, type Studio } from '../../harness/studio.ts'
import type { TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('workspaces in the studio', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let id: string
  let git: GitServer

  beforeAll(async () => {
    git = await startGitServer()
    studio = await openStudio({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${git.port}` })
    ;({ owner, page } = studio)
  })
  afterAll(async () => {
    await studio.close()
    await git.stop()
  })

  async function typeText(on: Page, text: string): Promise<void> {
    await on.locator('.monaco-editor:visible .view-line').first().click()
    await on.keyboard.press('Control+A')
    await on.keyboard.insertText(text)
  }

  const saved = (on: Page) => on.getByText('Saved', { exact: true }).waitFor()
  const panel = (on: Page, name: string) => on.getByRole('region', { name: 'Left dock' }).getByRole('tab', { name })
  async function open(on: Page, name: string): Promise<void> {
    const files = panel(on, 'Files')
    if ((await files.getAttribute('aria-selected')) !== 'true') await files.click()
    await on.getByRole('treeitem', { name }).click()
  }
  const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()
  const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })

  test(
    'someone makes a workspace from a template, edits a file, which is saved as it is typed, and runs it',
    story,
    async () => {
      await page.goto('/workspaces')
      await page.getByRole('main').getByRole('link', { name: 'Welcome' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'New workspace' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Invoices')
      await page.getByRole('combobox').click()
      await page.getByRole('option', { name: 'Python tool' }).click()
      await page.getByRole('button', { name: 'Create workspace' }).click()
      await page.waitForURL(/\/workspaces\/wsp_/)
      id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

      await page.getByRole('button', { name: 'New file' }).click()
      await page.getByRole('textbox', { name: 'Path' }).fill('src/hello.py')
      await page.getByRole('button', { name: 'Create file' }).click()
      await page.getByRole('treeitem', { name: 'hello.py' }).waitFor()
      // a file that was just made is typed in at once
      await page.locator('.monaco-editor.focused').waitFor()
      await typeText(page, 'print("made", 6 * 7)\n')
      await saved(page)
      await page.reload()
      await page.locator('.view-line', { hasText: 'made' }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Saved as you type').waitFor()
      expect(await read('src/hello.py')).toBe('print("made", 6 * 7)\n')

      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('region', { name: 'Output', exact: true }).getByText('made 42').waitFor()
      await page.getByRole('link', { name: 'Open the run' }).waitFor()
      await expectAccessible(page)
    },
  )

  test('the history shows what each version changed, and an old one is restored as a new one', story, async () => {
    await panel(page, 'History').click()
    const versions = page.getByRole('list', { name: 'Versions' })
    await versions.getByText('Started from the template').waitFor()
    await versions.getByRole('button', { name: /Version 3 ·/ }).click()
    const changes = page.getByRole('region', { name: 'Changed: src/hello.py' })
    await changes.getByText('print("made", 6 * 7)').waitFor()
    await expectAccessible(page)

    await versions.getByRole('button', { name: 'Actions for version 3' }).click()
    await page.getByRole('menuitem', { name: 'Name this version' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('first')
    await page.getByRole('button', { name: 'Name version' }).click()
    await versions.getByText('first', { exact: true }).waitFor()

    await versions.getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Restore this version' }).click()
    await page.getByText('Version 1 is restored as version 4').waitFor()
    await panel(page, 'Files').click()
    await page.getByRole('treeitem', { name: 'hello.py' }).waitFor({ state: 'hidden' })
    const told = page.getByRole('dialog', { name: 'Version 1 is restored as version 4' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('treeitem', { name: 'hello.py' }).waitFor()
    expect(await read('src/hello.py')).toBe('print("made", 6 * 7)\n')
  })

  test('files of several languages are opened one after the other, and nothing fails in the page', story, async () => {
    const welcome = (await owner.call(routes.workspaces.list, { query: { search: 'Welcome' } })).items[0]?.id ?? ''
    const other = await studio.openWindow({ person: owner })
    const failures: string[] = []
    other.on('pageerror', ({ message }) => failures.push(message))
    await other.goto(`/workspaces/${welcome}`)
    // the first loads what its language needs, and only then the others find what came with it
    for (const [name, text] of [
      ['greeting.js', 'export default'],
      ['report.sh', 'find'],
      ['primes.ts', 'function'],
    ] as const) {
      await open(other, name)
      const lines = other.locator('.monaco-editor:visible .view-line')
      await lines.filter({ hasText: text }).first().waitFor()
      await lines.locator('span span[class^="mtk"]').nth(3).waitFor()
    }
    // letters that lead to other places, typed one by one, are letters here
    await other.locator('.monaco-editor:visible .view-line').first().click()
    await other.keyboard.press('Home')
    await other.keyboard.type('/* light, gash, [ */ ')
    await other.locator('.view-line', { hasText: 'light, gash, [' }).waitFor()
    await saved(other)
    await other.getByRole('heading', { level: 2, name: 'primes.ts' }).waitFor()
    await other.getByRole('button', { name: 'Run', exact: true }).click()
    await other.getByRole('region', { name: 'Output', exact: true }).getByText('168 primes below 1000').waitFor()
    // beside a file with require() it needs no process all the same
    await other.getByText('isolate', { exact: true }).waitFor()
    expect(failures).toEqual([])
    await other.context().close()
  })

  test('what others type or write is seen by all, merged, and never lost', story, async () => {
    await write('notes.md', 'one\ntwo\nthree\n')
    await open(page, 'notes.md')
    await page.getByRole('article', { name: 'notes.md' }).getByText('three').waitFor()
    await page.getByRole('button', { name: 'Show source' }).click()
    await page.locator('.view-line', { hasText: 'three' }).waitFor()
    const other = await studio.server.invite(owner, 'editor')
    const theirs = await studio.openWindow({ person: other, colorScheme: 'dark' })
    await theirs.goto(`/workspaces/${id}?file=notes.md`)
    await theirs.getByRole('button', { name: 'Show source' }).click()
    await theirs.locator('.view-line', { hasText: 'three' }).waitFor()
    await page
      .getByRole('status')
      .getByText(/^editor \d+ is here$/)
      .waitFor()
    await theirs.getByRole('status').getByText('Olga Owner is here').waitFor()
    expect(await page.getByTitle(/^editor \d+: notes\.md$/).count()).toBe(1)

    await typeText(page, 'ONE\ntwo\nthree\n')
    await theirs.locator('.view-line', { hasText: 'ONE' }).waitFor()
    await theirs.locator('.view-line', { hasText: 'three' }).click()
    await theirs.keyboard.press('End')
    await theirs.keyboard.type(' AND FOUR')
    await page.locator('.view-line', { hasText: 'three AND FOUR' }).waitFor()
    await Promise.all([saved(page), saved(theirs)])
    expect(await read('notes.md')).toBe('ONE\ntwo\nthree AND FOUR\n')

    // a write of a whole file from elsewhere keeps what is typed meanwhile
    const { version } = await write('notes.md', 'ONE\ntwo\nthree\n')
    await page.locator('.view-line', { hasText: 'AND FOUR' }).waitFor({ state: 'hidden' })
    await page.locator('.view-line', { hasText: 'two' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' typed')
    await saved(page)
    await owner.call(routes.workspaces.writeFile, {
      params: { id, path: 'notes.md' },
      query: { readVersion: version },
      body: 'ONE\ntwo\nthree from elsewhere\n',
    })
    for (const on of [page, theirs]) {
      await on.locator('.view-line', { hasText: 'two typed' }).waitFor()
      await on.locator('.view-line', { hasText: 'three from elsewhere' }).waitFor()
    }
    expect(await read('notes.md')).toBe('ONE\ntwo typed\nthree from elsewhere\n')
    await Promise.all([expectAccessible(page), expectAccessible(theirs)])

    await owner.call(routes.workspaces.removeFile, { params: { id, path: 'notes.md' } })
    await page.getByText('This file was deleted').waitFor()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.getByRole('treeitem', { name: 'notes.md' }).waitFor()
    expect(await read('notes.md')).toBe('ONE\ntwo typed\nthree from elsewhere\n')
    await theirs.context().close()
  })

  test('a file is dropped in, found by its text, renamed, deleted, and brought back', story, async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    await page.locator('input[aria-label="Files to upload"]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: picture },
      { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('a needle in here\n') },
    ])
    await page.getByText('Uploaded 2 files').waitFor()
    await open(page, 'dot.png')
    const image = page.getByRole('img', { name: 'dot.png' })
    await expect.poll(() => image.evaluate((shown) => Reflect.get(shown, 'naturalWidth') as number)).toBe(1)

    await panel(page, 'Search').click()
    await page.getByRole('searchbox', { name: 'Search in all files' }).fill('needle')
    await page.getByRole('region', { name: 'words.txt' }).getByRole('button').click()
    await page.locator('.view-line', { hasText: 'needle' }).waitFor()
    expect(await page.locator('mark').textContent()).toBe('needle')

    await panel(page, 'Files').click()
    await page.getByRole('treeitem', { name: 'words.txt' }).press('F2')
    await page.getByRole('textbox', { name: 'Path' }).fill('docs/text.txt')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'docs/text.txt' }).waitFor()
    const folder = page.getByRole('treeitem', { name: 'docs' })
    await folder.press('ArrowLeft')
    await page.getByRole('treeitem', { name: 'text.txt' }).waitFor({ state: 'hidden' })
    await folder.press('Delete')
    await page.getByRole('button', { name: 'Delete file' }).click()
    await folder.waitFor({ state: 'hidden' })
    const told = page.getByRole('dialog', { name: 'docs is deleted' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await folder.waitFor()
  })

  test('an agent’s edit of lines a person changed waits as a proposal until the person accepts it', story, async () => {
    const made = await write('plan.md', 'alpha\nbeta\n')
    await write('plan.md', 'alpha\nbeta by hand\n')
    await owner.call(routes.workspaces.writeFile, {
      params: { id, path: 'plan.md' },
      query: { agent: 'helper', readVersion: made.version, message: 'Shorter' },
      body: 'alpha\nb\n',
    })
    await panel(page, 'Proposals').click()
    const card = page.getByRole('article', { name: 'Proposal for plan.md' })
    await card.getByText('beta by hand').waitFor()
    await expectAccessible(page)
    await card.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Nothing to decide').waitFor()
    expect(await read('plan.md')).toBe('alpha\nb\n')
    await panel(page, 'Files').click()
  })

  test(
    'a workspace is pushed to a repository and another is made from it, with errors at the field',
    story,
    async () => {
      await git.make('invoices')
      await leadTo(page, `/workspaces/${id}`)
      await page.getByRole('button', { name: 'Actions for Invoices' }).click()
      await page.getByRole('menuitem', { name: 'Push to git…' }).click()
      const push = page.getByRole('dialog', { name: 'Push to git' })
      await push.getByLabel('Address').fill(git.url('nowhere'))
      await push.getByRole('button', { name: 'Push' }).click()
      await push.getByText('There is no repository at that address').waitFor()
      expect(await push.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
      await expectAccessible(page)
      await push.getByLabel('Address').fill(git.url('invoices'))
      await push.getByRole('button', { name: 'Push' }).click()
      await page.getByText(/Pushed \d+ commits: main is at/).waitFor()
      expect(await git.git('invoices.git', 'ls-tree', '-r', '--name-only', 'main')).toContain('.py')

      await leadTo(page, '/workspaces')
      await page.getByRole('button', { name: 'New workspace' }).click()
      await page.getByRole('combobox', { name: 'Start from' }).click()
      await page.getByRole('option', { name: 'A git repository' }).click()
      await page.getByLabel('Address').fill(git.url('invoices'))
      await page.getByRole('button', { name: 'Create workspace' }).click()
      await page.waitForURL(/\/workspaces\/wsp_/)
      await page.getByRole('heading', { name: 'invoices' }).waitFor()
      await leadTo(page, `/workspaces/${id}`)
    },
  )

  test('viewers read and compare, and cannot change anything', story, async () => {
    const viewer = await studio.server.invite(owner, 'viewer')
    const theirs = await studio.openWindow({ person: viewer })
    await theirs.setViewportSize({ width: 400, height: 800 })
    await theirs.goto(`/workspaces/${id}`)
    await open(theirs, 'plan.md')
    await theirs.getByRole('button', { name: 'Show source' }).click()
    await theirs.locator('.view-line', { hasText: 'alpha' }).waitFor()
    await theirs.locator('.monaco-editor:visible .view-line').first().click()
    await theirs.keyboard.type('x')
    await theirs.getByText('Only editors, admins and owners can change files.').first().waitFor()
    expect(await read('plan.md')).toBe('alpha\nb\n')
    await expectAccessible(theirs)
    await theirs.getByRole('radio', { name: 'Files' }).click()
    await theirs.getByRole('treeitem', { name: 'plan.md' }).waitFor()
    expect(await theirs.getByRole('button', { name: 'New file' }).count()).toBe(0)
    await theirs.context().close()
  })

  test('a workspace is renamed, archived, taken back and deleted by its name', story, async () => {
    const { id: spare } = await owner.call(routes.workspaces.create, { body: { name: 'Spare' } })
    await leadTo(page, '/workspaces?archived=false')
    const row = page.getByRole('row', { name: /Spare/ })
    await row.getByRole('button', { name: 'Actions for Spare' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await row.waitFor({ state: 'hidden' })
    await page.getByText('Archived', { exact: true }).click()
    await row.waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Spare' }).click()
    await page.getByText('No files yet').waitFor()
    expect(await page.getByRole('button', { name: 'New file' }).count()).toBe(0)
    await page.goBack()
    await row.waitFor()
    await row.getByRole('button', { name: 'Actions for Spare' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('textbox', { name: 'Type Spare to confirm' }).fill('Spare')
    await page.getByRole('button', { name: 'Delete workspace' }).click()
    await page.getByText('Nothing is archived').waitFor()
    for (const gone of [spare, 'wsp_mistyped']) {
      await leadTo(page, `/workspaces/${gone}`)
      await page.getByText('Workspace not found').waitFor()
    }
  })
})
