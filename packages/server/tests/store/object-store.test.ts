import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@coherex/contract'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, type Config } from '../../src/config.ts'
import { openBlobsAt } from '../../src/open-blobs.ts'
import { moveBlobs } from '../../src/operate/index.ts'
import { startTestServer } from '../harness/test-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'coherex-object-store-'))
const store = new S3rver({
  ...{ address: '127.0.0.1', port: 0, directory, silent: true },
  configureBuckets: [{ name: 'files', configs: [] }],
})
let settings: Record<string, string>
beforeAll(async () => {
  const { port } = await store.run()
  settings = {
    COHEREX_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    COHEREX_S3_BUCKET: 'files',
    COHEREX_S3_ACCESS_KEY_ID: 'S3RVER',
    COHEREX_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

async function namesAt(place: 'disk' | 's3', config: Config): Promise<string[]> {
  const names = []
  for await (const { hash } of (await openBlobsAt(place, config)).list()) names.push(hash)
  return names
}

test('a server keeps binary files of a workspace in the bucket, and they move to the disk and back', async () => {
  const server = await startTestServer(settings)
  const config = readConfig({ ...settings, COHEREX_DATA_DIR: server.dataDirectory }, server.dataDirectory)
  const move = (to: 'disk' | 's3', removes: boolean, given = config) =>
    moveBlobs({ config: given, to, removes, signal: new AbortController().signal, onProgress: () => undefined })
  try {
    const owner = await server.owner()
    const { id } = await owner.call(routes.workspaces.create, { body: { name: 'pictures' } })
    const bytes = Buffer.from([0, 255, 1, 254, ...Array.from({ length: 5_000 }, (_, at) => at % 256)])
    const path = `/api/v1/workspaces/${id}/files/picture.bin`
    expect((await owner.fetch(path, { method: 'PUT', body: bytes })).ok).toBe(true)
    const content = async () => Buffer.from(await (await owner.fetch(path)).arrayBuffer()).equals(bytes)
    expect(await content()).toBe(true)
    const names = await namesAt('s3', config)
    expect(names.length).toBeGreaterThan(0)
    expect(await namesAt('disk', config)).toEqual([])

    expect(await move('disk', false)).toMatchObject({ moved: names.length, removed: 0 })
    expect(await namesAt('disk', config)).toEqual(names)
    await expect(move('disk', true)).rejects.toThrow('the settings still keep blobs in the object store')
    expect(await move('s3', true)).toMatchObject({ moved: 0, kept: names.length, removed: names.length })
    expect(await namesAt('disk', config)).toEqual([])
    expect(await content()).toBe(true)
  } finally {
    await server.stop()
  }
})

test('a bucket that is not there stops the start with one sentence', async () => {
  await expect(startTestServer({ ...settings, COHEREX_S3_BUCKET: 'none' })).rejects.toThrow('NoSuchBucket')
  const half = { COHEREX_S3_ENDPOINT: settings['COHEREX_S3_ENDPOINT'] ?? '' }
  await expect(startTestServer(half)).rejects.toThrow('COHEREX_S3_ENDPOINT needs COHEREX_S3_BUCKET')
})
