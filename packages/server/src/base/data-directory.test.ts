import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DirectoryInUseError, openDataDirectory } from './data-directory.ts'

let parent: string
let path: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'coherex-directory-'))
  path = join(parent, 'deep/data')
})
afterEach(() => rm(parent, { recursive: true }))

test('openDataDirectory() lets one in at a time, by whatever path', async () => {
  const first = await openDataDirectory(path)
  await symlink(path, join(parent, 'other'))
  await expect(openDataDirectory(path)).rejects.toThrow(DirectoryInUseError)
  await expect(openDataDirectory(join(parent, 'other'))).rejects.toThrow('is used by another running Coherex')
  await first.release()
  await (await openDataDirectory(path)).release()
})

test('a process that is killed lets the next one in', async () => {
  const script = `
    import { openDataDirectory } from ${JSON.stringify(new URL('data-directory.ts', import.meta.url).href)}
    await openDataDirectory(${JSON.stringify(path)})
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await expect(openDataDirectory(path)).rejects.toThrow(DirectoryInUseError)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  await (await openDataDirectory(path)).release()
})

test('whatever the umask, the database’s user can pass through and no one can look inside', async () => {
  const before = process.umask(0o077)
  try {
    await (await openDataDirectory(path)).release()
  } finally {
    process.umask(before)
  }
  for (const made of [join(parent, 'deep'), path]) expect((await stat(made)).mode & 0o777).toBe(0o711)
})

test('a private file is made once, whole, for us alone', async () => {
  const directory = await openDataDirectory(path)
  let made = 0
  const create = () => `value ${++made}`
  expect(await directory.privateFile('x', create)).toBe('value 1')
  expect(await directory.privateFile('x', create)).toBe('value 1')
  expect((await stat(join(path, 'x'))).mode & 0o777).toBe(0o600)

  // left by a process that died while it wrote
  await writeFile(join(path, `x.${process.pid}`), 'half')
  await directory.replacePrivateFile('x', 'next')
  expect(await readFile(join(path, 'x'), 'utf8')).toBe('next')
  expect((await stat(join(path, 'x'))).mode & 0o777).toBe(0o600)
  await directory.release()
})

test('a file where the directory should be is said in one sentence', async () => {
  await writeFile(join(parent, 'file'), '')
  await expect(openDataDirectory(join(parent, 'file'))).rejects.toThrow(
    `Cannot write to the data directory ${join(parent, 'file')}: it is not a directory`,
  )
})
