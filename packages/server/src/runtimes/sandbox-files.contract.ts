import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { content, failureOf, readAll, runPython } from './sandbox-cells.ts'
import type { FileChange, Sandbox } from './sandbox.ts'

/** Files of a sandbox that lives on, and what is told of their changes. */
export function sandboxFilesContract(current: () => Sandbox): void {
  test('[sandbox.7] files are written, listed, read, moved and removed', async () => {
    const sandbox = current()
    const { files } = sandbox
    const written = await files.write('data/deep/a.txt', content('hel', 'lo'))
    expect(written).toMatchObject({ path: 'data/deep/a.txt', type: 'file', size: 5 })
    await files.makeDirectory('empty/inner')
    expect((await files.list('')).map(({ path, type }) => [path, type]).toSorted()).toEqual([
      ['data', 'directory'],
      ['empty', 'directory'],
    ])
    expect((await files.list('', { recursive: true })).map(({ path }) => path).toSorted()).toEqual([
      'data',
      'data/deep',
      'data/deep/a.txt',
      'empty',
      'empty/inner',
    ])
    expect((await runPython(sandbox, 'open("data/deep/a.txt").read()')).result).toBe('hello')
    await runPython(sandbox, 'open("from-guest.txt", "w").write("zß")')
    expect((await readAll(await files.read('from-guest.txt'))).toString()).toBe('zß')

    await files.move('data/deep/a.txt', 'moved/b.txt')
    expect(await files.stat('data/deep/a.txt')).toBeUndefined()
    expect(await files.stat('moved/b.txt')).toMatchObject({ type: 'file', size: 5 })
    await files.remove('data')
    await files.remove('moved/b.txt')
    expect(await files.stat('data')).toBeUndefined()
    expect(await files.stat('')).toMatchObject({ path: '', type: 'directory' })
    expect(await failureOf(files.read('nothing.txt'))).toBe('not_found')
    expect(await failureOf(files.read('empty'))).toBe('conflict')
    expect(await failureOf(files.remove('nothing.txt'))).toBe('not_found')
  })

  test('[sandbox.7] a stamp changes with the content, even when the guest sets the time back', async () => {
    const sandbox = current()
    await sandbox.files.write('a.txt', content('one'))
    const before = await sandbox.files.stat('a.txt')
    await runPython(
      sandbox,
      'import os\ntimes = os.stat("a.txt")\nopen("a.txt", "w").write("two")\nos.utime("a.txt", ns=(times.st_atime_ns, times.st_mtime_ns))',
    )
    const after = await sandbox.files.stat('a.txt')
    expect(after?.modifiedAt).toBe(before?.modifiedAt)
    expect(after?.stamp).not.toBe(before?.stamp)
  })

  test('[sandbox.7] no path leaves the home', async () => {
    const sandbox = current()
    const { files } = sandbox
    const climbing = ['../x', '/etc/passwd', 'a/../../x', './a', 'a//b', 'a/', '..', 'a\0b', 'a\nb', 'x'.repeat(2000)]
    for (const path of climbing) {
      expect([path, await failureOf(files.read(path))]).toEqual([path, 'invalid_input'])
      expect([path, await failureOf(files.write(path, content('x')))]).toEqual([path, 'invalid_input'])
      expect([path, await failureOf(files.remove(path))]).toEqual([path, 'invalid_input'])
      expect([path, await failureOf(files.move('a', path))]).toEqual([path, 'invalid_input'])
    }
    expect(await failureOf(files.remove(''))).toBe('invalid_input')
  })

  test('[sandbox.7] no link is followed', async () => {
    const sandbox = current()
    const { files } = sandbox
    await runPython(
      sandbox,
      'import os\nos.symlink("/etc", "dir")\nos.symlink("/etc/passwd", "file")\nos.symlink("/tmp", "out")\nos.mkdir("real"); os.symlink("..", "real/up"); os.mkfifo("fifo")\nimport socket; socket.socket(socket.AF_UNIX).bind("socket")',
    )
    expect(
      (await files.list('', { recursive: true }))
        .map(({ path, type, linkTarget }) => [path, type, linkTarget])
        .toSorted(),
    ).toEqual([
      ['dir', 'link', '/etc'],
      ['file', 'link', '/etc/passwd'],
      ['out', 'link', '/tmp'],
      ['real', 'directory', undefined],
      ['real/up', 'link', '..'],
    ])
    expect(await failureOf(files.read('file'))).toBe('conflict')
    expect(await failureOf(files.read('dir/passwd'))).toBe('conflict')
    expect(await failureOf(files.list('dir'))).toBe('conflict')
    expect(await failureOf(files.write('out/planted', content('x')))).toBe('conflict')
    expect(await failureOf(files.move('real', 'out/planted'))).toBe('conflict')
    expect(await failureOf(files.read('fifo'))).toBe('conflict')
    expect(await files.stat('fifo')).toBeUndefined()
    // the link itself is replaced and removed, never what it points to
    await files.write('file', content('mine'))
    expect(await files.stat('file')).toMatchObject({ type: 'file', size: 4 })
    await files.remove('dir')
    await files.remove('real')
    expect(
      (await runPython(sandbox, 'import os; [os.path.exists("/etc/passwd"), os.path.exists("/tmp/planted")]')).result,
    ).toEqual([true, false])
  })

  test('[sandbox.7] large files stream through, whole', async () => {
    const sandbox = current()
    const piece = randomBytes(1024 * 1024)
    const pieces = 40
    let produced = 0
    const upload = (async function* () {
      for (; produced < pieces; produced++) yield piece
    })()
    await sandbox.files.write('large.bin', upload)
    expect(await sandbox.files.stat('large.bin')).toMatchObject({ size: pieces * piece.length })
    let read = 0
    for await (const chunk of await sandbox.files.read('large.bin')) {
      const data = chunk as Buffer
      const at = read % piece.length
      expect(data.equals(Buffer.concat([piece, piece]).subarray(at, at + data.length))).toBe(true)
      read += data.length
    }
    expect(read).toBe(pieces * piece.length)
  })

  test('[sandbox.7] a reader that stops is given little, and holds nothing up', async () => {
    const sandbox = current()
    await sandbox.files.write('large.bin', content(Buffer.alloc(8 * 1024 * 1024, 1)))
    const stuck = await sandbox.files.read('large.bin')
    await once(stuck, 'readable')
    await wait(100)
    expect(stuck.readableLength).toBeLessThanOrEqual(256 * 1024)
    expect((await runPython(sandbox, '1 + 1')).result).toBe(2)
    expect((await readAll(await sandbox.files.read('large.bin'))).length).toBe(8 * 1024 * 1024)
    stuck.destroy()
    expect((await runPython(sandbox, '2 + 2')).result).toBe(4)
  })

  test('[sandbox.7] an upload that breaks off leaves what was there', async () => {
    const sandbox = current()
    await sandbox.files.write('a.txt', content('before'))
    const broken = (async function* () {
      yield Buffer.alloc(100_000)
      throw new Error('the client left')
    })()
    await expect(sandbox.files.write('a.txt', broken)).rejects.toThrow('the client left')
    expect((await readAll(await sandbox.files.read('a.txt'))).toString()).toBe('before')
    expect((await runPython(sandbox, 'import os; os.listdir(".")')).result).toEqual(['a.txt'])
  })

  test('[sandbox.8] a full disk is told to both sides and is no end', async () => {
    const sandbox = current()
    const mb = Buffer.alloc(1024 * 1024)
    const tooMuch = (async function* () {
      for (let index = 0; index < 100; index++) yield mb
    })()
    expect(await failureOf(sandbox.files.write('big.bin', tooMuch))).toBe('quota_exceeded')
    const told = await runPython(
      sandbox,
      'import errno\ntry:\n    with open("mine.bin", "wb") as f:\n        while True: f.write(bytes(1 << 20))\nexcept OSError as e: code = errno.errorcode[e.errno]\ncode',
    )
    expect(told.result).toBe('ENOSPC')
    expect(await failureOf(sandbox.files.write('b.txt', content('b'.repeat(10_000))))).toBe('quota_exceeded')
    await sandbox.files.remove('mine.bin')
    await sandbox.files.write('b.txt', content('b'.repeat(10_000)))
    const names = await runPython(
      sandbox,
      'import itertools\ntry:\n    for n in itertools.count(): open(f"n{n}", "w").close()\nexcept OSError as e: code = errno.errorcode[e.errno]\ncode',
    )
    expect(names.result).toBe('ENOSPC')
  })

  test('[sandbox.9] changes are told, and none after it was stopped', async () => {
    const sandbox = current()
    const changes: FileChange[] = []
    const stop = await sandbox.files.watch('', (change) => changes.push(change))
    await runPython(sandbox, 'import os\nos.makedirs("new/deep")\nopen("new/deep/a.txt", "w").write("1")')
    await expect.poll(() => changes.some(({ path }) => path === 'new/deep/a.txt')).toBe(true)
    await runPython(sandbox, 'open("new/deep/b.txt", "w").write("1"); os.remove("new/deep/a.txt")')
    // what is told together may have another order: a file that changes again keeps its place
    await expect.poll(() => changes).toContainEqual({ path: 'new/deep/a.txt', change: 'removed' })
    expect(changes).toContainEqual({ path: 'new/deep/b.txt', change: 'written' })
    stop()
    const told = changes.length
    await runPython(sandbox, 'open("later.txt", "w").write("1")')
    await sandbox.files.list('')
    await wait(100)
    expect(changes.length).toBe(told)
    expect(await failureOf(sandbox.files.watch('nothing', () => {}))).toBe('not_found')
  })

  test('[sandbox.9] many watch at once, and are told all along', async () => {
    const sandbox = current()
    const last = Array.from({ length: 30 }, () => '')
    for (const at of last.keys()) await sandbox.files.watch('', ({ path }) => (last[at] = path))
    const code = `import time
until = time.monotonic() + 1
while time.monotonic() < until:
    open("busy", "w").close(); time.sleep(0.01)
open("last", "w").close()`
    expect(await runPython(sandbox, code)).toMatchObject({ status: 'succeeded' })
    await expect.poll(() => new Set(last)).toEqual(new Set(['last']))
    expect(sandbox.signs()).toEqual([])
  })

  test('[sandbox.9] a storm of changes is told in bounds', async () => {
    const sandbox = current()
    const changes: FileChange[] = []
    const stop = await sandbox.files.watch('', (change) => changes.push(change))
    await runPython(sandbox, 'for n in range(1500): open(f"f{n}", "w").close()')
    await expect.poll(() => changes.length).toBeGreaterThan(500)
    expect((await sandbox.files.list('')).length).toBe(1500)
    stop()
  })
}
