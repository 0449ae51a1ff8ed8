import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeReachable } from './reachable.mjs'

const isRoot = process.getuid?.() === 0
const mayMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

let folder: string
let project: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-reach-'))
  chmodSync(folder, 0o755)
  project = join(folder, 'inner', 'project')
  mkdirSync(join(project, 'packages'), { recursive: true, mode: 0o755 })
  writeFileSync(join(project, 'packages/guest.ts'), 'guest')
  writeFileSync(join(project, '.npmrc'), 'top-level')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a line of shell as the user nobody, the way the database and the sandboxes see the project. */
function asNobody(line: string, env: NodeJS.ProcessEnv = {}) {
  const argv = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', line]
  const command = makeReachable({ argv, cwd: project, env: { PATH: process.env['PATH'], ...env } })
  const [program = '', ...args] = command.argv
  const { status, stdout } = spawnSync(program, args, { cwd: command.cwd, env: command.env, encoding: 'utf8' })
  return { status, stdout: stdout.trim() }
}

test('makeReachable() leaves a project alone that others can enter', () => {
  const command = { argv: ['true'], cwd: project, env: {} }
  expect(makeReachable(command)).toBe(command)
})

describe.skipIf(!mayMount)('as root, where mounting is permitted', () => {
  test('makeReachable() shows a project below a closed folder to another user', () => {
    chmodSync(join(folder, 'inner'), 0o700)
    expect(
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'cat', join(project, '.npmrc')]).status,
    ).not.toBe(0)
    expect(asNobody('cat packages/guest.ts .npmrc')).toEqual({ status: 0, stdout: 'guesttop-level' })
  })

  test('makeReachable() shows a project whose own folder is closed', () => {
    chmodSync(project, 0o700)
    expect(asNobody('cat packages/guest.ts .npmrc')).toEqual({ status: 0, stdout: 'guesttop-level' })
  })

  test('makeReachable() keeps what is written to the data directory in the project', () => {
    chmodSync(project, 0o700)
    mkdirSync(join(project, '.coherex'))
    chmodSync(join(project, '.coherex'), 0o777)
    expect(asNobody('echo kept > .coherex/row')).toMatchObject({ status: 0 })
    expect(readFileSync(join(project, '.coherex/row'), 'utf8')).toBe('kept\n')
  })

  test('makeReachable() shows a data directory elsewhere that lies below a closed folder', () => {
    const closed = join(folder, 'closed')
    mkdirSync(join(closed, 'data'), { recursive: true })
    chmodSync(join(closed, 'data'), 0o777)
    chmodSync(closed, 0o700)
    const { status } = asNobody('echo kept > "$COHEREX_DATA_DIR/row"', { COHEREX_DATA_DIR: join(closed, 'data') })
    expect(status).toBe(0)
    expect(readFileSync(join(closed, 'data/row'), 'utf8')).toBe('kept\n')
  })

  test('makeReachable() moves the paths of the command along and passes its exit code on', () => {
    chmodSync(join(folder, 'inner'), 0o700)
    const { argv, cwd, env } = makeReachable({
      argv: ['sh', '-c', 'cat "$1"; exit 7', 'sh', join(project, '.npmrc')],
      cwd: project,
      env: { PATH: process.env['PATH'] },
    })
    expect(argv.at(-1)).toMatch(/^\/run\/coherex\/[0-9a-f]{12}\/app\/\.npmrc$/)
    expect(spawnSync(argv[0]!, argv.slice(1), { cwd, env, encoding: 'utf8' })).toMatchObject({
      status: 7,
      stdout: 'top-level',
    })
  })

  test('makeReachable() opens nothing outside the namespace', () => {
    chmodSync(join(folder, 'inner'), 0o700)
    const { env } = makeReachable({ argv: ['true'], cwd: project, env: {} })
    const place = env['PWD']!
    expect(asNobody('cat /proc/self/mounts').stdout).toContain(place)
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(place)
    expect(statSync(join(folder, 'inner')).mode & 0o777).toBe(0o700)
  })
})
