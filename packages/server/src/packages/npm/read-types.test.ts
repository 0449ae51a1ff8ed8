import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readTypes } from './read-types.ts'

const modules = await mkdtemp(join(tmpdir(), 'coherex-types-'))
afterAll(() => rm(modules, { recursive: true }))

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(modules, path)), { recursive: true })
    await writeFile(join(modules, path), text)
  }
}

test('readTypes() finds the types of exports, of the field types and of index.d.ts', async () => {
  const parts = {
    '.': { import: { types: './dist/main.d.mts', default: './dist/main.mjs' } },
    './sub': './dist/sub.js',
  }
  await write({
    '@a/exported/package.json': JSON.stringify({ exports: parts }),
    '@a/exported/dist/main.d.mts': 'export declare const a: 1',
    '@a/exported/dist/sub.d.ts': 'export declare const b: 1',
    'named/package.json': JSON.stringify({ types: 'lib/named' }),
    'named/lib/named.d.ts': 'export declare const c: 1',
    'named/node_modules/inner/index.d.ts': 'export declare const hidden: 1',
    'plain/package.json': 'no JSON',
    'plain/index.d.ts': 'export declare const d: 1',
    'untyped/index.js': '',
  })
  const types = await readTypes(modules, ['@a/exported', 'named', 'plain', 'untyped', 'absent'])
  expect(types.entries).toEqual({
    '@a/exported': '@a/exported/dist/main.d.mts',
    '@a/exported/sub': '@a/exported/dist/sub.d.ts',
    named: 'named/lib/named.d.ts',
    plain: 'plain/index.d.ts',
  })
  expect(types.files.map(({ path }) => path)).toEqual([
    '@a/exported/dist/main.d.mts',
    '@a/exported/dist/sub.d.ts',
    'named/lib/named.d.ts',
    'plain/index.d.ts',
  ])
  expect(types.isPartial).toBe(false)
})

test('readTypes() reads no link, nothing outside of a package, and no more than its bound', async () => {
  await write({ 'linked/index.d.ts': 'export {}', 'large/index.d.ts': 'x'.repeat(4_000_001), 'after/index.d.ts': '' })
  await write({ 'linked/package.json': JSON.stringify({ types: '../large/index.d.ts' }) })
  await symlink('/etc/passwd', join(modules, 'linked/secret.d.ts'))
  const types = await readTypes(modules, ['linked', 'large', 'after'])
  expect(types).toEqual({
    files: [{ path: 'linked/index.d.ts', text: 'export {}' }],
    entries: { linked: 'linked/index.d.ts' },
    isPartial: true,
  })
})

test('readTypes() does not read a file that is larger than what an editor is given', async () => {
  await write({ 'small/index.d.ts': 'export {}', 'huge/index.d.ts': '', 'told/index.d.ts': 'export {}' })
  await write({ 'told/package.json': '' })
  // more than a string can have
  for (const path of ['huge/index.d.ts', 'told/package.json']) await truncate(join(modules, path), 2 ** 30)
  const before = process.memoryUsage().arrayBuffers
  expect(await readTypes(modules, ['small', 'told', 'huge'])).toMatchObject({
    entries: { small: 'small/index.d.ts', told: 'told/index.d.ts' },
    isPartial: true,
  })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
})
