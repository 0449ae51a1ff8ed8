import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { archiveUrl, credentialsFor, originsOf, readNpmSettings, registryOf } from './npm-settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'coherex-npmrc-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let count = 0
function npmrc(text: string): string {
  const file = join(directory, `${++count}`)
  writeFileSync(file, text)
  return file
}

const read = (user: string, environment: Record<string, string> = {}, registry?: string) =>
  readNpmSettings({ npm_config_userconfig: npmrc(user), npm_config_globalconfig: '/nowhere', ...environment }, registry)

test('a machine without a configuration has the registry that npm itself has', () => {
  const { registry, scopes, credentials } = read('')
  expect(registry).toMatch(/^https:\/\/[\w.]+\/$/)
  expect([scopes.size, credentials.size]).toEqual([0, 0])
})

test('the setting of the server comes first, then the environment, then the files', () => {
  const files = 'registry=https://file.test/npm'
  expect(read(files).registry).toBe('https://file.test/npm/')
  const environment = { NPM_CONFIG_REGISTRY: 'https://env.test/' }
  expect(read(files, environment).registry).toBe('https://env.test/')
  expect(read(files, environment, 'https://own.test').registry).toBe('https://own.test/')
  const shared = npmrc('registry = "https://shared.test/"\n@a:registry=https://a.test/')
  expect(read('', { npm_config_globalconfig: shared }).registry).toBe('https://shared.test/')
  expect(read(files, { npm_config_globalconfig: shared }).registry).toBe('https://file.test/npm/')
})

test('scopes have registries of their own', () => {
  const settings = read('; of the team\n# and more\n@team:registry = https://team.test/npm\nregistry=https://all.test/')
  expect(registryOf('@team/thing', settings)).toBe('https://team.test/npm/')
  expect(registryOf('@other/thing', settings)).toBe('https://all.test/')
  expect(registryOf('thing', settings)).toBe('https://all.test/')
  expect(originsOf(settings)).toEqual(['https://all.test', 'https://team.test'])
})

test('a mirror gives the archives whose addresses are those of npm itself', () => {
  const npm = read('')
  const mirror = read('registry=https://mirror.test/npm/')
  const archive = `${npm.registry}a/-/a-1.0.0.tgz`
  expect(archiveUrl(archive, 'a', npm)).toBe(archive)
  expect(archiveUrl(archive, 'a', mirror)).toBe('https://mirror.test/npm/a/-/a-1.0.0.tgz')
  expect(archiveUrl('https://files.test/a.tgz', 'a', mirror)).toBe('https://files.test/a.tgz')
})

test('credentials are for the start of an address, and the longest counts', () => {
  const settings = read(
    [
      '//all.test/:_authToken=${TOKEN}',
      '//all.test/private/:_auth=dXNlcjpwYXNz',
      '//named.test/:username=ann',
      `//named.test/:_password=${Buffer.from('secret').toString('base64')}`,
      'registry=https://all.test/',
    ].join('\n'),
    { TOKEN: 'of-env' },
  )
  const shown = (url: string) => credentialsFor(new URL(url), settings)
  expect(shown('https://all.test/a')).toEqual([['authorization', 'Bearer of-env']])
  expect(shown('https://all.test/private/a/-/a-1.0.0.tgz')).toEqual([['authorization', 'Basic dXNlcjpwYXNz']])
  expect(shown('https://named.test/x')).toEqual([
    ['authorization', `Basic ${Buffer.from('ann:secret').toString('base64')}`],
  ])
  expect(shown('https://all.test.evil.test/a')).toEqual([])
  expect(shown('https://all.test:8443/a')).toEqual([])
})
