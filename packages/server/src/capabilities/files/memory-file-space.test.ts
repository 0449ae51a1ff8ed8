import { expect, it } from 'vitest'
import { describeFileSpace } from './file-space.contract.ts'
import { createMemoryFileSpace } from './memory-file-space.ts'

describeFileSpace('createMemoryFileSpace()', { create: async (options) => createMemoryFileSpace(options) })

it('a scratch space starts with the files it was given', async () => {
  const space = createMemoryFileSpace({ files: { 'src/a.txt': 'text', 'b.bin': new Uint8Array([0, 255]) } })
  expect(await space.list('/')).toEqual([
    { path: '/b.bin', size: 2 },
    { path: '/src/a.txt', size: 4 },
  ])
  expect(() => createMemoryFileSpace({ files: { '../x': '' } })).toThrow('EINVAL')
})

it('a read-only space is read and nothing else', async () => {
  const space = createMemoryFileSpace({ files: { a: 'x' }, readOnly: true })
  expect(await space.read('a')).toHaveLength(1)
  const attempts = [
    space.write('a', new Uint8Array()),
    space.append('a', new Uint8Array()),
    space.delete('a'),
    space.mkdir('d'),
    space.mkdir('d', { recursive: true }),
    space.rmdir('d'),
    space.rename('a', 'b'),
  ]
  for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'EROFS' })
})

it('one file is bounded more tightly than the space, whatever is asked for', async () => {
  const space = createMemoryFileSpace({ quota: { maxBytes: 64_000_000, maxFileBytes: 64_000_000 } })
  expect(space.quota.maxFileBytes).toBe(16_000_000)
  await expect(space.write('a', new Uint8Array(16_000_001))).rejects.toMatchObject({ code: 'EFBIG' })
})

it('a moved tree stays within the depth that paths may have', async () => {
  const space = createMemoryFileSpace()
  await space.mkdir(Array.from({ length: 20 }, () => 'd').join('/'), { recursive: true })
  await space.mkdir(Array.from({ length: 20 }, () => 'e').join('/'), { recursive: true })
  await expect(space.rename('d', `${Array.from({ length: 20 }, () => 'e').join('/')}/d`)).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  })
})

it('a megabyte appended byte by byte is no work', async () => {
  const space = createMemoryFileSpace()
  const before = process.threadCpuUsage()
  const one = new Uint8Array([1])
  for (let i = 0; i < 200_000; i++) await space.append('log', one)
  expect((await space.stat('log')).size).toBe(200_000)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(5_000)
})
