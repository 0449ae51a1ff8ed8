import { routes } from '@coherex/contract'
import { expect, test } from 'vitest'
import { mayMount, mayNotMount, onTmpfs } from '../harness/database/on-tmpfs.ts'
import { startTestServer } from '../harness/test-server.ts'

const full = /disk is full, and whoever runs it has to make room/
const bytes = new Uint8Array(3 * 1024 * 1024)
const write = 'open("large.bin", "wb").write(bytes(3_000_000))\n"written"'

test('a write to a full disk is answered with 503, and nothing else is lost', async ({ skip }) => {
  skip(!mayMount, mayNotMount)
  await onTmpfs('size=2m', async (path) => {
    const server = await startTestServer({ COHEREX_BLOB_DIR: path, COHEREX_LOG_LEVEL: 'silent' })
    try {
      const owner = await server.owner()
      const workspace = await owner.call(routes.workspaces.create, { body: { name: 'Full' } })
      const sandbox = await owner.call(routes.sandboxes.create, { body: { name: 'Full' } })
      for (const place of [`workspaces/${workspace.id}`, `sandboxes/${sandbox.id}`]) {
        const response = await owner.fetch(`/api/v1/${place}/files/large.bin`, { method: 'PUT', body: bytes })
        expect([place, response.status, response.headers.get('retry-after')]).toEqual([place, 503, '60'])
        expect(await response.json()).toMatchObject({
          error: { code: 'unavailable', message: expect.stringMatching(full) },
        })
      }
      const run = await owner.call(routes.runs.create, {
        query: { wait: 'true' },
        body: { language: 'python', code: write, keep: ['large.bin'] },
      })
      expect(run).toMatchObject({ status: 'failed', error: { kind: 'internal', message: expect.stringMatching(full) } })
      const cell = await owner.call(routes.runs.create, {
        query: { wait: 'true' },
        body: { language: 'python', code: write, sandboxId: sandbox.id },
      })
      expect(cell).toMatchObject({ status: 'succeeded', result: 'written' })
      expect(cell.output.map((line) => ('text' in line ? line.text : ''))).toEqual([expect.stringMatching(full)])
    } finally {
      await server.stop()
    }
  })
})
