import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testBlobs } from './blobs.contract.ts'
import { blobGraceMs, createDiskBlobs, type Blobs } from './blobs.ts'

let directory: string
let blobs: Blobs
const bytes = Buffer.from('some bytes')
const hash = createHash('sha256').update(bytes).digest('hex')

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coherex-blobs-'))
  blobs = createDiskBlobs(directory)
})
afterEach(() => rm(directory, { recursive: true }))

async function read(teamId: string, name: string): Promise<string | undefined> {
  const stream = await blobs.read(teamId, name)
  return stream && Buffer.concat((await stream.toArray()) as Buffer[]).toString()
}

const path = () => join(directory, 'team_1', hash.slice(0, 2), hash)
const age = (file = path(), ms = blobGraceMs + 1000) => {
  const then = new Date(Date.now() - ms)
  return utimes(file, then, then)
}

testBlobs('blobs on the disk', {
  rounds: 300,
  open: async () => blobs,
  age: (_, __, ms) => age(path(), ms),
})

test('without a grace time bytes are removed at once', async () => {
  const hasty = createDiskBlobs(directory, { graceMs: 0 })
  await hasty.put('team_1', bytes)
  await hasty.remove('team_1', hash)
  expect([await blobs.has('team_1', hash), await readdir(join(path(), '..'))]).toEqual([false, []])
})

test('bytes that a killed server was about to remove are found again, and its half-written ones go after a day', async () => {
  await blobs.put('team_1', bytes)
  const takeAside = async () => {
    await age()
    await rename(path(), `${path()}.0b5e7d5e-0000-4000-8000-000000000000.aside`)
  }
  await takeAside()
  expect(await read('team_1', hash)).toBe('some bytes')
  await takeAside()
  expect(await blobs.has('team_1', hash)).toBe(true)
  await takeAside()
  const parts = ['new.part', 'old.part'].map((name) => join(directory, 'team_1', name))
  for (const part of parts) await writeFile(part, 'half')
  await age(parts[1], 25 * 60 * 60_000)
  await blobs.tidy({ teamId: 'team_1', folder: hash.slice(0, 2) })
  expect(await readdir(join(path(), '..'))).toEqual([hash])
  expect((await readdir(join(directory, 'team_1'))).sort()).toEqual([hash.slice(0, 2), 'new.part'])
  // as used now: the same bytes may have been put anew
  await blobs.remove('team_1', hash)
  expect(await read('team_1', hash)).toBe('some bytes')
})
