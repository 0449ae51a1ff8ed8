import { afterAll, beforeAll, expect, test } from 'vitest'
import { anna, startTestWorkspaces, type TestWorkspaces } from '../test-workspaces.ts'

let store: TestWorkspaces

beforeAll(async () => {
  store = await startTestWorkspaces()
})
afterAll(() => store.stop())

test('files of a version that ran before are not read again, and a changed one is another', async () => {
  const name = await store.make()
  const { files } = store.workspaces
  const write = (path: string, bytes: number[]) =>
    files.write(name, { path, bytes: [Buffer.from(bytes)], author: anna })
  const bytesAt = async (version?: number) => {
    const { files: all } = await files.materialise(name, { version, mostBytes: 1e6 })
    return Object.fromEntries([...all].map(([path, bytes]) => [path, [...bytes]]))
  }
  await write('data.bin', [0, 1])
  await write('main.js', [49])
  expect(await bytesAt()).toEqual({ 'data.bin': [0, 1], 'main.js': [49] })
  // what is gone from the store can only come from where it was kept
  for (const hash of await store.blobNames()) await store.blobs.remove(store.teamId, hash)
  expect(await bytesAt()).toEqual({ 'data.bin': [0, 1], 'main.js': [49] })
  await write('data.bin', [0, 2])
  expect(await bytesAt()).toEqual({ 'data.bin': [0, 2], 'main.js': [49] })
  expect(await bytesAt(2)).toEqual({ 'data.bin': [0, 1], 'main.js': [49] })
  await expect((await store.another()).files.materialise(name, { version: 2, mostBytes: 1e6 })).rejects.toMatchObject({
    code: 'not_found',
  })
})
