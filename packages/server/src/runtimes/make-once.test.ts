import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeOnce, project } from './make-once.ts'

let directory: string
let source: string
let made: number

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coherex-made-'))
  source = join(directory, 'source.txt')
  writeFileSync(source, 'one')
  made = 0
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** What is made is the source in capitals. */
async function shout({ stamp = 'version 1', kept = join(directory, 'kept') } = {}): Promise<string> {
  const files = await makeOnce({
    name: 'shout',
    stamp,
    directory: kept,
    async make() {
      made++
      const text = readFileSync(source, 'utf8').toUpperCase()
      return { sources: [relative(project, source)], files: { 'a/b.txt': Buffer.from(text) } }
    },
  })
  return Buffer.from(files['a/b.txt'] ?? []).toString()
}

test('it is made once, and taken as it is from then on', async () => {
  expect([await shout(), await shout(), await shout()]).toEqual(['ONE', 'ONE', 'ONE'])
  expect(made).toBe(1)
  expect(readdirSync(join(directory, 'kept'))).toEqual(['shout'])
})

test('many that come at once get the same, and none gets half of it', async () => {
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => shout())))).toEqual(new Set(['ONE']))
  const before = made
  expect([await shout(), made]).toEqual(['ONE', before])
  expect(readdirSync(join(directory, 'kept'))).toEqual(['shout'])
})

test('a source that changed, or is gone, has it made anew', async () => {
  await shout()
  writeFileSync(source, 'two')
  expect([await shout(), await shout(), made]).toEqual(['TWO', 'TWO', 2])
  rmSync(source)
  await expect(shout()).rejects.toThrow('ENOENT')
})

test('another version of what makes it has it made anew', async () => {
  await shout()
  await shout({ stamp: 'version 2' })
  expect(made).toBe(2)
})

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['empty', () => Buffer.alloc(0)],
  ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -3), Buffer.from('???')])],
])('what was kept and is %s is not believed', async (_how, harm) => {
  await shout()
  const file = join(directory, 'kept/shout')
  writeFileSync(file, harm(readFileSync(file)))
  expect([await shout(), made]).toEqual(['ONE', 2])
  expect([await shout(), made]).toEqual(['ONE', 2])
})

test('where nothing can be kept it is made each time', async () => {
  const kept = join(source, 'no-folder')
  expect([await shout({ kept }), await shout({ kept }), made]).toEqual(['ONE', 'ONE', 2])
})
