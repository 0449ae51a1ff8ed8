import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolder } from './folder.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'coherex-folder-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test.each(['../up.txt', '/etc/x', 'a/../../up.txt', 'a\\..\\x', 'a\u0000b', ''])(
  'a guest cannot name a file %j',
  async (name) => {
    const folder = await openFolder(home, 'out', {})
    await expect(folder.save(name, 'x')).rejects.toThrow('could lead out of the folder')
    expect(existsSync(join(home, 'up.txt'))).toBe(false)
  },
)

test('a folder with something in it is left alone unless forced', async () => {
  mkdirSync(join(home, 'repository/.git/hooks'), { recursive: true })
  await expect(openFolder(home, 'repository', {})).rejects.toThrow('repository is not empty')
  const folder = await openFolder(home, 'repository', { force: true })
  expect(await folder.save('a/b.txt', 'x')).toBe(join('repository', 'a/b.txt'))
  expect(readFileSync(join(home, 'repository/a/b.txt'), 'utf8')).toBe('x')
})

test('a file is never written through a link', async () => {
  writeFileSync(join(home, 'secret'), 'before')
  mkdirSync(join(home, 'out'))
  symlinkSync(join(home, 'secret'), join(home, 'out/link'))
  const folder = await openFolder(home, 'out', { force: true })
  await expect(folder.save('link', 'after')).rejects.toThrow('Cannot write out/link')
  expect(readFileSync(join(home, 'secret'), 'utf8')).toBe('before')
})

test('a file that is there is written over only when forced', async () => {
  const folder = await openFolder(home, 'out', {})
  await folder.save('a', 'long text')
  await expect(folder.save('a', 'b')).rejects.toThrow('EEXIST')
  await (await openFolder(home, 'out', { force: true })).save('a', 'b')
  expect(readFileSync(join(home, 'out/a'), 'utf8')).toBe('b')
})
