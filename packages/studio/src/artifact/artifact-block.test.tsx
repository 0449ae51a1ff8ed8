// @vitest-environment happy-dom
import type { Run } from '@coherex/contract'
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { artifactOf, messageOf, openBlocks, runOf } from '../../tests/open-blocks.tsx'
import { artifactsQuery } from '../data/artifact.ts'
import { runQuery } from '../data/run/run-get.ts'

const code = 'x = 1\nx = y\n'
const message = messageOf(`\`\`\`python title="Load"\n${code}\`\`\`\n`)
const artifact = artifactOf({ code: code.trimEnd(), title: 'Load', runId: 'run_1' })
const failed: Partial<Run> = {
  status: 'failed',
  error: { kind: 'runtime', message: "name 'y' is not defined", line: 2 },
}

const openWith = (run: Partial<Run>) => openBlocks(message, { artifacts: [artifact], runs: [runOf(run)] })
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.textContent)
const shown = () => document.body.textContent
const menu = 'More for this block'

beforeEach(() => localStorage.clear())

test('a failed block marks its line in the code and in the editor until the code is changed', async () => {
  const page = await openWith(failed)
  expect(texts('code .bg-red-soft')).toEqual(['2x = y\n'])
  await page.choose(menu, 'Edit')
  const area = document.querySelector('textarea') as HTMLTextAreaElement
  expect(shown()).toContain("Line 2: name 'y' is not defined")
  await page.type(area, 'x = 3')
  expect(shown()).not.toContain('Line 2: ')
})

test('a block that ran out of time says so', async () => {
  await openWith({ status: 'failed', error: { kind: 'timeout', message: 'Stopped after 30 s' } })
  expect(shown()).toContain('timed out')
})

test('a cancelled block offers nothing to fix', async () => {
  await openWith({ status: 'cancelled', error: { kind: 'cancelled', message: 'The run was cancelled' } })
  expect(shown()).toContain('cancelled')
  expect(shown()).not.toContain('Ask the agent to fix it')
})

test('Ask the agent to fix it says the error, the line and the code in the conversation', async () => {
  const page = await openWith(failed)
  await page.press(page.button('Ask the agent to fix it'))
  const [said] = page.posts()
  expect({ path: said?.path, body: said?.body }).toEqual({
    path: '/api/v1/threads/thr_1/turns?wait=false',
    body: {
      text: `The Python block “Load” failed in line 2: name 'y' is not defined\n\nPlease fix it:\n\n\`\`\`python\n${code}\`\`\``,
    },
  })
})

test('a block that ran on the server says how many variables its session has, shows them and forgets them', async () => {
  const page = await openWith({ sandboxId: 'sbx_1', endedAt: '2026-11-17T12:00:01.000Z' })
  const ended = { name: 'x', type: 'int', value: '1', size: 28 }
  const frame = { name: 'frame', type: 'DataFrame', value: '2 rows', shape: [2, 1] }
  const [asked] = page.takeAtFirst()
  expect(asked?.path).toBe('/api/v1/sandboxes/sbx_1/variables?context=python')
  await asked?.answer(200, { items: [ended, frame] })
  await page.press(page.button('Python session · 2 variables'))
  await expect.poll(() => texts('[role=dialog] li')).toEqual(['x1int · 28 B', 'frame2 rowsDataFrame · 2 × 1'])

  const item = [...document.querySelectorAll<HTMLElement>('[role=dialog] li button')].at(-1)
  await act(async () => item?.click())
  const [opened] = page.takeRequests().filter(({ path }) => path.includes('/variables/frame'))
  const columns = [{ name: 'n', type: 'int64' }]
  await opened?.answer(200, { ...frame, table: { columns, rows: [[7], [5]], offset: 0, total: 2 } })
  await page.press(page.button('n'))
  expect(texts('[role=dialog] td')).toEqual(['5', '7'])

  await page.press(page.button('Forget variables'))
  const [reset] = page.posts()
  expect({ path: reset?.path, body: reset?.body }).toEqual({
    path: '/api/v1/sandboxes/sbx_1/reset',
    body: { context: 'python' },
  })
})

test('a block shows the newest run of anybody, and who ran it', async () => {
  const page = await openWith({ result: 'mine', resultText: 'mine' })
  expect(texts('[aria-label=Result]').join('')).toContain('mine')
  expect(shown()).not.toContain('by Edda')
  const theirs = { id: 'run_2', result: 'theirs', resultText: 'theirs', createdBy: { id: 'per_2', name: 'Edda' } }
  await act(async () => {
    page.queryClient.setQueryData(runQuery('run_2').queryKey, runOf(theirs))
    page.queryClient.setQueryData(artifactsQuery('thr_1').queryKey, [{ ...artifact, runId: 'run_2' }])
  })
  await expect.poll(() => texts('[aria-label=Result]').join('')).toContain('theirs')
  expect(shown()).toContain('by Edda')
})

test('Clear output takes the output away and leaves the code', async () => {
  const page = await openWith({ result: 42, resultText: '42' })
  expect(texts('[aria-label=Result]').join('')).toContain('42')
  await page.choose(menu, 'Clear output')
  expect(texts('[aria-label=Result]')).toEqual([])
  expect(shown()).toContain('x = y')
})

test('Copy code copies the newest version', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const page = await openWith({})
  await page.choose(menu, 'Copy code')
  expect(writeText).toHaveBeenCalledWith(artifact.code)
  writeText.mockRestore()
})

test('Line numbers are shown, and remembered by the browser', async () => {
  const page = await openWith({})
  await page.choose(menu, 'Line numbers')
  expect(texts('code .select-none')).toEqual(['1', '2'])
  expect(localStorage.getItem('coherex.line-numbers')).toBe('yes')
})

test('Fold hides code and output, Expand shows them', async () => {
  const page = await openWith({ result: 42, resultText: '42' })
  await page.press(page.button('Fold'))
  expect(shown()).not.toContain('x = y')
  expect(texts('[aria-label=Result]')).toEqual([])
  await page.press(page.button('Expand'))
  expect(shown()).toContain('x = y')
})

test('History shows earlier runs, and one of them in the block', async () => {
  const earlier = runOf({ id: 'run_0', result: 'earlier', resultText: 'earlier' })
  const page = await openBlocks(message, { artifacts: [artifact], runs: [runOf(), earlier] })
  await page.choose(menu, 'History')
  await expect.poll(() => texts('[role=tab]')).toContain('Runs')
  const tab = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((one) => one.textContent === 'Runs')
  await act(async () => tab?.click())
  const asked = page.takeRequests().find(({ path }) => path.startsWith('/api/v1/artifacts/art_1/executions'))
  await asked?.answer(200, { items: [{ ...earlier, artifactId: 'art_1', index: 0 }], nextCursor: null })
  await page.type(document.querySelector('input[type=search]') as HTMLInputElement, 'early')
  await expect
    .poll(() => page.takeRequests().map(({ path }) => path))
    .toEqual(['/api/v1/artifacts/art_1/executions?limit=50&search=early'])
  await page.press(page.button('Show output'))
  await expect.poll(() => texts('[aria-label=Result]').join('')).toContain('earlier')
})

test('a block runs on the server in a browser without WebAssembly, and its switch says why', async () => {
  vi.stubGlobal('Worker', class {})
  vi.stubGlobal('WebAssembly', undefined)
  const page = await openWith({})
  await page.press(page.button('Runs on the server'))
  expect(texts('[role^=menuitem]')[0]).toContain('This browser has no WebAssembly.')
})

test('a block chosen to run in the browser does so after a reload too', async () => {
  vi.stubGlobal('Worker', class {})
  const page = await openWith({})
  await page.choose('Runs on the server', 'Browser')
  expect(page.button('Runs in this browser')).toBeTruthy()
  expect(localStorage.getItem('coherex.run-in.python')).toBe('browser')
})

test('a block is downloaded under its title, and opened in a workspace as a file of it', async () => {
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const page = await openWith({})
  await page.choose(menu, 'Download as load.py')
  expect(names).toEqual(['load.py'])
  vi.restoreAllMocks()

  await page.choose(menu, 'Open in a workspace')
  await expect.poll(() => texts('[role=dialog] h2')).toEqual(['Open in a workspace'])
  expect(page.field('Path').value).toBe('load.py')
})

test('a block is downloaded as a notebook', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const page = await openWith({})
  await page.choose(menu, 'Download as a Jupyter notebook')
  await expect.poll(() => assign.mock.calls).toEqual([['/api/v1/artifacts/art_1/notebook']])
  assign.mockRestore()
})

test('a preview that asks for it opens its editor by itself', async () => {
  await openBlocks(messageOf('```svg title="Circle" run\n<svg></svg>\n```\n'))
  expect(document.querySelector('textarea')?.value).toBe('<svg></svg>')
})
