import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskBlobs, type Blobs } from './blobs.ts'

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

test('bytes are named by their hash, given at once or as a stream', async () => {
  async function* pieces() {
    yield bytes.subarray(0, 4)
    yield bytes.subarray(4)
  }
  expect(await blobs.put('team_1', bytes)).toBe(hash)
  expect(await blobs.put('team_2', pieces())).toBe(hash)
  expect(await read('team_1', hash)).toBe('some bytes')
  expect(await read('team_2', hash)).toBe('some bytes')
  expect(await read('team_3', hash)).toBeUndefined()
})

test('a stream that fails leaves nothing', async () => {
  async function* failing() {
    yield bytes
    throw new Error('the client went away')
  }
  await expect(blobs.put('team_1', failing())).rejects.toThrow('the client went away')
  expect(await readdir(join(directory, 'team_1'))).toEqual([])
})

test('list() tells of every blob and of nothing that is being written', async () => {
  await blobs.put('team_1', bytes)
  await blobs.put('team_2', bytes)
  await writeFile(join(directory, 'team_1', 'x.part'), 'half')
  const listed = []
  for await (const one of blobs.list()) listed.push(one)
  expect(listed).toEqual(['team_1', 'team_2'].map((teamId) => ({ teamId, hash, size: bytes.length })))
})

test('what is removed is gone for that team alone', async () => {
  await blobs.put('team_1', bytes)
  await blobs.put('team_2', bytes)
  await blobs.removeTeam('team_1')
  await blobs.remove('team_3', hash)
  expect([await read('team_1', hash), await read('team_2', hash)]).toEqual([undefined, 'some bytes'])
})

test('a name that could lead elsewhere is refused', async () => {
  for (const [teamId, name] of [
    ['..', hash],
    ['team_1', `../${hash.slice(3)}`],
    ['', hash],
  ] as const)
    await expect(blobs.read(teamId, name)).rejects.toThrow('not a blob name')
  await expect(blobs.put('../elsewhere', bytes)).rejects.toThrow('not a blob name')
  await expect(blobs.removeTeam('..')).rejects.toThrow('not a blob name')
})
