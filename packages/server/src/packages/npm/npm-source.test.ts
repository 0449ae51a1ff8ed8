import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import { startNpmRegistry } from '../../../tests/harness/outside/npm-registry.ts'
import { integrityOf, type TarballEntry } from '../../../tests/harness/outside/tarball.ts'
import { createCanary } from '../../egress/test-internet.ts'
import type { PackageSource, ResolveRules } from '../package-source.ts'
import { createNpmFixture, type NpmFixture } from './npm-fixture.ts'

let fixture: NpmFixture
let source: PackageSource
let registry: NpmFixture['registry']
beforeAll(async () => {
  fixture = await createNpmFixture()
  const { source: opened, registry: started } = fixture
  source = opened
  registry = started
})
afterAll(() => fixture.close())
afterEach(() => {
  registry.onRequest = () => false
  registry.hidesTimes = false
})

const never = new AbortController().signal
const resolve = (requirements: string[], rules: Partial<ResolveRules> = {}, from = source) =>
  from.resolve(requirements, { allowBuilds: false, ...rules }, never)
const versions = async (found: ReturnType<typeof resolve>) =>
  (await found)
    .map(({ name, version, places = [] }) => `${name} ${version} at ${places.toSorted().join(' and ')}`)
    .toSorted()

let count = 0
async function layOut(requirements: string[], maxBytes = 100_000_000) {
  const directory = join(fixture.root, `set-${++count}`)
  mkdirSync(directory)
  const packages = await resolve(requirements)
  const options = { maxBytes, allowBuilds: false, signal: never, onProgress() {} }
  const laid = source.layOut(packages, directory, options)
  return { directory, laid }
}

describe('what npm would install', () => {
  test('two versions of a package stand where each is needed', async () => {
    await registry.publish(
      { name: 'leaf', version: '1.0.0' },
      { name: 'leaf', version: '2.0.0' },
      { name: 'needs-old', version: '1.0.0', manifest: { dependencies: { leaf: '1' } } },
      { name: 'needs-new', version: '1.0.0', manifest: { dependencies: { leaf: '2' } } },
    )
    expect(await versions(resolve(['needs-old', 'needs-new', 'leaf@2']))).toEqual([
      'leaf 1.0.0 at needs-old/node_modules/leaf',
      'leaf 2.0.0 at leaf',
      'needs-new 1.0.0 at needs-new',
      'needs-old 1.0.0 at needs-old',
    ])
    const { directory, laid } = await layOut(['needs-old', 'needs-new', 'leaf@2'])
    expect(await laid).toEqual({ modules: ['leaf', 'needs-new', 'needs-old'] })
    const text = (path: string) => readFileSync(join(directory, 'node_modules', path), 'utf8')
    expect(text('needs-old/node_modules/leaf/index.js')).toContain('leaf@1.0.0')
    expect(text('leaf/index.js')).toContain('leaf@2.0.0')
  })

  test('commands of packages are in .bin, and lead to nothing outside of them', async () => {
    const bin = { tool: './cli.js', up: '../../../../etc/passwd', '../escaped': 'cli.js', gone: 'none.js' }
    await registry.publish({ name: 'with-tool', version: '1.0.0', manifest: { bin }, files: { 'cli.js': '#!/bin/sh' } })
    const { directory, laid } = await layOut(['with-tool'])
    await laid
    const commands = join(directory, 'node_modules/.bin')
    expect(readdirSync(commands)).toEqual(['tool'])
    expect(readlinkSync(join(commands, 'tool'))).toBe('../with-tool/cli.js')
    expect(statSync(join(commands, 'tool')).mode & 0o777).toBe(0o755)
  })

  test('scopes, aliases and peers are found; a package for another machine is left out', async () => {
    await registry.publish(
      { name: '@team/thing', version: '3.1.0', manifest: { peerDependencies: { peer: '^1' } } },
      { name: 'peer', version: '1.4.0' },
      {
        name: 'asks',
        version: '1.0.0',
        manifest: { dependencies: { other: 'npm:peer@1' }, optionalDependencies: { 'for-aix': '1', gone: '1' } },
      },
      { name: 'for-aix', version: '1.0.0', manifest: { os: ['aix'] } },
    )
    expect(await versions(resolve(['npm:@team/thing@^3', 'asks']))).toEqual([
      '@team/thing 3.1.0 at @team/thing',
      'asks 1.0.0 at asks',
      'peer 1.4.0 at other and peer',
    ])
  })

  test('packages that do not fit together are told by name, and so is one that is asked for twice', async () => {
    await registry.publish(
      { name: 'host', version: '1.0.0' },
      { name: 'host', version: '2.0.0' },
      { name: 'plug', version: '1.0.0', manifest: { peerDependencies: { host: '1' } } },
    )
    await expect(resolve(['plug', 'host@2'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/plug@1\.0\.0 needs host@1/),
    })
    await expect(resolve(['host@1', 'host@2'])).rejects.toMatchObject({ message: expect.stringContaining('"host"') })
  })

  test('a version that is not there is told with its range, and one that is too young with its reason', async () => {
    await registry.publish({ name: 'young', version: '1.0.0', releasedAt: '2030-01-01T00:00:00.000Z' })
    await expect(resolve(['leaf@9'])).rejects.toMatchObject({
      code: 'not_found',
      message: 'The registry has no version that fits "leaf@9"',
    })
    await expect(resolve(['young'], { before: new Date() })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('is old enough'),
    })
  })

  test('a registry that tells no times is refused under a minimum age, unless it is exempted', async () => {
    registry.hidesTimes = true
    const before = new Date('2026-01-01')
    await expect(resolve(['leaf'], { before })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await versions(resolve(['leaf']))).toEqual(['leaf 2.0.0 at leaf'])
    const exempted = fixture.sourceWith({ mayLackTimes: true })
    expect(await versions(resolve(['leaf'], { before }, exempted))).toEqual(['leaf 2.0.0 at leaf'])
  })
})

describe('lock files', () => {
  const lockOf = (packages: Record<string, unknown>) => JSON.stringify({ lockfileVersion: 3, packages })

  test('one of npm is kept to, without its addresses', async () => {
    const [leaf] = await resolve(['leaf@1'])
    const lockFile = lockOf({
      '': { dependencies: { leaf: '*' } },
      'node_modules/leaf': { version: '1.0.0', resolved: 'http://10.1.2.3/leaf.tgz', integrity: leaf?.integrity },
      'node_modules/unused': { version: '1.0.0', integrity: leaf?.integrity },
    })
    const [found] = await resolve(['leaf'], { lockFile })
    expect(found).toMatchObject({ version: '1.0.0', url: `${registry.url}leaf/-/leaf-1.0.0.tgz` })
  })

  test('one with another integrity is refused, and one that names too young a release is resolved anew', async () => {
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    const other = lockOf({ 'node_modules/leaf': { version: '1.0.0', integrity } })
    await expect(resolve(['leaf@1'], { lockFile: other })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('another content of "leaf@1.0.0"'),
    })
    await registry.publish(
      { name: 'aging', version: '1.0.0' },
      { name: 'aging', version: '1.0.1', releasedAt: '2026-06-01' },
    )
    const young = lockOf({ 'node_modules/aging': { version: '1.0.1' } })
    const before = new Date('2026-01-01')
    expect(await versions(resolve(['aging'], { lockFile: young, before }))).toEqual(['aging 1.0.0 at aging'])
    await expect(resolve(['leaf'], { lockFile: '{' })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('registries', () => {
  test('a scope has its own, and each sees its own token alone', async () => {
    const own = await startNpmRegistry()
    try {
      await own.publish({ name: '@own/a', version: '1.0.0', manifest: { dependencies: { leaf: '1' } } })
      const host = (url: string) => url.replace(/^http:/, '')
      const credentials = new Map([
        [host(own.url), 'Bearer of-own'],
        [host(registry.url), 'Bearer of-machine'],
      ])
      const settings = { registry: registry.url, scopes: new Map([['@own', own.url]]), credentials }
      const scoped = fixture.sourceWith({ settings })
      registry.requests.length = 0
      const packages = await resolve(['@own/a'], {}, scoped)
      expect(packages.map(({ name }) => name).toSorted()).toEqual(['@own/a', 'leaf'])
      const directory = join(fixture.root, 'scoped')
      mkdirSync(directory)
      await scoped.layOut(packages, directory, { maxBytes: 1e8, allowBuilds: false, signal: never, onProgress() {} })
      expect(new Set(own.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer of-own']))
      expect(new Set(registry.requests.map(({ authorization }) => authorization))).toEqual(
        new Set(['Bearer of-machine']),
      )
      expect(registry.requests.some(({ path }) => path.includes('@own'))).toBe(false)
    } finally {
      await own.close()
    }
  })

  test('one that is busy or loses a connection is asked once more', async () => {
    await registry.publish({ name: 'shaky', version: '1.0.0' })
    const seen = new Set<string>()
    registry.onRequest = ({ url = '', socket }, response) => {
      if (seen.has(url)) return false
      seen.add(url)
      if (url.endsWith('.tgz')) socket.destroy()
      else response.writeHead(503).end()
      return true
    }
    const { laid } = await layOut(['shaky'])
    expect(await laid).toEqual({ modules: ['shaky'] })
    expect([...seen].toSorted()).toEqual(['/shaky', '/shaky/-/shaky-1.0.0.tgz'])
  })

  test('one that does not answer is told, with the setting that names another', async () => {
    const settings = { registry: 'http://127.0.0.1:1/', scopes: new Map(), credentials: new Map() }
    await expect(resolve(['leaf'], {}, fixture.sourceWith({ settings }))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('COHEREX_NPM_REGISTRY'),
    })
  })

  test('one that a team names is reached on the public internet alone, and is the only one then', async () => {
    registry.requests.length = 0
    await expect(resolve(['leaf'], { index: registry.url })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(resolve(['leaf'], { index: 'file:///etc/' })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(registry.requests).toEqual([])
  })
})

describe('hostile packages', () => {
  test('install scripts are not run', async () => {
    const mark = join(fixture.root, 'ran')
    const scripts = Object.fromEntries(
      ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, `touch ${mark}`]),
    )
    await registry.publish({
      name: 'scripted',
      version: '1.0.0',
      manifest: { scripts },
      files: { 'binding.gyp': '{}' },
    })
    const { directory, laid } = await layOut(['scripted'])
    await laid
    expect(existsSync(mark)).toBe(false)
    expect(readdirSync(join(directory, 'node_modules/scripted')).toSorted()).toEqual([
      'binding.gyp',
      'index.js',
      'package.json',
    ])
  })

  const entries: [string, TarballEntry, string][] = [
    ['climbs', { name: 'package/../../../../escaped.js', content: 'x' }, 'leads out of the archive'],
    ['absolute', { name: '/tmp/coherex-escaped.js', content: 'x' }, 'is absolute'],
    ['links', { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' }, 'is a link'],
    ['hard-links', { name: 'package/link', type: 'link', linkname: '../../set.json' }, 'is a link'],
  ]
  test.each(entries)('a tarball that %s is refused, and nothing is written', async (name, entry, why) => {
    await registry.publish({ name, version: '1.0.0', extra: [entry] })
    const { directory, laid } = await layOut([name])
    await expect(laid).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(why) })
    expect(readdirSync(directory)).toEqual([])
    expect(existsSync('/tmp/coherex-escaped.js')).toBe(false)
    expect(readdirSync(join(fixture.root, 'npm/unpacked')).filter((file) => file.startsWith('making'))).toEqual([])
  })

  test('a bomb and an archive of 150,000 files are refused, while the server answers others', async () => {
    const headers = Buffer.concat([headersOf(150_000), Buffer.alloc(1024)])
    await registry.publish({ name: 'bomb', version: '1.0.0', files: { zeros: Buffer.alloc(100_000_000) } })
    await registry.publish({ name: 'many', version: '1.0.0' })
    const archive = gzipSync(headers, { level: 1 })
    await registry.publish({ name: 'many', version: '1.0.1', dist: { integrity: integrityOf(archive) } })
    registry.onRequest = (request, response) => {
      if (request.url !== '/many/-/many-1.0.1.tgz') return false
      response.end(archive)
      return true
    }
    const ticks = watchTicks()
    const bomb = await layOut(['bomb'], 2e9)
    await expect(bomb.laid).rejects.toMatchObject({ message: expect.stringContaining('200 times its size') })
    const many = await layOut(['many'])
    await expect(many.laid).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('100000 files'),
    })
    expect(readdirSync(many.directory)).toEqual([])
    expect(ticks.stop()).toBeLessThan(250)
  })

  test('a registry that redirects to a private address is not followed, for documents and for archives', async () => {
    const canary = await createCanary()
    try {
      await registry.publish({ name: 'moved', version: '1.0.0' })
      const location = `http://127.0.0.1:${canary.port}/`
      registry.onRequest = (request, response) => {
        if (!request.url?.endsWith('.tgz')) return false
        response.writeHead(302, { location }).end()
        return true
      }
      const { laid } = await layOut(['moved'])
      await expect(laid).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('moved@1.0.0'),
      })
      await registry.publish({ name: 'elsewhere', version: '1.0.0', dist: { tarball: `${location}a.tgz` } })
      await expect((await layOut(['elsewhere'])).laid).rejects.toMatchObject({ code: 'invalid_input' })
      registry.onRequest = (_, response) => {
        response.writeHead(302, { location }).end()
        return true
      }
      await expect(resolve(['moved'])).rejects.toMatchObject({ code: 'unavailable' })
      expect(canary.hits).toBe(0)
    } finally {
      await canary.close()
    }
  })

  const dependencies: [string, Record<string, string>][] = [
    ['a repository', { a: 'git+ssh://git@example.test/a.git' }],
    ['an archive elsewhere', { a: 'http://127.0.0.1:1/a.tgz' }],
    ['a file', { a: 'file:../../../../etc' }],
    ['a path as its name', { '../../../a': '1' }],
    ['a name with a slash at its start', { '/etc/passwd': '1' }],
  ]
  test.each(dependencies)('a package that depends on %s is refused', async (_, wanted) => {
    const name = `depends-${++count}`
    await registry.publish({ name, version: '1.0.0', manifest: { dependencies: wanted } })
    await expect(resolve([name])).rejects.toMatchObject({ code: expect.stringMatching(/invalid_input|not_found/) })
  })

  test.each(['../up', 'a/b/c', 'file:..', 'http://x/y.tgz', 'git:x', '.hidden', 'a@file:b', 'a@npm:b', ' '])(
    '%j names no package',
    (asked) => expect(resolve([asked])).rejects.toMatchObject({ code: 'invalid_input' }),
  )

  test('documents that are huge, deep or no JSON end with an error, while the server answers others', async () => {
    const huge = Buffer.from(`{"versions":{${'"1.0.0":{},'.repeat(4_000_000)}"x":0}}`)
    const deep = Buffer.alloc(5_000_000, '[')
    const answers: Record<string, string | Buffer> = {
      '/huge': huge,
      '/deep': deep,
      '/text': 'no',
      '/null': 'null',
      '/list': '[]',
    }
    registry.onRequest = (request, response) => {
      const answer = answers[request.url ?? '']
      if (answer !== undefined) response.end(answer)
      return answer !== undefined
    }
    const ticks = watchTicks()
    for (const path of Object.keys(answers)) {
      await expect(resolve([path.slice(1)])).rejects.toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) })
    }
    expect(ticks.stop()).toBeLessThan(250)
  })

  test('a document with names of what all objects have is read as any other', async () => {
    await registry.publish({ name: 'constructor', version: '1.0.0', manifest: { dependencies: { __proto__: '1' } } })
    expect(await source.info('constructor', never)).toMatchObject({ name: 'constructor' })
  })
})

/** Headers of empty files, one like the other but for their names. */
function headersOf(files: number): Buffer {
  const all = Buffer.alloc(files * 512)
  const header = Buffer.alloc(512)
  header.write('package/', 0)
  header.write('0000644\0', 100)
  header.write('00000000000\0', 124)
  header.write('ustar\u000000', 257)
  header.write('0', 156)
  for (let at = 0; at < files; at++) {
    header.write(at.toString(36).padStart(8, '0'), 8)
    header.write('        ', 148)
    let sum = 0
    for (const byte of header) sum += byte
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    header.copy(all, at * 512)
  }
  return all
}
