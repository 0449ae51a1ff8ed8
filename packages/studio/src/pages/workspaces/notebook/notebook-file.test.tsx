// @vitest-environment happy-dom
import type { Run } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { openPage } from '../../../../tests/open-page.tsx'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { useLiveText } from '../../../live/use-live-text.ts'
import type { Session } from '../run/use-session.ts'
import { NotebookFile } from './notebook-file.tsx'

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const allowed = { may: true, why: undefined }
const cell = (id: string, source: string) => ({
  ...{
    cell_type: 'code',
    execution_count: null,
    id,
    metadata: { tags: [id] },
    outputs: [] as object[],
    source: [source],
  },
})
const printed = { name: 'stdout', output_type: 'stream', text: ['printed before\n'] }
const notebook = JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# The plan'] },
      { ...cell('one', 'x = 1'), outputs: [printed], execution_count: 7 },
      cell('two', 'x + 1'),
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
)

/** A workspace of one text, without a line to a server. */
function workspaceOf(content: string) {
  const text = new Y.Doc().getText('text')
  text.insert(0, content)
  const live = { textAt: () => ({ id: 'text', text }), onFiles: () => () => undefined } as unknown as LiveWorkspace
  return { text, live }
}

const ended = (change: Partial<Run>): Run => ({
  ...{ id: 'run_1', status: 'succeeded', language: 'python', runtime: null, output: [], files: [], truncated: false },
  ...{ queuedMs: 0, durationMs: 12, peakMemoryMb: null, createdAt: '2026-11-17T12:00:00.000Z', startedAt: null },
  ...{ endedAt: null, codeHash: '', createdBy: { id: 'per_1', name: 'Olga' }, signs: [], requests: [] },
  ...change,
})

function sessionOf(run: Session['run']): Session {
  return { sandboxId: undefined, isStarting: false, progress: undefined, ended: 0, tellEnd: () => undefined, run }
}

interface PageProps {
  live: LiveWorkspace
  session: Session
  onSource?: () => void
}

function Page({ live, session, onSource = () => undefined }: PageProps) {
  const text = useLiveText(live, 'plan.ipynb') ?? ''
  const rights = { mayWrite: allowed, mayRun: allowed }
  return (
    <RouterContextProvider router={router}>
      <NotebookFile path="plan.ipynb" text={text} live={live} {...rights} session={session} onSource={onSource} />
    </RouterContextProvider>
  )
}
const cells = () => [...document.querySelectorAll<HTMLElement>('[aria-label=Cells] > li')]
const read = (text: Y.Text) => JSON.parse(text.toString()) as { cells: ReturnType<typeof cell>[] }

test('NotebookFile shows Markdown, code and stored outputs, and runs all cells into the file', async () => {
  const { text, live } = workspaceOf(notebook)
  const ran: string[] = []
  const session = sessionOf(async ({ language, code }) => {
    ran.push(`${language}: ${code}`)
    const output = [{ at: 0, stream: 'stdout' as const, text: 'hello\n' }]
    return { id: 'run_1', end: async () => ended(code === 'x = 1' ? { output } : { result: 2, resultText: '2' }) }
  })
  const page = await openPage(<Page live={live} session={session} />)
  await vi.waitFor(() => expect(cells()[0]?.querySelector('h1, h2, h3, h4')?.textContent).toBe('The plan'))
  expect(cells().map((one) => one.querySelector('section')?.ariaLabel ?? '')).toHaveLength(3)
  expect(cells()[1]?.textContent).toContain('printed before')
  expect(cells()[1]?.textContent).toContain('[7]')

  await page.press(page.button('Run all'))
  await vi.waitFor(() => expect(ran).toEqual(['python: x = 1', 'python: x + 1']))
  await vi.waitFor(() => expect(read(text).cells[2]?.outputs).toHaveLength(1))
  expect(read(text).cells).toMatchObject([
    { id: 'intro' },
    { execution_count: 8, metadata: { tags: ['one'] }, outputs: [{ name: 'stdout', text: ['hello\n'] }] },
    { execution_count: 9, outputs: [{ output_type: 'execute_result', data: { 'text/plain': ['2'] } }] },
  ])
})

test('NotebookFile stops at a cell that fails and keeps its error', async () => {
  const { text, live } = workspaceOf(notebook)
  const error = { kind: 'runtime' as const, message: 'NameError: no x', stack: 'Traceback\nNameError: no x' }
  const run = vi.fn(async () => ({ id: 'run_1', end: async () => ended({ status: 'failed', error }) }))
  const page = await openPage(<Page live={live} session={sessionOf(run)} />)
  await page.press(page.button('Run all'))
  await vi.waitFor(() => expect(read(text).cells[1]?.outputs).toMatchObject([{ ename: 'NameError', evalue: 'no x' }]))
  await vi.waitFor(() => page.button('Run all'))
  expect(run).toHaveBeenCalledTimes(1)
})

test('NotebookFile adds, moves, changes and deletes cells by keys, and others type meanwhile', async () => {
  const { text, live } = workspaceOf(notebook)
  const page = await openPage(<Page live={live} session={sessionOf(vi.fn())} />)
  const press = (at: number, key: string, more = {}) =>
    act(async () => cells()[at]?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more })))
  const ids = () => read(text).cells.map(({ id }) => id)
  await press(2, 'ArrowUp', { altKey: true })
  expect(ids()).toEqual(['intro', 'two', 'one'])
  await press(1, 'm')
  expect(read(text).cells[1]).toEqual({
    cell_type: 'markdown',
    id: 'two',
    metadata: { tags: ['two'] },
    source: ['x + 1'],
  })
  await press(0, 'Delete')
  expect(ids()).toEqual(['two', 'one'])
  await page.press(page.button('Add code'))
  expect(read(text).cells.map(({ cell_type: kind }) => kind)).toEqual(['markdown', 'code', 'code'])

  // what another person types is drawn, and what is typed here goes into the text as it is then
  await act(async () => text.insert(text.toString().indexOf('x = 1'), 'print(2)\\n'))
  expect(cells()[1]?.textContent).toContain('print(2)')
  const area = cells()[2]?.querySelector('textarea') ?? expect.fail()
  await page.type(area, 'y = 3')
  expect(read(text).cells.map(({ source }) => source)).toEqual([['x + 1'], ['print(2)\nx = 1'], ['y = 3']])
})

test('NotebookFile says why a text is no notebook and leads to its source', async () => {
  const onSource = vi.fn()
  const { live } = workspaceOf('{"nbformat": 3, "worksheets": []}')
  const page = await openPage(<Page live={live} session={sessionOf(vi.fn())} onSource={onSource} />)
  expect(document.body.textContent).toContain('This notebook has format 3.')
  await page.press(page.button('Show source'))
  expect(onSource).toHaveBeenCalledTimes(1)
})
