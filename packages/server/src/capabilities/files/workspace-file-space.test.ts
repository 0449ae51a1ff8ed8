import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestWorkspaces, anna, type TestWorkspaces } from '../../workspaces/test-workspaces.ts'
import { describeFileSpace } from './file-space.contract.ts'
import { createWorkspaceFileSpace } from './workspace-file-space.ts'

let world: TestWorkspaces
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

beforeAll(async () => {
  world = await startTestWorkspaces()
})
afterAll(() => world.stop())

describeFileSpace('WorkspaceFileSpace', {
  create: async (options = {}) => {
    empty ??= world.make()
    return createWorkspaceFileSpace({ workspaces: world.workspaces, name: await empty, ...options })
  },
})
let empty: ReturnType<TestWorkspaces['make']> | undefined

test('it has the files of its version, reads them when they are needed, and tells what was done', async () => {
  const name = await world.make()
  const files = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/d.txt'].map((path) => ({ path, bytes: Buffer.from(`${path}\n`) }))
  await world.workspaces.files.writeAll(name, files, { author: anna })
  const space = await createWorkspaceFileSpace({ workspaces: world.workspaces, name })
  const read = vi.spyOn(world.workspaces.files, 'read')
  await world.workspaces.files.write(name, { author: anna, path: 'a.txt', bytes: [Buffer.from('later')] })
  expect(await space.list('/dir')).toEqual([
    { path: '/dir/c.txt', size: 10 },
    { path: '/dir/d.txt', size: 10 },
  ])
  expect(read).not.toHaveBeenCalled()
  expect([text(await space.read('a.txt')), text(await space.read('a.txt'))]).toEqual(['a.txt\n', 'a.txt\n'])
  expect(read).toHaveBeenCalledTimes(1)
  expect(await space.changes()).toEqual({ written: [], removed: [] })

  await space.append('b.txt', Buffer.from('more'))
  await space.rename('dir/c.txt', 'moved.txt')
  await space.delete('dir/d.txt')
  const { written, removed } = await space.changes()
  expect(written.map(({ path, bytes }) => [path, text(bytes)])).toEqual([
    ['b.txt', 'b.txt\nmore'],
    ['moved.txt', 'dir/c.txt\n'],
  ])
  expect(removed).toEqual(['dir/c.txt', 'dir/d.txt'])
  expect((await world.workspaces.files.list(name)).version).toBe(2)

  const result = await world.workspaces.files.bringBack(name, { written, removed }, { author: anna })
  expect(result).toEqual({ version: 3 })
  const { items } = await world.workspaces.files.list(name)
  expect(items.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'moved.txt'])
})
