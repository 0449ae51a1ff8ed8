import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, launchChromium, openWindow } from '../../harness/chromium.ts'
import { startKillableServer } from '../../harness/killable-server.ts'
import { watchStretch } from '../../harness/load/machine-stretch.ts'
import { startChatServer, type ChatServer } from '../../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../../harness/studio.ts'
import { invitePerson, setUpOwner, type TestPerson } from '../../harness/test-server.ts'

const story = { timeout: 180_000 }

const lines = (on: Page) => on.locator('.monaco-editor:visible .view-line')
const line = (on: Page, text: string | RegExp) => lines(on).filter({ hasText: text })
const saved = (on: Page) => on.getByText('Saved', { exact: true }).waitFor()
const focusEditor = (on: Page) =>
  on.locator('.monaco-editor:visible').locator('textarea, .native-edit-context').first().focus()
async function type(on: Page, at: 'start' | 'end', text: string): Promise<void> {
  await focusEditor(on)
  await on.keyboard.press(at === 'start' ? 'Control+Home' : 'Control+End')
  await on.keyboard.type(text)
}

describe.skipIf(!hasChromium)('the live editor', () => {
  let chat: ChatServer
  let studio: Studio
  let owner: TestPerson
  let page: Page
  let theirs: Page
  let id: string

  beforeAll(async () => {
    chat = await startChatServer()
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ owner, page } = studio)
    ;({ id } = await owner.call(routes.workspaces.create, { body: { name: 'Together' } }))
    const other = await studio.server.invite(owner, 'editor')
    theirs = await studio.openWindow({ person: other, colorScheme: 'dark' })
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const write = (path: string, body: string) => owner.call(routes.workspaces.writeFile, { params: { id, path }, body })
  const read = async (path: string) => (await owner.fetch(`/api/v1/workspaces/${id}/files/${path}`)).text()
  async function open(on: Page, path: string): Promise<void> {
    await on.goto(`/workspaces/${id}?file=${encodeURIComponent(path)}`)
    await lines(on).first().waitFor()
    await saved(on)
  }
  test('two people type in one file at once, see each other, and each undoes only their own', story, async () => {
    await write('notes.txt', 'one\ntwo\nthree')
    await open(page, 'notes.txt')
    await open(theirs, 'notes.txt')
    await Promise.all([type(page, 'start', 'from the owner. '), type(theirs, 'end', ' and from the editor')])
    for (const on of [page, theirs]) {
      await line(on, 'from the owner. one').waitFor()
      await line(on, 'three and from the editor').waitFor()
    }
    await page.locator('.peer-name', { hasText: /^editor \d+$/ }).waitFor({ state: 'attached' })
    await theirs.locator('.peer-name', { hasText: 'Olga Owner' }).waitFor({ state: 'attached' })
    await saved(page)
    expect(await read('notes.txt')).toBe('from the owner. one\ntwo\nthree and from the editor')
    await Promise.all([expectAccessible(page), expectAccessible(theirs)])

    await page.keyboard.press('Control+z')
    await line(theirs, /^one$/).waitFor()
    await line(page, 'three and from the editor').waitFor()
    await page.keyboard.press('Control+y')
    await line(theirs, 'from the owner. one').waitFor()
  })

  test('what one types is in the other’s editor within a tenth of a second', story, async () => {
    await focusEditor(page)
    const took: number[] = []
    const stretch = watchStretch({ ownThreads: 2 })
    for (let round = 0; round < 15; round++) {
      const mark = `mark${round};`
      const seen = theirs.waitForFunction(
        (text) => {
          const { document } = globalThis as unknown as {
            document: { querySelector(of: string): { textContent: string } }
          }
          return document.querySelector('.monaco-editor .view-lines').textContent.includes(text) ? Date.now() : false
        },
        mark,
        { polling: 'raf' },
      )
      await page.keyboard.insertText(mark)
      const typed = Date.now()
      took.push(Number(await (await seen).jsonValue()) - typed)
    }
    expect(took.toSorted((a, b) => a - b)[7]).toBeLessThan(100 * stretch.stop())
  })

  test('an agent’s edit is seen at once where one types, with its name, and nothing typed is lost', story, async () => {
    const made = await write('report.txt', '# Report\n\nfirst\n\nlast\n')
    await open(page, 'report.txt')
    await type(page, 'end', 'typed by hand')
    await owner.call(routes.workspaces.writeFile, {
      params: { id, path: 'report.txt' },
      query: { agent: 'scribe', readVersion: made.version },
      body: '# Report\n\nfirst, by the agent\n\nlast\n',
    })
    await line(page, 'first, by the agent').waitFor()
    await line(page, 'typed by hand').waitFor()
    await page.locator('.peer-name', { hasText: 'scribe (agent)' }).waitFor({ state: 'attached' })
    await expect.poll(() => read('report.txt')).toBe('# Report\n\nfirst, by the agent\n\nlast\ntyped by hand')
  })

  test('an agent that is asked beside the file writes in it while two people type there', story, async () => {
    await write('poem.txt', 'roses are red\nviolets are blue\n')
    await open(page, 'poem.txt')
    await open(theirs, 'poem.txt')
    const edit = { path: 'poem.txt', search: 'violets are blue', replace: 'violets are violet' }
    chat.answer(({ messages, tools }) => {
      if (tools.length === 0) return { text: 'A poem' }
      if (messages.at(-1)?.role === 'tool') return { text: 'It rhymes less now.' }
      return { calls: [{ name: 'edit_file', arguments: edit }] }
    })
    await page.getByRole('button', { name: 'Open the right dock' }).click()
    await focusEditor(page)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+End')
    await page.getByRole('button', { name: 'Leave out line 2' }).waitFor()
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('Mend what is selected, as in @not')
    await page.getByRole('option', { name: 'notes.txt', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe(
      'Mend what is selected, as in @notes.txt ',
    )
    await page.keyboard.press('Enter')
    await Promise.all([type(theirs, 'end', 'the end'), line(page, 'violets are violet').waitFor()])
    await type(page, 'start', 'Listen: ')
    for (const on of [page, theirs]) {
      for (const text of ['Listen: roses are red', 'violets are violet', 'the end']) await line(on, text).waitFor()
      await on.locator('.peer-name', { hasText: /for Olga Owner \(agent\)$/ }).waitFor({ state: 'attached' })
    }
    await expect.poll(() => read('poem.txt')).toBe('Listen: roses are red\nviolets are violet\nthe end')
    const told = JSON.stringify(chat.requests.flatMap(({ messages }) => messages))
    expect(told).toContain('(Open file: `poem.txt`, line 2 selected:)')
    expect(told).toContain('(Mentioned files, to be read: `notes.txt`)')
    await page.keyboard.press('Control+Alt+b')
  })

  test('by keys alone a file is made, found, written and run, as a whole and cell by cell', story, async () => {
    const output = page.getByRole('region', { name: 'Output', exact: true })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
    await page.keyboard.type('New file')
    await page.getByRole('option', { name: 'New file', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Path' }).waitFor()
    await page.keyboard.insertText('cells.js')
    await page.keyboard.press('Enter')
    await page.locator('.monaco-editor.focused').waitFor()
    await page.keyboard.insertText(
      '// %%\nlet answer = 6 * 7\nconsole.log("first", answer)\n// %%\nconsole.log("second", answer + 1)\nfail()\n',
    )
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+Enter')
    await output.getByText('first 42').waitFor()
    expect(await output.getByText('second').count()).toBe(0)
    await page.getByText('Ln 4, Col 1').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    // it finds the variable of the first: both ran in one session
    await output.getByText('second 43', { exact: true }).waitFor()
    // what fails in a cell names the line that it has in the file
    const error = page.getByRole('group', { name: 'Error' })
    await error.getByRole('button', { name: 'Cell 2:6:1' }).click()
    await page.getByText(/^Ln 6,/).waitFor()
    await page.getByText('JavaScript session, 2 cells').waitFor()
    await page.getByRole('button', { name: 'Reset the JavaScript session' }).click()
    await page.getByRole('button', { name: 'Reset the JavaScript session' }).waitFor({ state: 'hidden' })
    await focusEditor(page)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('group', { name: 'Error' }).getByText('answer is not defined').first().waitFor()
    await page.keyboard.press('Control+p')
    await page.getByRole('combobox', { name: 'Go to file' }).waitFor()
    await page.keyboard.type('poem')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'poem.txt' }).waitFor()
  })

  test('what is found in all files is replaced after a look at it, and undone', story, async () => {
    await page.keyboard.press('Control+Shift+F')
    await page
      .locator('input:focus')
      .and(page.getByRole('searchbox', { name: 'Search in all files' }))
      .waitFor()
    await page.keyboard.type('violet')
    await page.getByRole('switch', { name: 'Replace' }).click()
    await page.getByRole('textbox', { name: 'Replace with' }).fill('$&tulip')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Changed: poem.txt' }).getByText('$&tulips are $&tulip').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Replace 2 places in 1 file' }).click()
    await line(theirs, '$&tulips are $&tulip').waitFor()
    await page
      .getByRole('dialog', { name: /^Replaced 2 places/ })
      .getByRole('button', { name: 'Undo' })
      .click()
    await line(theirs, 'violets are violet').waitFor()
    await page.getByRole('region', { name: 'Left dock' }).getByRole('tab', { name: 'Files' }).click()
  })

  test('errors know the other files, the outline leads to lines, and a file is open twice', story, async () => {
    await write(
      'src/shape.ts',
      'export interface Shape {\n  sides: number\n}\nexport const area = (of: Shape) => of.sides\n',
    )
    await write(
      'src/main.ts',
      "import { area } from './shape.ts'\n\nclass Box {\n  open() {\n    return area('wrong')\n  }\n}\n",
    )
    await open(page, 'src/main.ts')
    await page.getByRole('tab', { name: 'Problems' }).click()
    const problem = page.getByRole('button', { name: /not assignable to parameter of type 'Shape'.*main\.ts:5/ })
    await problem.click()
    await page.getByText(/^Ln 5,/).waitFor()
    await page.getByRole('navigation', { name: 'Place in the workspace' }).getByText('open').waitFor()
    await page.getByRole('region', { name: 'Left dock' }).getByRole('tab', { name: 'Outline' }).click()
    await page.getByRole('list', { name: 'Outline of src/main.ts' }).getByRole('button', { name: 'Box' }).click()
    await page.getByText(/^Ln 3,/).waitFor()
    await page.getByRole('button', { name: 'Actions for src/main.ts' }).click()
    await page.getByRole('menuitem', { name: 'Open beside' }).click()
    const second = page.getByRole('region', { name: 'Second editor' })
    await second.locator('.view-line', { hasText: 'wrong' }).waitFor()
    await type(page, 'end', 'export const both = 1')
    await second.locator('.view-line', { hasText: 'export const both' }).waitFor()
    await expectAccessible(page)
    await second.getByRole('button', { name: 'Close src/main.ts beside' }).click()
    await page.getByRole('region', { name: 'Left dock' }).getByRole('tab', { name: 'Files' }).click()
  })

  test('one follows another through files, and viewers see it all without typing', story, async () => {
    await write('long.txt', Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join('\n'))
    const viewer = await studio.server.invite(owner, 'viewer')
    const watching = await studio.openWindow({ person: viewer })
    await open(watching, 'notes.txt')
    await open(page, 'notes.txt')
    await watching.getByRole('button', { name: /Olga Owner/ }).click()
    await watching.getByRole('menuitem', { name: 'Follow Olga Owner' }).click()
    await watching.getByText('Following Olga Owner').waitFor()
    await page.getByRole('treeitem', { name: 'long.txt' }).click()
    await type(page, 'end', ' the end')
    await line(watching, 'line 300 the end').waitFor()
    await focusEditor(watching)
    await watching.keyboard.type('x')
    // whoever does something oneself no longer follows
    await watching.getByText('Following Olga Owner').waitFor({ state: 'hidden' })
    await watching.getByText('Only editors, admins and owners can change files.').first().waitFor()
    expect(await read('long.txt')).not.toContain('x')
    await watching.context().close()
  })

  test('what is typed without a line is kept over a reload, and merged when the line is back', story, async () => {
    await write('away.txt', 'middle')
    await open(page, 'away.txt')
    await open(theirs, 'away.txt')
    await page.context().setOffline(true)
    await page.getByText('Offline, 0 changes').waitFor()
    await type(page, 'start', 'before ')
    await page.getByText(/Offline, \d+ changes/).waitFor()
    await type(theirs, 'end', ' after')
    await line(page, 'before middle').waitFor()
    await page.context().setOffline(false)
    for (const on of [page, theirs]) await line(on, 'before middle after').waitFor()

    await page.context().setOffline(true)
    await page.getByText('Offline, 0 changes').waitFor()
    await type(page, 'end', ' kept')
    await page.getByText(/Offline, \d+ changes/).waitFor()
    // the window is closed with it, as the browser would have it after a crash
    await page.close()
    await page.context().setOffline(false)
    page = await page.context().newPage()
    await open(page, 'away.txt')
    for (const on of [page, theirs]) await line(on, 'before middle after kept').waitFor()
    await expect.poll(() => read('away.txt')).toBe('before middle after kept')
  })

  test('a file that others move or delete while it is open says so, with a way on', story, async () => {
    await write('draft.txt', 'the text')
    await open(page, 'draft.txt')
    await owner.call(routes.workspaces.move, { params: { id }, body: { from: 'draft.txt', to: 'final.txt' } })
    await page.getByText('This file was moved to final.txt').waitFor()
    await type(page, 'end', ' goes on')
    await page.getByRole('button', { name: 'Go on there' }).click()
    await page.getByRole('heading', { level: 2, name: 'final.txt' }).waitFor()
    await line(page, 'the text goes on').waitFor()
    await expect.poll(() => read('final.txt')).toBe('the text goes on')

    await owner.call(routes.workspaces.removeFile, { params: { id, path: 'final.txt' } })
    await page.getByText('This file was deleted').waitFor()
    await line(page, 'the text goes on').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.getByText('This file was deleted').waitFor({ state: 'hidden' })
    await type(page, 'end', ' again')
    await expect.poll(() => read('final.txt')).toBe('the text goes on again')
  })

  test('line ends and marks of a file stay as they are, in one of a megabyte too', story, async () => {
    await write('windows.txt', '\u{feff}one\r\ntwo\nthree\r\n')
    await open(page, 'windows.txt')
    await line(page, 'two').click()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    await page.keyboard.type('new')
    await expect.poll(() => read('windows.txt')).toBe('one\r\ntwo!\r\nnew\nthree\r\n')

    const large = Array.from({ length: 20_000 }, (_, index) => `this is line ${index} of a large file`).join('\n')
    await write('large.txt', large)
    const began = Date.now()
    await open(page, 'large.txt')
    expect(Date.now() - began).toBeLessThan(20_000)
    await type(page, 'end', ' typed at the end')
    await expect.poll(async () => (await read('large.txt')).endsWith('large file typed at the end')).toBe(true)
  })

  test('names of files and people are shown as they are, and never run', story, async () => {
    const name = '<img src=x onerror=alert(1)>'
    const hostile = await invitePerson(studio.server, owner, { role: 'editor', name, email: 'img@example.com' })
    const path = '<svg onload=alert(1)>.txt'
    await write(path, 'text')
    const failures: string[] = []
    page.on('dialog', (dialog) => {
      failures.push(dialog.message())
      void dialog.dismiss()
    })
    await open(page, path)
    const window = await studio.openWindow({ person: hostile })
    await open(window, path)
    await type(window, 'end', ' more')
    await page.locator('.peer-name', { hasText: name }).waitFor({ state: 'attached' })
    await page.getByRole('heading', { level: 2, name: path }).waitFor()
    expect(await page.locator('.peer-name img, h2 svg').count()).toBe(0)
    expect(failures).toEqual([])
    await window.context().close()
  })
})

describe.skipIf(!hasChromium)('a server that is killed while someone types', () => {
  test('loses nothing that was saved, and gets the rest when it is back', story, async () => {
    const [server, browser] = await Promise.all([
      startKillableServer({ COHEREX_WARM: 'false', COHEREX_LOG_LEVEL: 'error' }),
      launchChromium(),
    ])
    try {
      const olga = await setUpOwner(server.process)
      const page = await openWindow(browser, server.process.url, { person: olga })
      const { id } = await server.call(routes.workspaces.create, { body: { name: 'Killed' } })
      await server.call(routes.workspaces.writeFile, { params: { id, path: 'a.txt' }, body: '' })
      await page.goto(`/workspaces/${id}?file=a.txt`)
      await page.locator('.monaco-editor').waitFor()
      await saved(page)
      await type(page, 'end', 'before ')
      await saved(page)
      const typing = page.keyboard.type('while it is killed ', { delay: 20 })
      await server.killNow()
      await typing
      await page.getByText(/Offline, \d+ changes/).waitFor()
      await page.keyboard.type('and after')
      await server.startAgain({ isWhereItWas: true })
      await saved(page)
      await line(page, 'before while it is killed and after').waitFor()
      const { url } = server.process
      const stored = await fetch(`${url}/api/v1/workspaces/${id}/files/a.txt`, {
        headers: { authorization: 'Bearer tok_0123456789012345678901' },
      })
      expect(await stored.text()).toBe('before while it is killed and after')
    } finally {
      await browser.close()
      await server.remove()
    }
  })
})
