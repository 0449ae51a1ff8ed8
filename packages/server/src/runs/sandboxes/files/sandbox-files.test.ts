import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createDiskBlobs } from '../../../base/index.ts'
import type { Allowances } from '../../allowances.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { createSandboxFiles } from './sandbox-files.ts'

test('bytes of an upload that the sandbox did not take are released', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'coherex-blobs-'))
  const blobs = createDiskBlobs(directory)
  const write = async () => {
    throw new Error('it is a folder')
  }
  const open = { row: { limits: { diskMb: 1 } }, inside: { files: { write } } }
  const released: unknown[] = []
  const files = createSandboxFiles({
    sandboxes: {
      use: (_team: string, _id: string, work: (one: unknown) => unknown) => work(open),
    } as unknown as Sandboxes,
    allowances: { of: async () => ({ quotas: { storageMb: 1 }, storedMb: 0 }) } as unknown as Allowances,
    blobs,
    releaseBlobs: (...of) => void released.push(of),
  })
  const upload = files.write('team_1', 'box_1', 'folder', Readable.from([Buffer.from('text')]))
  await expect(upload).rejects.toThrow('it is a folder')
  expect(released).toEqual([['team_1', [await blobs.put('team_1', Buffer.from('text'))]]])
  await rm(directory, { recursive: true })
})
