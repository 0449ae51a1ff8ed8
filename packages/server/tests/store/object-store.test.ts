import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@coherex/contract'
import { pino } from 'pino'
import S3rver from 's3rver'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blobFolders, createDiskBlobs, openStore, parseDatabaseUrl } from '../../src/base/index.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { openBlobsAt } from '../../src/open-blobs.ts'
import { moveBlobs } from '../../src/operate/index.ts'
import { moveToolFiles, toolBlobsInUse } from '../../src/registry/index.ts'
import { UnusedBlobs } from '../../src/runs/index.ts'
import { runOperate } from '../harness/server-process.ts'
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
afterEach(() => vi.useRealTimers())
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

const log = pino({ level: 'silent' })
const greet = (text: string) => ({
  'tool.yaml': 'kind: tool\nname: greet\ndescription: Greets\nlanguage: javascript\ninput: true\noutput: true\n',
  'main.js': `export default () => ${JSON.stringify(text)}\n`,
  'picture.bin': { base64: Buffer.from([0, 255, 1]).toString('base64') },
})

test('UnusedBlobs on the bucket keeps files of tool versions until the tool is deleted', async () => {
  const server = await startTestServer(settings)
  const config = readConfig({ ...settings, COHEREX_DATA_DIR: server.dataDirectory }, server.dataDirectory)
  const { database } = await openStore({ owner: parseDatabaseUrl(server.database.url), log })
  const blobs = await openBlobsAt('s3', config, { graceMs: 0 })
  const unused = new UnusedBlobs({ database, blobs, log, usedAbove: toolBlobsInUse, graceMs: 0 })
  try {
    const owner = await server.owner()
    const before = await namesAt('s3', config)
    await owner.call(routes.tools.save, { body: { files: greet('one') } })
    await owner.call(routes.tools.save, { body: { files: greet('two') } })
    const read = async (version: number) =>
      (await owner.call(routes.tools.version, { params: { name: 'greet', version } })).files
    expect([await read(1), await read(2)]).toEqual([greet('one'), greet('two')])
    const ofTool = (await namesAt('s3', config)).filter((hash) => !before.includes(hash))
    // tool.yaml and the picture are the same in both versions
    expect(ofTool).toHaveLength(4)
    const left = await blobs.put(owner.me.team?.id ?? '', Buffer.from('named by no row'))

    await sweepTwoDaysLater()
    const kept = await namesAt('s3', config)
    expect(kept).toEqual(expect.arrayContaining(ofTool))
    expect(kept).not.toContain(left)

    await owner.call(routes.tools.remove, { params: { name: 'greet' } })
    await sweepTwoDaysLater()
    expect((await namesAt('s3', config)).filter((hash) => ofTool.includes(hash))).toEqual([])

    async function sweepTwoDaysLater(): Promise<void> {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 60 * 60_000 })
      for (const folder of blobFolders) await unused.sweep(folder)
      vi.setSystemTime(Date.now() + 1000)
      await unused.removeReleased()
      vi.useRealTimers()
    }
  } finally {
    await unused.close()
    await database.close()
    await server.stop()
  }
})

test('coherex blobs move takes files of tools from the disk to the bucket and back', async () => {
  const server = await startTestServer()
  const inBucket = { ...settings, COHEREX_DATA_DIR: server.dataDirectory, COHEREX_S3_PREFIX: 'moved/' }
  const config = readConfig(inBucket, server.dataDirectory)
  const move = async (...args: string[]) => {
    const { code, stdout, stderr } = await runOperate(['blobs', 'move', ...args, '--json'], inBucket)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as { moved: number; kept: number; removed: number }
  }
  try {
    const owner = await server.owner()
    await owner.call(routes.tools.save, { body: { files: greet('moved') } })
    const names = await namesAt('disk', config)
    expect(names.length).toBeGreaterThanOrEqual(3)
    expect(await move('s3')).toMatchObject({ moved: names.length, removed: 0 })
    expect(await move('s3', '--remove')).toMatchObject({ moved: 0, kept: names.length, removed: names.length })
    expect([await namesAt('disk', config), await namesAt('s3', config)]).toEqual([[], names])
    expect(await move('disk')).toMatchObject({ moved: names.length, removed: 0 })
    const { files } = await owner.call(routes.tools.version, { params: { name: 'greet', version: 1 } })
    expect(files).toEqual(greet('moved'))
  } finally {
    await server.stop()
  }
})

test('files of tool versions in rows from before are put into blobs at the start', async () => {
  const server = await startTestServer()
  const { database } = await openStore({ owner: parseDatabaseUrl(server.database.url), log })
  const superuser = await server.database.superuser()
  try {
    const owner = await server.owner()
    await owner.call(routes.tools.save, { body: { files: greet('old') } })
    await superuser.query(`UPDATE coherex.tool_file SET hash = NULL, bytes = path::bytea`)
    const emptied = createDiskBlobs(join(server.dataDirectory, 'blobs'), { graceMs: 0 })
    const read = async () =>
      Object.values((await owner.call(routes.tools.version, { params: { name: 'greet', version: 1 } })).files)
    expect((await read()).toSorted()).toEqual(['main.js', 'picture.bin', 'tool.yaml'])
    await moveToolFiles(database, emptied)
    const { rows } = await superuser.query('SELECT 1 FROM coherex.tool_file WHERE bytes IS NOT NULL')
    expect(rows).toEqual([])
    expect((await read()).toSorted()).toEqual(['main.js', 'picture.bin', 'tool.yaml'])
  } finally {
    await superuser.end()
    await database.close()
    await server.stop()
  }
})

test('a bucket that is not there stops the start with one sentence', async () => {
  await expect(startTestServer({ ...settings, COHEREX_S3_BUCKET: 'none' })).rejects.toThrow('NoSuchBucket')
  const half = { COHEREX_S3_ENDPOINT: settings['COHEREX_S3_ENDPOINT'] ?? '' }
  await expect(startTestServer(half)).rejects.toThrow('COHEREX_S3_ENDPOINT needs COHEREX_S3_BUCKET')
})
