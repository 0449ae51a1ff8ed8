import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { blobGraceMs, type Blobs } from './blobs.ts'

interface BlobsUnderTest {
  /** Each time an empty place. */
  open(): Promise<Blobs>
  /** As if nobody had put or asked for it for that long. */
  age(teamId: string, hash: string, ms: number): Promise<void>
  /** Of the race between those who remove and those who need. */
  rounds: number
}

const bytes = Buffer.from('some bytes')
const hash = hashOf(bytes)

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function* inPieces(content: Uint8Array, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function read(blobs: Blobs, teamId: string, name = hash): Promise<string | undefined> {
  const stream = await blobs.read(teamId, name)
  return stream && Buffer.concat((await stream.toArray()) as Buffer[]).toString()
}

async function listed(blobs: Blobs, part?: Parameters<Blobs['list']>[0]) {
  const found = []
  for await (const { teamId, hash: name, size } of blobs.list(part)) found.push({ teamId, hash: name, size })
  return found
}

/** What every place for blobs does. */
export function testBlobs(title: string, { open, age, rounds }: BlobsUnderTest): void {
  describe(title, () => {
    test('bytes are named by their hash, given at once or as a stream', async () => {
      const blobs = await open()
      expect(await blobs.put('team_1', bytes)).toBe(hash)
      expect(await blobs.put('team_2', inPieces(bytes, 4))).toBe(hash)
      expect(await blobs.put('team_2', bytes)).toBe(hash)
      expect([await read(blobs, 'team_1'), await read(blobs, 'team_2'), await read(blobs, 'team_3')]).toEqual([
        ...['some bytes', 'some bytes'],
        undefined,
      ])
      expect([await blobs.size('team_1', hash), await blobs.size('team_3', hash)]).toEqual([bytes.length, 0])
      expect([await blobs.has('team_1', hash), await blobs.has('team_3', hash)]).toEqual([true, false])
    })

    test('large and empty streams come back as they were', async () => {
      const blobs = await open()
      for (const content of [Buffer.alloc(13_000_000, 'abcdefg'), Buffer.alloc(0)]) {
        const name = await blobs.put('team_1', inPieces(content, 65_536))
        expect(name).toBe(hashOf(content))
        expect(hashOf(Buffer.concat((await (await blobs.read('team_1', name))?.toArray()) as Buffer[]))).toBe(name)
        expect(await blobs.size('team_1', name)).toBe(content.length)
      }
    })

    test('a stream that fails leaves nothing', async () => {
      const blobs = await open()
      async function* failing() {
        yield bytes
        throw new Error('the client went away')
      }
      await expect(blobs.put('team_1', failing())).rejects.toThrow('the client went away')
      expect(await listed(blobs)).toEqual([])
    })

    test('list() tells of every blob, or of those in one folder of a team', async () => {
      const blobs = await open()
      for (const teamId of ['team_1', 'team_2']) await blobs.put(teamId, bytes)
      const size = bytes.length
      expect(await listed(blobs)).toEqual(['team_1', 'team_2'].map((teamId) => ({ teamId, hash, size })))
      const folder = hash.slice(0, 2)
      expect(await listed(blobs, { teamId: 'team_2', folder })).toEqual([{ teamId: 'team_2', hash, size }])
      expect(await listed(blobs, { teamId: 'team_2', folder: 'zz' })).toEqual([])
    })

    test('a team that is removed takes its bytes with it and no others', async () => {
      const blobs = await open()
      for (const teamId of ['team_1', 'team_2']) await blobs.put(teamId, bytes)
      await blobs.removeTeam('team_1')
      await blobs.remove('team_3', hash)
      expect([await read(blobs, 'team_1'), await read(blobs, 'team_2')]).toEqual([undefined, 'some bytes'])
    })

    test('bytes that were put or asked for within the grace time stay, others are removed', async () => {
      const blobs = await open()
      const isLeftAfter = async (use: () => Promise<unknown>) => {
        await blobs.put('team_1', bytes)
        await age('team_1', hash, blobGraceMs + 5_000)
        await use()
        await blobs.remove('team_1', hash)
        return (await read(blobs, 'team_1')) !== undefined
      }
      expect(await isLeftAfter(async () => undefined)).toBe(false)
      expect(await isLeftAfter(() => blobs.put('team_1', bytes))).toBe(true)
      expect(await isLeftAfter(() => blobs.put('team_1', inPieces(bytes, 4)))).toBe(true)
      expect(await isLeftAfter(() => blobs.has('team_1', hash))).toBe(true)
      expect(await isLeftAfter(() => blobs.size('team_1', hash))).toBe(false)
    })

    test('bytes that are put or found while others remove them are there', async () => {
      const blobs = await open()
      for (let round = 0; round < rounds; round++) {
        await blobs.put('team_1', bytes)
        await age('team_1', hash, blobGraceMs + 5_000)
        const isPut = round % 2 === 0
        const [isThere] = await Promise.all([
          isPut ? blobs.put('team_1', bytes) : blobs.has('team_1', hash),
          blobs.remove('team_1', hash),
          blobs.remove('team_1', hash),
        ])
        if (isThere) expect({ round, text: await read(blobs, 'team_1') }).toEqual({ round, text: 'some bytes' })
      }
      expect((await listed(blobs)).length).toBeLessThanOrEqual(1)
    })

    test('a name that could lead elsewhere is refused', async () => {
      const blobs = await open()
      for (const [teamId, name] of [
        ['..', hash],
        ['team_1', `../${hash.slice(3)}`],
        ['', hash],
      ] as const)
        await expect((async () => blobs.read(teamId, name))()).rejects.toThrow('not a blob name')
      await expect(blobs.put('../elsewhere', bytes)).rejects.toThrow('not a blob name')
      await expect(blobs.removeTeam('..')).rejects.toThrow('not a blob name')
    })
  })
}
