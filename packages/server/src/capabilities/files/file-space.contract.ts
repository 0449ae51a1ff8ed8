import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileQuota, FileSpace } from './file-space.ts'

export interface FileSpaceFactory {
  /** An empty space with this quota. */
  create(options?: { quota?: Partial<FileQuota> }): Promise<FileSpace>
}

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (data: Uint8Array) => new TextDecoder().decode(data)
const code = (expected: string) => expect.objectContaining({ name: 'CapabilityError', code: expected })

/** What every FileSpace does, whatever it keeps its files in. Rules: SPEC.md, FILES. */
export function describeFileSpace(name: string, { create }: FileSpaceFactory): void {
  describe(`${name} as a FileSpace`, () => {
    it('keeps what was written, text and binary, and replaces it', async () => {
      const space = await create()
      const all = Uint8Array.from({ length: 256 }, (_, i) => i)
      await space.write('a/b/c.bin', all)
      expect(await space.read('/a/b/c.bin')).toEqual(all)
      await space.write('a/b/c.bin', bytes('héllo ☃'))
      expect(text(await space.read('a/b/c.bin'))).toBe('héllo ☃')
      await space.write('empty', new Uint8Array())
      expect(await space.read('empty')).toHaveLength(0)
    })

    it('hands out and takes copies', async () => {
      const space = await create()
      const given = bytes('abc')
      await space.write('f', given)
      given[0] = 0x7a
      const taken = await space.read('f')
      taken[1] = 0x7a
      expect(text(await space.read('f'))).toBe('abc')
    })

    it('appends, to nothing too', async () => {
      const space = await create()
      for (const part of ['one', '', 'two', 'three']) await space.append('log/x.txt', bytes(part))
      expect(text(await space.read('log/x.txt'))).toBe('onetwothree')
      expect(await space.stat('log/x.txt')).toMatchObject({ path: '/log/x.txt', type: 'file', size: 11 })
    })

    it('tells what is there', async () => {
      const space = await create()
      await space.write('dir/b.txt', bytes('12'))
      await space.write('dir/a.txt', bytes('1'))
      await space.mkdir('dir/sub')
      expect(await space.readdir('dir')).toEqual([
        { name: 'a.txt', type: 'file', size: 1 },
        { name: 'b.txt', type: 'file', size: 2 },
        { name: 'sub', type: 'directory', size: 0 },
      ])
      expect(await space.readdir('/')).toEqual([{ name: 'dir', type: 'directory', size: 0 }])
      expect(await space.stat('/')).toMatchObject({ path: '/', type: 'directory' })
      const { modifiedAt } = await space.stat('dir/a.txt')
      expect(new Date(modifiedAt).toISOString()).toBe(modifiedAt)
      for (const [path, there] of [
        ['dir', true],
        ['dir/a.txt', true],
        ['dir/a.txt/x', false],
        ['no', false],
        ['', true],
      ] as const) {
        expect(await space.exists(path), path).toBe(there)
      }
      expect(await space.list('/')).toEqual([
        { path: '/dir/a.txt', size: 1 },
        { path: '/dir/b.txt', size: 2 },
      ])
    })

    it('removes files and directories', async () => {
      const space = await create()
      await space.write('d/f', bytes('x'))
      await expect(space.rmdir('d')).rejects.toEqual(code('ENOTEMPTY'))
      await expect(space.delete('d')).rejects.toEqual(code('EISDIR'))
      await expect(space.rmdir('d/f')).rejects.toEqual(code('ENOTDIR'))
      await space.delete('d/f')
      await space.rmdir('d')
      expect(await space.exists('d')).toBe(false)
      await space.write('e/f/g', bytes('x'))
      await space.rmdir('e', { recursive: true })
      expect(await space.readdir('/')).toEqual([])
      await expect(space.rmdir('/', { recursive: true })).rejects.toEqual(code('EBUSY'))
    })

    it('makes directories', async () => {
      const space = await create()
      await space.mkdir('a')
      await expect(space.mkdir('a')).rejects.toEqual(code('EEXIST'))
      await expect(space.mkdir('x/y')).rejects.toEqual(code('ENOENT'))
      await space.mkdir('x/y/z', { recursive: true })
      await space.mkdir('x/y/z', { recursive: true })
      await space.write('f', bytes(''))
      await expect(space.mkdir('f')).rejects.toEqual(code('EEXIST'))
      await expect(space.mkdir('f/g', { recursive: true })).rejects.toEqual(code('ENOTDIR'))
      await expect(space.mkdir('/')).rejects.toEqual(code('EEXIST'))
    })

    it('renames files and directories', async () => {
      const space = await create()
      await space.write('a/f', bytes('1'))
      await space.write('g', bytes('2'))
      await space.rename('g', 'a/f')
      expect(text(await space.read('a/f'))).toBe('2')
      await space.rename('a', 'new/place')
      expect(await space.list('/')).toEqual([{ path: '/new/place/f', size: 1 }])
      await space.mkdir('empty')
      await space.rename('new/place', 'empty')
      expect(text(await space.read('empty/f'))).toBe('2')
      await space.rename('empty', 'empty')
      await expect(space.rename('empty', 'empty/inside')).rejects.toEqual(code('EINVAL'))
      await expect(space.rename('no', 'x')).rejects.toEqual(code('ENOENT'))
      await space.write('h', bytes('3'))
      await expect(space.rename('h', 'empty')).rejects.toEqual(code('EISDIR'))
      await expect(space.rename('empty', 'h')).rejects.toEqual(code('ENOTDIR'))
      await space.write('full/x', bytes('4'))
      await expect(space.rename('empty', 'full')).rejects.toEqual(code('ENOTEMPTY'))
      await expect(space.rename('/', 'x')).rejects.toEqual(code('EBUSY'))
      expect(text(await space.read('h'))).toBe('3')
    })

    it('says what is wrong with a path that is not there or is something else', async () => {
      const space = await create()
      await space.write('f', bytes('x'))
      await expect(space.read('no')).rejects.toEqual(code('ENOENT'))
      await expect(space.read('/')).rejects.toEqual(code('EISDIR'))
      await expect(space.read('f/x')).rejects.toEqual(code('ENOTDIR'))
      await expect(space.write('f/x', bytes(''))).rejects.toEqual(code('ENOTDIR'))
      await expect(space.write('/', bytes(''))).rejects.toEqual(code('EISDIR'))
      await expect(space.readdir('f')).rejects.toEqual(code('ENOTDIR'))
      await expect(space.stat('no')).rejects.toEqual(code('ENOENT'))
      await expect(space.delete('no')).rejects.toEqual(code('ENOENT'))
    })

    it('normalises paths and never climbs', async () => {
      const space = await create()
      await space.write('//a/./b/../c.txt', bytes('x'))
      expect(await space.list('/')).toEqual([{ path: '/a/c.txt', size: 1 }])
      const climbing = ['..', '../x', '/../etc/passwd', 'a/../../x', 'a/b/../../../x', './../x']
      const strange = ['a\u0000b', 'a\\b', '..\\x', 'a\nb', 'a\u007f', '\ud800']
      for (const path of [...climbing, ...strange]) {
        await expect(space.write(path, bytes('x')), JSON.stringify(path)).rejects.toEqual(code('EINVAL'))
        await expect(space.read(path), JSON.stringify(path)).rejects.toEqual(code('EINVAL'))
      }
      await expect(space.write('a'.repeat(256), bytes('x'))).rejects.toEqual(code('ENAMETOOLONG'))
      await expect(space.write('ü'.repeat(128), bytes('x'))).rejects.toEqual(code('ENAMETOOLONG'))
      await expect(space.write('d/'.repeat(33), bytes('x'))).rejects.toEqual(code('ENAMETOOLONG'))
      await expect(space.write(`${'n'.repeat(200)}/`.repeat(6), bytes('x'))).rejects.toEqual(code('ENAMETOOLONG'))
      await expect(space.read('x'.repeat(10_000_000))).rejects.toEqual(code('ENAMETOOLONG'))
      // only names, not ways up: no file of the host is behind any of them
      for (const path of ['..%2f..%2fetc', '%2e%2e/x', '․․/x', '．．/x', '~/x', 'C:x']) {
        await space.write(path, bytes('x'))
        expect(await space.exists(path)).toBe(true)
      }
    })

    it('takes names of object properties as names', async () => {
      const space = await create()
      for (const path of ['__proto__', 'constructor/prototype', 'toString', 'hasOwnProperty']) {
        expect(await space.exists(path)).toBe(false)
        await space.write(path, bytes(path))
        expect(text(await space.read(path))).toBe(path)
      }
      expect(({} as { constructor: unknown }).constructor).toBe(Object)
      expect((await space.list('/')).map(({ path }) => path)).toContain('/__proto__')
    })

    it('holds its quota: bytes, one file, entries; a refused write changes nothing', async () => {
      const space = await create({ quota: { maxBytes: 100, maxFileBytes: 60, maxFiles: 5 } })
      await space.write('a', new Uint8Array(60))
      await expect(space.write('b', new Uint8Array(61))).rejects.toEqual(code('EFBIG'))
      await expect(space.append('a', new Uint8Array(1))).rejects.toEqual(code('EFBIG'))
      await expect(space.write('x/y/b', new Uint8Array(41))).rejects.toEqual(code('ENOSPC'))
      expect(await space.readdir('/')).toEqual([{ name: 'a', type: 'file', size: 60 }])
      await space.write('a', new Uint8Array(50))
      await space.write('b', new Uint8Array(50))
      await expect(space.append('b', new Uint8Array(1))).rejects.toEqual(code('ENOSPC'))
      await space.delete('a')
      await space.write('c', new Uint8Array(50))
      await space.mkdir('1/2/3', { recursive: true })
      await expect(space.mkdir('4')).rejects.toEqual(code('ENOSPC'))
      await expect(space.write('d', new Uint8Array(0))).rejects.toEqual(code('ENOSPC'))
      await expect(space.rename('c', 'new/c')).rejects.toEqual(code('ENOSPC'))
      await space.rmdir('1', { recursive: true })
      await space.write('p/q/r', new Uint8Array(0))
      await expect(space.write('s', new Uint8Array(0))).rejects.toEqual(code('ENOSPC'))
    })

    it('behaves as a plain model of it does, whatever is done in whatever order', async () => {
      const path = fc.constantFrom('a', 'b', 'a/b', 'a/c', 'b/c', 'a/b/c', '__proto__')
      const operation = fc.oneof(
        fc.record({ kind: fc.constant('write' as const), path, size: fc.nat(30) }),
        fc.record({ kind: fc.constant('append' as const), path, size: fc.nat(30) }),
        fc.record({ kind: fc.constant('delete' as const), path, size: fc.constant(0) }),
        fc.record({ kind: fc.constant('rmdir' as const), path, size: fc.constant(0) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
          const space = await create({ quota: { maxBytes: 120, maxFileBytes: 60, maxFiles: 6 } })
          const model = new Map<string, number>()
          for (const { kind, path: at, size } of operations) {
            const key = `/${at}`
            const done = await (
              kind === 'rmdir'
                ? space.rmdir(at, { recursive: true })
                : kind === 'delete'
                  ? space.delete(at)
                  : space[kind](at, new Uint8Array(size))
            ).then(
              () => true,
              () => false,
            )
            if (!done) continue
            if (kind === 'write') model.set(key, size)
            if (kind === 'append') model.set(key, (model.get(key) ?? 0) + size)
            if (kind === 'delete') model.delete(key)
            if (kind === 'rmdir') for (const file of model.keys()) if (file.startsWith(`${key}/`)) model.delete(file)
          }
          const listed = await space.list('/')
          expect(new Map(listed.map(({ path: file, size }) => [file, size]))).toEqual(model)
          expect(listed.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(120)
        }),
        { numRuns: 200 },
      )
    })
  })
}
