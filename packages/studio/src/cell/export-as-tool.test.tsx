// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { cellsQuery } from '../data/cell.ts'
import { createQueryClient } from '../data/query/query-client.ts'
import { runQuery } from '../data/run/run-get.ts'
import { runProgramQuery } from '../data/run/run-program.ts'
import { ExportAsTool } from './export-as-tool.tsx'

// where the dialog leads is no part of these
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const from = { runId: 'run_1' }

async function open(options: object, { status = 'succeeded', code = '1', cells = [] as object[] } = {}) {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { staleTime: Infinity } })
  queryClient.setQueryData(runQuery('run_1').queryKey, { id: 'run_1', status } as never)
  queryClient.setQueryData(runProgramQuery('run_1').queryKey, { code, entry: 'main.py', files: {}, options } as never)
  queryClient.setQueryData(cellsQuery('sbx_1').queryKey, cells as never)
  const page = await openPage(
    <RouterContextProvider router={router}>
      <ExportAsTool from={from} name="" onClose={vi.fn()} />
    </RouterContextProvider>,
    queryClient,
  )
  return { text: document.body.textContent, mayExport: !page.button('Export as tool').disabled }
}

test('ExportAsTool says before the form is filled that a run used a workspace', async () => {
  const { text, mayExport } = await open({ workspaceId: 'wsp_1' })
  expect(text).toContain('It used the files of a workspace.')
  expect(mayExport).toBe(false)
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/workspaces/wsp_1')
})

test.each([
  [{ stdin: 'a line' }, 'succeeded', 'It read standard input or arguments'],
  [{ args: ['-v'] }, 'succeeded', 'It read standard input or arguments'],
  [{}, 'failed', 'Only a run that succeeded becomes a tool'],
])('ExportAsTool refuses a run with %o that %s', async (options, status, words) => {
  const { text, mayExport } = await open(options, { status })
  expect(text).toContain(words)
  expect(mayExport).toBe(false)
})

test('ExportAsTool names what a cell uses of earlier cells, and lets it be exported', async () => {
  const cells = [
    { id: 'cel_1', kind: 'code', source: 'df = 1', runId: 'run_0' },
    { id: 'cel_2', kind: 'code', source: 'df + 1', runId: 'run_1' },
    { id: 'cel_3', kind: 'code', source: 'later = 1', runId: null },
  ]
  const { text, mayExport } = await open({ sandboxId: 'sbx_1' }, { code: 'df + later', cells })
  expect(text).toContain('It uses df of earlier cells')
  expect(mayExport).toBe(true)
})

test('ExportAsTool has nothing to say of a run that stands alone', async () => {
  const { text, mayExport } = await open({})
  expect(text).not.toContain('It u')
  expect(mayExport).toBe(true)
})
