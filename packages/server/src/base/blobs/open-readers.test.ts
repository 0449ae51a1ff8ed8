import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OpenReaders } from './open-readers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coherex-readers-'))
  await writeFile(join(folder, 'file'), 'x'.repeat(1_000_000))
})
afterAll(() => rm(folder, { recursive: true }))

test('a file that nobody reads on is closed at the second look, one that is read is not', async () => {
  const readers = new OpenReaders()
  const make = async () => readers.add((await open(join(folder, 'file'))).createReadStream({ highWaterMark: 1024 }))
  const [unread, read] = [await make(), await make()]
  readers.closeAbandoned()
  await once(read, 'readable')
  readers.closeAbandoned()
  expect([unread.destroyed, read.destroyed]).toEqual([true, false])
  let bytes = 0
  for await (const chunk of read) bytes += (chunk as Buffer).length
  expect(bytes).toBe(1_000_000)
})
