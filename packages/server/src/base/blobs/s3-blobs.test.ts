import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBlobs } from './blobs.contract.ts'
import { createS3Blobs, type S3BlobsOptions } from './s3-blobs.ts'

const directory = mkdtempSync(join(tmpdir(), 'coherex-s3-'))
const store = new S3rver({
  ...{ address: '127.0.0.1', port: 0, directory, silent: true },
  configureBuckets: [{ name: 'blobs', configs: [] }],
})
let endpoint: string
beforeAll(async () => {
  const { port } = await store.run()
  endpoint = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

let opened = 0
const optionsOf = (more: Partial<S3BlobsOptions> = {}): S3BlobsOptions => ({
  ...{ endpoint, bucket: 'blobs', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  ...{ prefix: `place${opened}/`, directory: join(directory, 'waiting'), fetch, partBytes: 5 * 1024 * 1024 },
  ...more,
})

/** The server keeps objects as files, and tells their times. */
async function ageFiles(path: string, ms: number): Promise<void> {
  const folder = join(directory, 'blobs', `place${opened}`, path)
  const then = new Date(Date.now() - ms)
  for (const name of await readdir(folder).catch(() => [])) await utimes(join(folder, name), then, then)
}

testBlobs('blobs in an object store', {
  rounds: 30,
  open: async () => {
    opened++
    return createS3Blobs(optionsOf())
  },
  async age(teamId, hash, ms) {
    for (const place of ['', '.used']) await ageFiles(join(place, teamId, hash.slice(0, 2)), ms)
  },
})

test('a store that is busy is asked again, and one that refuses says why', async () => {
  let calls = 0
  const busy = async (url: string, init: RequestInit) =>
    ++calls < 3 ? new Response('', { status: 503 }) : fetch(url, init)
  const blobs = createS3Blobs(optionsOf({ fetch: busy }))
  const hash = await blobs.put('team_1', Buffer.from('x'))
  expect(await blobs.size('team_1', hash)).toBe(1)
  expect(calls).toBeGreaterThan(3)
  const wrong = createS3Blobs(optionsOf({ accessKeyId: 'nobody' }))
  await expect(wrong.read('team_1', hash)).rejects.toThrow('InvalidAccessKeyId')
  const lost = createS3Blobs(optionsOf({ bucket: 'none' }))
  await expect(lost.read('team_1', hash)).rejects.toThrow('NoSuchBucket')
})

test('a mark that a killed server left is cleared, and holds nobody up for ever', async () => {
  const blobs = createS3Blobs(optionsOf())
  const hash = await blobs.put('team_9', Buffer.from('z'))
  const path = join('.removing', 'team_9', hash.slice(0, 2), hash)
  const mark = join(directory, 'blobs', `place${opened}`, path)
  const killed = createS3Blobs(
    optionsOf({
      fetch: async (url, init) => (init.method === 'DELETE' ? new Promise<Response>(() => {}) : fetch(url, init)),
    }),
  )
  void killed.remove('team_9', hash)
  await expect
    .poll(() =>
      readdir(mark).then(
        (names) => names.length,
        () => 0,
      ),
    )
    .toBeGreaterThan(0)
  await ageFiles(path, 120_000)
  expect(await blobs.has('team_9', hash)).toBe(true)
  expect(await readdir(mark).catch(() => [])).toEqual([])
})
