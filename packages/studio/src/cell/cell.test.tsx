// @vitest-environment happy-dom
import type { Run } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { Cell } from './cell.tsx'

// a cell knows no page: where it leads is no part of these
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

const allowed = { may: true, why: undefined }
const choices = [
  { value: 'python' as const, label: 'Python' },
  { value: 'bash' as const, label: 'Bash' },
]
const run = (change: Partial<Run>): Run => ({
  ...{ id: 'run_1', status: 'succeeded', language: 'python', runtime: null, output: [], files: [], truncated: false },
  ...{ queuedMs: 0, durationMs: 12, peakMemoryMb: null, createdAt: '2026-11-17T12:00:00.000Z', startedAt: null },
  ...{ endedAt: null, codeHash: '', createdBy: { id: 'per_1', name: 'Olga' }, signs: [], requests: [] },
  ...change,
})

function Page({ onRun, may = true }: { onRun: () => void; may?: boolean }) {
  const [source, setSource] = useState('print(1)\nprint(2)')
  const [runId, setRunId] = useState<string>()
  const [isCollapsed, setCollapsed] = useState(false)
  const [isEditing, setEditing] = useState(false)
  return (
    <RouterContextProvider router={router}>
      <Cell
        label="Cell 1"
        folder="test"
        source={source}
        language="python"
        languages={choices}
        onSource={may ? setSource : undefined}
        onLanguage={may ? () => undefined : undefined}
        onRun={() => {
          onRun()
          setRunId('run_1')
        }}
        mayRun={may ? allowed : { may: false, why: 'Only editors can run cells.' }}
        isStarting={false}
        runId={runId}
        isEditing={isEditing}
        onEdit={() => setEditing(true)}
        isCollapsed={isCollapsed}
        onCollapse={setCollapsed}
      />
    </RouterContextProvider>
  )
}

test('Cell runs its code, shows output and result of the run, and collapses to its first line', async () => {
  const onRun = vi.fn()
  const page = await openPage(<Page onRun={onRun} />)
  await page.press(page.button('Run'))
  expect(onRun).toHaveBeenCalledTimes(1)
  const [asked] = page.takeRequests()
  expect(asked?.path).toBe('/api/v1/runs/run_1')
  await asked?.answer(200, run({ output: [{ at: 0, stream: 'stdout', text: 'one\n' }], result: 42, resultText: '42' }))
  await vi.waitFor(() => expect(document.body.textContent).toContain('one'))
  expect(document.querySelector('[aria-label=Result]')?.textContent).toContain('42')
  expect(document.body.textContent).toContain('succeeded')

  await page.press(page.button('Collapse'))
  expect(document.body.textContent).toContain('print(1)')
  expect(document.body.textContent).not.toContain('print(2)')
  expect(document.querySelector('[aria-label=Result]')).toBeNull()
})

test('Cell offers Stop while its run goes on', async () => {
  const page = await openPage(<Page onRun={() => undefined} />)
  await page.press(page.button('Run'))
  const [asked] = page.takeRequests()
  await asked?.answer(200, run({ status: 'running' }))
  await page.press(page.button('Stop'))
  expect(page.takeRequests().map(({ method, path }) => `${method} ${path}`)).toContain('POST /api/v1/runs/run_1/cancel')
})

test('Cell is only shown to somebody who may not run it', async () => {
  const page = await openPage(<Page onRun={() => undefined} may={false} />)
  expect(page.button('Run').disabled).toBe(true)
  expect(document.querySelector('[role=combobox]')).toBeNull()
  document.querySelector<HTMLElement>('[aria-label="Code of Cell 1"]')?.click()
  expect(document.querySelector('textarea')).toBeNull()
})
