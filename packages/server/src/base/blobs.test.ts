import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
  const usedAt = expect.any(Number) as number
  expect(listed).toEqual(['team_1', 'team_2'].map((teamId) => ({ teamId, hash, size: bytes.length, usedAt })))
  const some = []
  for await (const one of blobs.list({ teamId: 'team_2', folder: hash.slice(0, 2) })) some.push(one.teamId)
  for await (const one of blobs.list({ teamId: 'team_2', folder: 'zz' })) some.push(one.teamId)
  expect(some).toEqual(['team_2'])
})

test('what is removed is gone for that team alone', async () => {
  await blobs.put('team_1', bytes)
  await blobs.put('team_2', bytes)
  await blobs.removeTeam('team_1')
  await blobs.remove('team_3', hash)
  expect([await read('team_1', hash), await read('team_2', hash)]).toEqual([undefined, 'some bytes'])
})

const path = () => join(directory, 'team_1', hash.slice(0, 2), hash)
const age = (file = path(), ms = blobGraceMs + 1000) => {
  const then = new Date(Date.now() - ms)
  return utimes(file, then, then)
}

test('bytes that were put or asked for within the grace time stay, others are removed', async () => {
  const isLeftAfter = async (use: () => Promise<unknown>) => {
    await blobs.put('team_1', bytes)
    await age()
    await use()
    await blobs.remove('team_1', hash)
    return (await read('team_1', hash)) !== undefined
  }
  expect(await isLeftAfter(async () => undefined)).toBe(false)
  expect(await isLeftAfter(() => blobs.put('team_1', bytes))).toBe(true)
  expect(
    await isLeftAfter(() =>
      blobs.put(
        'team_1',
        (async function* () {
          yield bytes
        })(),
      ),
    ),
  ).toBe(true)
  expect(await isLeftAfter(() => blobs.has('team_1', hash))).toBe(true)
  const hasty = createDiskBlobs(directory, { graceMs: 0 })
  await hasty.put('team_1', bytes)
  await hasty.remove('team_1', hash)
  expect([await blobs.has('team_1', hash), await readdir(join(path(), '..'))]).toEqual([false, []])
})

test('bytes that are put or found while others remove them are there', async () => {
  for (let round = 0; round < 300; round++) {
    await blobs.put('team_1', bytes)
    await age()
    const isPut = round % 2 === 0
    const [isThere] = await Promise.all([
      isPut ? blobs.put('team_1', bytes) : blobs.has('team_1', hash),
      blobs.remove('team_1', hash),
      blobs.remove('team_1', hash),
    ])
    if (isThere) expect({ round, text: await read('team_1', hash) }).toEqual({ round, text: 'some bytes' })
  }
  expect((await readdir(join(path(), '..'))).filter((name) => name !== hash)).toEqual([])
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
