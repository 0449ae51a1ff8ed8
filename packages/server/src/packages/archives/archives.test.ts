import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { integrityOf, makeTarball, type TarballEntry } from '../../../tests/harness/outside/tarball.ts'
import { createEgress } from '../../egress/index.ts'
import { createCanary, createTestInternet, never, type TestInternet } from '../../egress/test-internet.ts'
import { type ArchiveLimits, fetchArchive, UnpackThread } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'coherex-archives-'))
const thread = new UnpackThread()
afterAll(async () => {
  await thread.close()
  rmSync(root, { recursive: true, force: true })
})

let count = 0
async function unpack(archive: Buffer, limits: Partial<ArchiveLimits> = {}, signal = never) {
  const place = join(root, `${++count}`)
  const directory = join(place, 'inside')
  mkdirSync(directory, { recursive: true })
  const file = join(place, 'archive.tgz')
  writeFileSync(file, archive)
  const whole = { maxFiles: 1000, maxBytes: 10_000_000, archiveBytes: archive.length, ...limits }
  const unpacked = thread.run({ kind: 'tar', file, directory, limits: whole }, signal)
  const outside = () => readdirSync(place).toSorted()
  return { unpacked, directory, outside }
}

describe('UnpackThread', () => {
  test('unpacks a tarball without its first folder, with long names and executable files', async () => {
    const long = `lib/${'deep/'.repeat(20)}${'n'.repeat(120)}.js`
    const archive = await makeTarball({ 'package.json': '{}', [long]: 'long', 'lib/ä.js': 'umlaut' }, [
      { name: 'package/bin/run.sh', mode: 0o755, content: '#!/bin/sh' },
      { name: 'package/empty/', type: 'directory' },
      { name: 'package/nothing.txt', content: '' },
    ])
    const { unpacked, directory } = await unpack(archive)
    expect(await unpacked).toEqual({ files: 6, bytes: 21 })
    expect(readFileSync(join(directory, long), 'utf8')).toBe('long')
    expect(readFileSync(join(directory, 'lib/ä.js'), 'utf8')).toBe('umlaut')
    expect(statSync(join(directory, 'bin/run.sh')).mode & 0o777).toBe(0o755)
    expect(statSync(join(directory, 'package.json')).mode & 0o777).toBe(0o644)
    expect(readFileSync(join(directory, 'nothing.txt'), 'utf8')).toBe('')
  })

  const outside: [string, TarballEntry, string][] = [
    ['a path that leads up', { name: 'package/../../escaped', content: 'x' }, 'leads out of the archive'],
    ['an absolute path', { name: '/tmp/escaped', content: 'x' }, 'is absolute'],
    ['a path of Windows', { name: 'package\\..\\escaped', content: 'x' }, 'a character that no path has'],
    ['a symbolic link', { name: 'package/a', type: 'symlink', linkname: '/etc' }, 'is a link'],
    ['a hard link', { name: 'package/a', type: 'link', linkname: '/etc/passwd' }, 'is a link'],
    ['a device', { name: 'package/a', type: 'character-device' }, 'is a device'],
    ['a path that is too deep', { name: `package/${'a/'.repeat(60)}b`, content: 'x' }, 'too deep'],
    ['a file that is a folder too', { name: 'package/index.js/b', content: 'x' }, 'also a folder'],
  ]
  test.each(outside)('refuses %s, and nothing is written outside', async (_, entry, message) => {
    const { unpacked, outside: beside } = await unpack(await makeTarball({ 'index.js': '1' }, [entry]))
    await expect(unpacked).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(message) })
    expect(beside()).toEqual(['archive.tgz', 'inside'])
  })

  test('refuses more files, more bytes and a higher compression than allowed', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.js`, 'x']))
    const { unpacked: files } = await unpack(await makeTarball(many), { maxFiles: 20 })
    await expect(files).rejects.toMatchObject({ code: 'too_large', message: 'it has more than 20 files' })
    const zeros = await makeTarball({ zeros: Buffer.alloc(40_000_000) })
    const { unpacked: bytes, directory } = await unpack(zeros)
    await expect(bytes).rejects.toMatchObject({ code: 'too_large', message: 'it unpacks to more than 10 MB' })
    expect(readdirSync(directory)).toEqual([])
    const { unpacked: bomb } = await unpack(zeros, { maxBytes: 1e9 })
    await expect(bomb).rejects.toMatchObject({ message: 'it unpacks to more than 200 times its size' })
  })

  test('stops at the end of the archive, whatever is compressed behind it', async () => {
    const inside = await makeTarball({ 'index.js': '1' })
    const archive = gzipSync(Buffer.concat([gunzipSync(inside), Buffer.alloc(200_000_000)]), { level: 1 })
    const { unpacked } = await unpack(archive)
    expect(await unpacked).toEqual({ files: 1, bytes: 1 })
  })

  test.each([
    ['text', Buffer.from('no archive'), 'cannot be decompressed'],
    ['noise', gzipSync(Buffer.alloc(1024, 7)), 'a number in a header is none'],
    ['half a header', gzipSync(Buffer.alloc(100, 7)), 'it ends in the middle'],
  ])('says of %s that it is damaged', async (_, bytes, message) => {
    const { unpacked } = await unpack(bytes)
    await expect(unpacked).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(message) })
  })

  test('a damaged copy is refused at every place, and never with an error of ours', async () => {
    const whole = await makeTarball({ 'package.json': '{"name":"a"}', 'lib/index.js': 'x'.repeat(2000) })
    for (let at = 20; at < whole.length; at += 9) {
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] ?? 0) ^ 0x55
      const { unpacked, outside: beside } = await unpack(broken)
      const error = await unpacked.then(
        () => undefined,
        (caught: { code: string }) => caught,
      )
      if (error) expect(['invalid_input', 'too_large']).toContain(error.code)
      expect(beside()).toEqual(['archive.tgz', 'inside'])
    }
  })

  test('ends with its signal, in the middle of a file', async () => {
    const other = new UnpackThread()
    const controller = new AbortController()
    const file = join(root, 'large.tgz')
    writeFileSync(file, await makeTarball({ zeros: Buffer.alloc(150_000_000) }))
    const directory = join(root, 'large')
    mkdirSync(directory)
    const limits = { maxFiles: 10, maxBytes: 1e9 }
    const unpacked = other.run({ kind: 'tar', file, directory, limits }, controller.signal)
    setTimeout(() => controller.abort(new Error('given up')), 20)
    await expect(unpacked).rejects.toThrow('given up')
    await expect(other.run({ kind: 'tar', file, directory, limits }, never)).rejects.toThrow('given up')
  })
})

describe('fetchArchive()', () => {
  let internet: TestInternet
  let canary: Awaited<ReturnType<typeof createCanary>>
  const bytes = Buffer.from('an archive')
  const seen: Record<string, string | undefined>[] = []
  beforeEach(async () => {
    seen.length = 0
    const names = { 'registry.test': ['10.0.0.8'], 'files.test': ['151.101.1.6'], 'inside.test': ['10.0.0.9'] }
    internet = createTestInternet(names)
    canary = await createCanary()
    for (const address of ['10.0.0.8', '151.101.1.6']) {
      await internet.serve(address, (request, response) => {
        seen.push({ host: request.headers.host, token: request.headers.authorization })
        const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
        const to = searchParams.get('to')
        if (to !== null) return void response.writeHead(302, { location: to }).end()
        if (pathname === '/none') return void response.writeHead(404).end()
        response.end(pathname === '/other' ? 'another archive' : bytes)
      })
    }
  })
  afterEach(async () => {
    await internet.close()
    await canary.close()
  })

  const hosts = [{ origin: 'http://registry.test', headers: (): [string, string][] => [['authorization', 'secret']] }]
  const fetchFrom = (url: string, maxBytes = 1000, integrity = integrityOf(bytes)) => {
    const file = join(root, `fetched-${++count}`)
    const options = { egress: createEgress(internet), hosts, signal: never }
    return fetchArchive({ url, integrity, maxBytes }, file, options).then((size) => ({ size, file }))
  }

  test('streams what the lock names to a file; the token goes to the registry alone', async () => {
    const { size, file } = await fetchFrom('http://registry.test/a?to=http://files.test/a.tgz')
    expect(size).toBe(bytes.length)
    expect(readFileSync(file)).toEqual(bytes)
    expect(seen).toEqual([
      { host: 'registry.test', token: 'secret' },
      { host: 'files.test', token: undefined },
    ])
  })

  test.each(['http://inside.test/', 'http://127.0.0.1:PORT/', 'http://169.254.169.254/', 'file:///etc/passwd'])(
    'a redirect to %s is refused',
    async (to) => {
      const target = to.replace('PORT', `${canary.port}`)
      const url = `http://registry.test/a?to=${encodeURIComponent(target)}`
      await expect(fetchFrom(url)).rejects.toMatchObject({ code: 'invalid_input' })
      await expect(fetchFrom(target)).rejects.toMatchObject({ code: 'invalid_input' })
      expect(canary.hits).toBe(0)
      expect(internet.dialled.filter((address) => !address.startsWith('10.0.0.8'))).toEqual([])
    },
  )

  test('refuses another content, a larger one, one that is gone and a lock without integrity', async () => {
    await expect(fetchFrom('http://registry.test/other')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'its content is not what the lock names: the integrity differs',
    })
    await expect(fetchFrom('http://registry.test/a', 5)).rejects.toMatchObject({ code: 'too_large' })
    await expect(fetchFrom('http://registry.test/none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(fetchFrom('http://registry.test/a', 5, 'md5-abc')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(fetchFrom('http://nowhere.test/a')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
