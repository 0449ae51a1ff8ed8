import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskBlobs, type Blobs } from '../../../base/index.ts'
import type { Sandbox } from '../../../runtimes/index.ts'
import { collectChanges } from './save-files.ts'

const teamId = 'team_1'
const file = { path: 'a.txt', type: 'file', size: 4, modifiedAt: 0, stamp: 's1' }
const inside = {
  files: { list: async () => [file], read: async () => Readable.from([Buffer.from('text')]) },
} as unknown as Sandbox
let directory: string
let blobs: Blobs

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coherex-blobs-'))
  blobs = createDiskBlobs(directory, { graceMs: 0 })
})
afterEach(() => rm(directory, { recursive: true }))

const collect = (options: { blobs?: Blobs; hash?: string }) =>
  collectChanges({
    ...{ inside, teamId, known: new Map(), roomBytes: 1000, blobs: options.blobs ?? blobs },
    uploaded: new Map(options.hash ? [['a.txt', { stamp: 's1', size: 4, hash: options.hash }]] : []),
  })

test('an upload whose bytes were removed before it could be saved is read from the sandbox', async () => {
  const hash = await blobs.put(teamId, Buffer.from('text'))
  await blobs.remove(teamId, hash)
  const { written } = await collect({ hash })
  expect(written).toMatchObject([{ path: 'a.txt', size: 4, hash }])
  expect(await blobs.has(teamId, hash)).toBe(true)
})

test('a saving that took so long that its first bytes are gone is refused, to be tried again', async () => {
  const forgetful: Blobs = {
    ...blobs,
    async put(...of) {
      const hash = await blobs.put(...of)
      await blobs.remove(teamId, hash)
      return hash
    },
  }
  await expect(collect({ blobs: forgetful })).rejects.toMatchObject({ code: 'unavailable' })
})
