// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { TriggersTab } from './triggers-tab.tsx'

const source = 'kind: tool\nname: greet\ntriggers:\n  - name: orders\n    webhook: {}\n'
const trigger = {
  ...{ id: 'trg_1', agent: null, tool: 'greet', name: 'orders', kind: 'webhook', status: 'unsigned', reason: null },
  ...{ schedule: null, event: null, actsFor: { name: 'Olga' } },
  webhook: { url: 'http://here/hooks/1', signature: 'standard', secrets: [] },
}

test('TriggersTab shows, tests and changes the triggers of a tool', async () => {
  const change = vi.fn<(source: string) => void>()
  const page = await openPage(<TriggersTab of={{ kind: 'tool', name: 'greet' }} state={{ source, change }} canEdit />)
  const [asked] = page.takeRequests()
  expect(asked?.path).toBe('/api/v1/tools/greet/triggers')
  await asked?.answer(200, { items: [trigger] })
  expect(document.body.textContent).toContain('Acts as Olga, who published this version')
  const deliveries = page.takeRequests().find(({ path }) => path.startsWith('/api/v1/deliveries'))
  expect(deliveries?.path).toContain('tool=greet')
  await deliveries?.answer(200, { items: [], nextCursor: null })

  await page.press(page.button('Test orders'))
  expect(document.body.textContent).toContain('Calls greet as if this had arrived.')
  await page.type(page.field('Payload'), '{"days":1}')
  await page.press(page.button('Test'))
  expect(page.takeRequests().map(({ path }) => path)).toContain('/api/v1/tools/greet/triggers/trg_1/test')

  await page.press(page.button('Remove orders'))
  expect(change).toHaveBeenCalledWith('kind: tool\nname: greet\n')
})

test('TriggersTab of a tool without triggers says what they do', async () => {
  const state = { source: 'kind: tool\n', change: () => undefined }
  const page = await openPage(<TriggersTab of={{ kind: 'tool', name: 'greet' }} state={state} canEdit />)
  await page.takeRequests()[0]?.answer(200, { items: [] })
  expect(document.body.textContent).toContain('Call the tool on a schedule')
  expect(page.button('Add trigger').disabled).toBe(false)
})
