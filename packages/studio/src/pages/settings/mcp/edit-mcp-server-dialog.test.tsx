// @vitest-environment happy-dom
import type { McpServer } from '@coherex/contract'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { EditMcpServerDialog } from './edit-mcp-server-dialog.tsx'

const server: McpServer = {
  ...{ name: 'files', status: 'ready', problem: null, title: null, protocol: null, checkedAt: null },
  tools: { approved: 1, waiting: 0 },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', createdBy: { id: 'per_1', name: 'Olga' } },
  place: {
    ...{ kind: 'sandboxed', command: 'serve', args: ['--root', 'My files'], language: 'javascript' },
    ...{ packages: ['npm:some-server'], env: { API_KEY: 'OLD_TOKEN' }, network: { allow: [] } },
  },
}

test('EditMcpServerDialog begins with the place of the server and sends the changed one', async () => {
  const onClose = vi.fn<() => void>()
  const page = await openPage(<EditMcpServerDialog server={server} onClose={onClose} />)
  expect(page.field('Command').value).toBe("serve --root 'My files'")
  await page.type(page.field('Command'), `serve --root "Other files`)
  await page.press(page.button('Save server'))
  expect(page.takeRequests()).toEqual([])
  expect(document.body.textContent).toContain('A quote is not closed')

  await page.type(page.field('Command'), `serve --root "Other files"`)
  await page.type(page.field('Secrets'), 'API_KEY=NEW_TOKEN\nREGION')
  await page.press(page.button('Save server'))
  const [request] = page.takeRequests()
  expect(request).toMatchObject({
    method: 'PATCH',
    path: '/api/v1/mcp-servers/files',
    body: {
      place: {
        args: ['--root', 'Other files'],
        env: { API_KEY: 'NEW_TOKEN', REGION: 'REGION' },
        packages: ['npm:some-server'],
      },
    },
  })
  await request?.answer(200, server)
  expect(onClose).toHaveBeenCalledOnce()
})
