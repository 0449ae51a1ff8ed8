import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSmallProject } from './small-project.ts'

const isRoot = process.getuid?.() === 0
let folder: string
let project: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-apt-'))
  chmodSync(folder, 0o777)
  project = makeSmallProject()
  cpSync(process.execPath, join(folder, 'node')) // where another user can run it
})
afterEach(() => {
  for (const path of [folder, project]) rmSync(path, { recursive: true, force: true })
})

/** A stand-in for a program of the system that would change the machine; it writes down how it was called. */
function standIn(name: string, body: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\n${body}\n`)
  chmodSync(join(folder, name), 0o755)
}

const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')

/** Asks for two packages whose proof of presence is a file in the folder. */
function install(user: { uid: number; gid: number } | object) {
  const wanted = ['one', 'two'].map((name) => ({
    name,
    files: [join(folder, `${name}.there`)],
    for: `the number ${name}`,
  }))
  const code = `import { installSystemPackages } from '${join(project, 'scripts/system-packages.mjs')}'
await installSystemPackages(${JSON.stringify(wanted)})`
  const options = { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin` }, encoding: 'utf8', ...user } as const
  const { status, stdout } = spawnSync(join(folder, 'node'), ['--input-type=module', '-e', code], options)
  return { status, stdout }
}

const withApt = isRoot && spawnSync('sh', ['-c', 'test -x /usr/bin/apt-get']).status === 0

describe.skipIf(!withApt)('as root on a system with apt-get', () => {
  test('root gets what is missing from apt-get', () => {
    standIn(
      'apt-get',
      `case "$*" in *download-only*|*update*) ;; *) touch "${folder}/one.there" "${folder}/two.there" ;; esac`,
    )
    expect(install({})).toEqual({ status: 0, stdout: expect.stringMatching(/^✓ Installed one two with apt-get/) })
    expect(calls().at(-1)).toMatch(/^apt-get -y .* install --no-install-recommends one two$/)
  })

  test('one unknown package does not keep the others away', () => {
    standIn(
      'apt-get',
      `case "$*" in *two*) echo "E: Unable to locate package two" >&2; exit 100 ;; *download-only*|*update*) ;; *) touch "${folder}/one.there" ;; esac`,
    )
    const { status, stdout } = install({})
    expect(status).toBe(0)
    expect(stdout).toContain('! apt-get: E: Unable to locate package two')
    expect(stdout).toContain('! Missing on this machine: two (the number two). The rest works.')
    expect(stdout).not.toContain('one (')
  })

  test('an ordinary user is told the one line to run, and nothing is asked', () => {
    standIn('sudo', 'exit 1')
    standIn('apt-get', 'exit 1')
    const { status, stdout } = install({ uid: 65_534, gid: 65_534 })
    expect(status).toBe(0)
    expect(stdout).toContain('! To get it: sudo apt-get install -y --no-install-recommends one two\n')
    expect(calls()).toEqual(['sudo -n true'])
  })

  test('sudo without a password is used', () => {
    standIn('sudo', 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
    standIn(
      'apt-get',
      `case "$*" in *download-only*|*update*) ;; *) touch "${folder}/one.there" "${folder}/two.there" ;; esac`,
    )
    expect(install({ uid: 65_534, gid: 65_534 }).stdout).toContain('✓ Installed one two with apt-get')
  })
})

describe('--with', () => {
  const asked = (...args: string[]) => {
    const code = `import { packagesAsked } from '${join(project, 'scripts/system-packages.mjs')}'
try { console.log(packagesAsked(${JSON.stringify(args)}).map(({ name }) => name).join(' ')) } catch (error) { console.log(error.message) }`
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout.trim()
  }

  test('names the packages of the languages asked for, and none unasked', () => {
    expect(asked()).toBe('')
    expect(asked('--with', 'r')).toBe('r-base-core')
    expect(asked('--with=R,ruby', '--with', 'c')).toBe('r-base-core ruby gcc libc6-dev')
  })

  test('says what it can install when asked for something else', () => {
    expect(asked('--with', 'cobol')).toMatch(
      /^Cannot install "cobol": --with takes r, ruby, go, c, cpp, rust, wasm; docs/,
    )
    expect(asked('--with')).toMatch(/^--with needs a language: r, ruby/)
  })
})
