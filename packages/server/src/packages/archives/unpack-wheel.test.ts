import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import { makeWheel, makeZip, type WheelSpec, type ZipPart } from '../../../tests/harness/outside/wheel.ts'
import { type ArchiveLimits, UnpackThread } from './index.ts'

const never = new AbortController().signal
const root = mkdtempSync(join(tmpdir(), 'coherex-wheels-'))
const thread = new UnpackThread()
afterAll(async () => {
  await thread.close()
  rmSync(root, { recursive: true, force: true })
})

let count = 0
function unpack(archive: Buffer, limits: Partial<ArchiveLimits> = {}) {
  const place = join(root, `${++count}`)
  const directory = join(place, 'inside')
  mkdirSync(directory, { recursive: true })
  const file = join(place, 'a.whl')
  writeFileSync(file, archive)
  const whole = { maxFiles: 1000, maxBytes: 10_000_000, archiveBytes: archive.length, ...limits }
  const unpacked = thread.run({ kind: 'wheel', file, directory, limits: whole }, never)
  return { unpacked, directory, beside: () => readdirSync(place).toSorted() }
}

const simple: WheelSpec = { name: 'a', version: '1.0', files: { 'a/__init__.py': 'x = 1\n' } }

describe('unpackWheel()', () => {
  test('puts modules into site, programs into bin and the rest aside', async () => {
    const { bytes } = makeWheel({
      ...simple,
      files: {
        'a/__init__.py': 'x = 1\n',
        'a/native.so': Buffer.alloc(9_000_000, 'x'),
        'a-1.0.data/platlib/b.py': 'y = 1\n',
        'a-1.0.data/scripts/run-a': '#!python\nprint(1)\n',
        'a-1.0.data/data/share/a.txt': 'text',
        'a-1.0.data/headers/a.h': '// a',
      },
      scripts: { 'say-a': 'a.cli:main.run', 'bad/../name': 'a:b', 'bad-call': 'a:b; import os' },
    })
    const { unpacked, directory } = unpack(bytes)
    await unpacked
    expect(readdirSync(directory).toSorted()).toEqual(['bin', 'data', 'include', 'site'])
    expect(readdirSync(join(directory, 'bin')).toSorted()).toEqual(['run-a', 'say-a'])
    expect(readFileSync(join(directory, 'bin/run-a'), 'utf8')).toBe('#!/usr/bin/env python3\nprint(1)\n')
    expect(readFileSync(join(directory, 'bin/say-a'), 'utf8')).toContain('from a.cli import main\n')
    expect(statSync(join(directory, 'bin/say-a')).mode & 0o777).toBe(0o755)
    expect(statSync(join(directory, 'site/a/native.so')).size).toBe(9_000_000)
    expect(existsSync(join(directory, 'site/b.py'))).toBe(true)
  })

  const stranger: [string, ZipPart, string][] = [
    ['a path that leads up', { name: '../../escaped', content: 'x' }, 'leads out of the archive'],
    ['data that leads up', { name: 'a-1.0.data/scripts/../../../escaped', content: 'x' }, 'leads out of the archive'],
    ['an absolute path', { name: '/tmp/escaped', content: 'x' }, 'is absolute'],
    ['a path of Windows', { name: '..\\escaped', content: 'x' }, 'a character that no path has'],
    ['a symbolic link', { name: 'a/link', content: '/etc/passwd', mode: 0o120777 }, 'is a link'],
    ['a device', { name: 'a/device', mode: 0o020666 }, 'is a device'],
    ['a file that is in it twice', { name: 'a/__init__.py', content: 'evil' }, 'is in it twice'],
    ['a file with two names', { name: 'a/one.py', content: 'x', claims: { name: 'a/b.py' } }, 'two names'],
    ['a file that RECORD does not name', { name: 'a/evil.py', content: 'x' }, 'its RECORD is wrong'],
    ['files that share their bytes', { name: 'a/b.py', content: 'x', claims: { offset: 0 } }, 'overlap'],
    ['a wrong size', { name: 'a/b.py', content: 'x'.repeat(99), claims: { size: 5 } }, 'larger than it says'],
    ['a wrong checksum', { name: 'a-1.0.dist-info/RECORD.jws', content: 'x', claims: { crc: 5 } }, 'not the content'],
    ['encryption', { name: 'a/b.py', content: 'x', claims: { flags: 1 } }, 'encrypted'],
    ['another compression', { name: 'a/b.py', content: 'x', claims: { method: 99 } }, 'do not use'],
    ['an unknown place', { name: 'a-1.0.data/system/b', content: 'x' }, 'has no place'],
    ['metadata of two packages', { name: 'b-1.0.dist-info/METADATA', content: 'x' }, 'several packages'],
  ]
  test.each(stranger)('refuses %s, and writes nothing outside', async (_, part, message) => {
    const recorded = (lines: string[]) =>
      (part.claims?.name ?? part.name) === 'a/b.py' ? [...lines, `a/b.py,sha256=${'A'.repeat(43)},1`] : lines
    const { unpacked, beside } = unpack(makeWheel({ ...simple, record: recorded, unrecorded: [part] }).bytes)
    await expect(unpacked).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(message) })
    expect(beside()).toEqual(['a.whl', 'inside'])
  })

  test('refuses a RECORD that lies about a content', async () => {
    const lies = makeWheel({
      ...simple,
      record: (lines) => lines.map((line) => line.replace(/^(a\/__init__.py,sha256=)[^,]+/, `$1${'A'.repeat(43)}`)),
    })
    await expect(unpack(lies.bytes).unpacked).rejects.toThrow('"a/__init__.py" has another content')
    const unhashed = makeWheel({
      ...simple,
      record: (lines) => lines.map((line) => line.replace(/,sha256=[^,]+/, ',')),
    })
    await expect(unpack(unhashed.bytes).unpacked).rejects.toThrow('its RECORD is wrong')
    await expect(unpack(makeZip([{ name: 'a.py', content: '' }])).unpacked).rejects.toThrow('it is not a wheel')
  })

  test('refuses bombs and a million files before it writes any', async () => {
    const zeros = makeWheel({ ...simple, files: { 'a/zeros': Buffer.alloc(60_000_000) } }).bytes
    const large = unpack(zeros)
    await expect(large.unpacked).rejects.toMatchObject({ code: 'too_large' })
    expect(readdirSync(large.directory)).toEqual([])
    await expect(unpack(zeros, { maxBytes: 1e9 }).unpacked).rejects.toThrow('200 times its size')

    // the directory of a million entries, of which the end tells
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(0xffff, 10)
    end.writeUInt32LE(0xffffffff, 12)
    end.writeUInt32LE(0xffffffff, 16)
    const end64 = Buffer.alloc(56)
    end64.writeUInt32LE(0x06064b50, 0)
    end64.writeBigUInt64LE(1_000_000n, 32)
    end64.writeBigUInt64LE(50_000_000n, 40)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    const million = Buffer.concat([end64, locator, end])
    await expect(unpack(million).unpacked).rejects.toMatchObject({ code: 'too_large', message: /more than 1000 files/ })
  })

  test('holds up nobody, whatever is in the wheel', async () => {
    const zeros = makeWheel({ ...simple, files: { 'a/zeros': Buffer.alloc(60_000_000) } }).bytes
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a/${at}.py`, '']))
    const crowd = makeWheel({ ...simple, files: many }).bytes
    const watch = watchTicks()
    await expect(unpack(zeros, { maxBytes: 1e9 }).unpacked).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(unpack(crowd).unpacked).rejects.toMatchObject({ code: 'too_large' })
    await unpack(crowd, { maxFiles: 10_000 }).unpacked
    expect(watch.stop()).toBeLessThan(250)
  })

  test('a damaged copy is refused at every place, and never with an error of ours', async () => {
    const { bytes } = makeWheel({ ...simple, scripts: { say: 'a:say' } })
    for (let at = 0; at < bytes.length; at += 7) {
      const broken = Buffer.from(bytes)
      broken[at] = (broken[at] ?? 0) ^ 0x55
      const { unpacked, beside } = unpack(broken)
      const error = await unpacked.then(
        () => undefined,
        (caught: { code: string }) => caught,
      )
      if (error) expect(['invalid_input', 'too_large']).toContain(error.code)
      expect(beside()).toEqual(['a.whl', 'inside'])
    }
    for (let length = 0; length < bytes.length; length += 50) {
      await expect(unpack(bytes.subarray(0, length)).unpacked).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })
})
