// @vitest-environment happy-dom
import type { Sandbox } from '@coherex/contract'
import { act } from 'react'
import { expect, test } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { SessionVariables } from './session-variables.tsx'

const session = (language: 'python' | 'r') => ({ context: language, language, status: 'idle' as const, cells: 1 })
const sandbox: Sandbox = {
  ...{ id: 'sbx_1', name: 'Weather', status: 'running', reason: null, language: null, template: null },
  ...{ limits: { memoryMb: 1, diskMb: 1 }, network: null, idleTimeoutMs: 1, createdBy: { id: 'per_1', name: 'Olga' } },
  ...{ createdAt: '2026-11-17T12:00:00.000Z', lastUsedAt: '2026-11-17T12:00:00.000Z', expiresAt: null },
  ...{ forkedFrom: null, sessions: [session('r'), session('python')], memory: null },
  ...{ saved: { files: 0, bytes: 0, leftOut: 0 }, packages: [], outsideLock: false, notice: null },
}

test('SessionVariables says what fills it', async () => {
  const page = await openPage(<SessionVariables sandboxId={undefined} language="python" after="" />)
  expect(document.body.textContent).toContain('Run a cell of a notebook')
  expect(page.takeRequests()).toEqual([])
})

test('SessionVariables lists the session of the language of the open file, and opens a frame', async () => {
  const page = await openPage(<SessionVariables sandboxId="sbx_1" language="python" after="run_1" />)
  for (const request of page.takeRequests()) await request.answer(200, sandbox)
  const listing = page.takeRequests().find(({ path }) => path.includes('/variables'))
  expect(listing?.path).toBe('/api/v1/sandboxes/sbx_1/variables?context=python')
  await listing?.answer(200, {
    items: [{ name: 'days', type: 'DataFrame', value: 'DataFrame 2 × 1', size: 2048, shape: [2, 1] }],
  })
  const [row] = document.querySelectorAll('[aria-label=Variables] li')
  expect(row?.textContent).toBe('daysDataFrame 2 × 1DataFrame · 2 × 1 · 2 kB')
  await act(async () => row?.querySelector('button')?.click())
  const opened = page.takeRequests().find(({ path }) => path.includes('/variables/days'))
  await opened?.answer(200, {
    ...{ name: 'days', type: 'DataFrame', value: '', shape: [2, 1] },
    table: { columns: [{ name: 'celsius', type: 'float64' }], rows: [[11.5], [9]], offset: 0, total: 2 },
  })
  expect([...document.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['11.5', '9'])
})
