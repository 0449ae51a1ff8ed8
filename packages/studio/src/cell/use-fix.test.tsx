// @vitest-environment happy-dom
import type { Fix, NeededApproval } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { Fixes } from '../output/fixes.tsx'
import { useFix } from './use-fix.tsx'

const fix: Fix = { kind: 'raise-limit', value: 'timeoutMs=60000', label: 'Run again with 1 min' }
const approval: NeededApproval = {
  tool: 'bash',
  agent: 'careful',
  threadId: 'thr_1',
  reason: 'The definition says so',
  input: { command: 'rm -rf build' },
  shownInput: 'rm -rf build',
  hash: 'abc',
  decidedBy: { id: 'per_1', name: 'Olga Owner' },
  decidedAt: '2026-01-01T00:00:00.000Z',
}
const onMoved = vi.fn<(id: string) => void>()

function Page() {
  return <Fixes fixes={[fix]} {...useFix({ id: 'run_1' }, { onMoved })} />
}

test('useFix asks for the approval that a call needed, and sends it with the fix', async () => {
  const router = createRouter({ routeTree: createRootRoute({ component: Page }), history: createMemoryHistory() })
  await router.load()
  const page = await openPage(<RouterProvider router={router as never} />)
  await page.press(page.button(fix.label))
  const [first] = page.takeRequests()
  expect(first).toMatchObject({ path: '/api/v1/runs/run_1/fix?wait=false', body: { kind: fix.kind, value: fix.value } })
  const error = { code: 'forbidden', message: 'It needs an approval', details: { approvals: [approval] } }
  await first?.answer(403, { error })
  const dialog = document.querySelector('[role=dialog]')
  expect(dialog?.textContent).toContain('careful needed an approval for bash')
  expect(dialog?.textContent).toContain('rm -rf build')
  expect(onMoved).not.toHaveBeenCalled()

  await page.press(page.button('Approve and run'))
  const [second] = page.takeRequests()
  expect(second?.body).toEqual({ kind: fix.kind, value: fix.value, approve: ['abc'] })
  await second?.answer(200, { id: 'run_2' })
  expect(onMoved.mock.calls).toEqual([['run_2']])
  expect(document.querySelector('[role=dialog]:not([data-ending-style])')).toBeNull()
})
