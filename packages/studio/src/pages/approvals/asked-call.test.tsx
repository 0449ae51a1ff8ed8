// @vitest-environment happy-dom
import type { Approval, ApprovalChange } from '@coherex/contract'
import { expect, test } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { AskedCall } from './asked-call.tsx'

const at = '2026-01-01T00:00:00.000Z'
const asked = (tool: string, input: object, given: Partial<Approval> = {}) =>
  ({ id: 'apr_1', tool, input, status: 'pending', ...given }) as Approval
const nothing: ApprovalChange = { workspaceId: null, items: [], outcome: 'change', problem: null, changedSince: null }
const diff = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n'
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)

async function open(approval: Approval, change: ApprovalChange) {
  const page = await openPage(<AskedCall approval={approval} />)
  const [request] = page.takeRequests()
  expect(request?.path).toBe('/api/v1/approvals/apr_1/change')
  await request?.answer(200, change)
}

test('AskedCall shows a call that writes a file as its change against the file now', async () => {
  const item = { path: 'a.py', change: 'changed' as const, binary: false, diff }
  const changedSince = { path: 'a.py', version: 3, author: 'Olga', at }
  await open(asked('write_file', { path: 'a.py', content: 'x = 2\n' }), { ...nothing, items: [item], changedSince })
  expect(texts('tr')).toEqual(['1−removed: x = 1', '1+added: x = 2'])
  expect(texts('p')[0]).toMatch(/^Olga changed a\.py .* after this was asked/)
})

test('AskedCall names a new file, a proposal and a call that would fail', async () => {
  const item = { path: 'new.py', change: 'added' as const, binary: false, diff: '@@ -0,0 +1 @@\n+x\n' }
  await open(asked('write_file', {}), { ...nothing, items: [item], outcome: 'proposal' })
  expect(document.querySelector('section')?.getAttribute('aria-label')).toBe('New file: new.py')
  expect(texts('p')[0]).toContain('would wait as a proposal')
  await open(asked('edit_file', { path: 'a', search: 'x', replace: 'y' }), { ...nothing, problem: 'It is not in it' })
  expect(texts('p').at(-1)).toBe('It is not in it. The call would fail.')
  expect(texts('tr').slice(-2)).toEqual(['−removed: x', '+added: y'])
})

test('AskedCall shows other calls as code and names, without JSON and without hidden characters', async () => {
  const input = { command: 'echo "a"\nrm -rf build\u200B', env: { 'na\u202Eme': ['x'] }, timeoutSeconds: 5 }
  const page = await openPage(<AskedCall approval={asked('bash', input)} />)
  expect(page.takeRequests()).toEqual([])
  expect(texts('pre')).toEqual(['echo "a"\nrm -rf build<U+200B>'])
  expect(texts('dt')).toEqual(['env', 'na<U+202E>me', '1', 'timeoutSeconds'])
  expect(document.body.textContent).not.toContain('{')
})
