import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../src/config.ts'
import { findProject, requireProject } from '../src/find-project.ts'
import { runCoherex } from './run-coherex.ts'

/** A folder of the server's shape whose program for operators says what it was asked. */
let project: string
let elsewhere: string

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'coherex-home-')))
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'coherex-else-')))
  for (const [path, text] of Object.entries({
    'packages/server/package.json': '{}',
    'packages/studio/src/x.ts': '',
    'scripts/operate.mjs':
      'console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }))\nprocess.exitCode = process.argv[2] === "user" ? 9 : 0',
  })) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'))
})
afterEach(() => {
  for (const folder of [project, elsewhere]) rmSync(folder, { recursive: true, force: true })
})

test('backup create runs the program of the folder around, with the file as the person meant it', async () => {
  const { code, stdout } = await runCoherex(['backup', 'create', 'b.tar'], { cwd: join(project, 'packages/studio') })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    args: ['backup', 'create', join(project, 'packages/studio/b.tar')],
    cwd: project,
  })
})

test('COHEREX_HOME names the folder, and the exit code is passed on', async () => {
  const { code, stdout } = await runCoherex(['user', 'reset', 'Ada@Example.test', '--json'], {
    cwd: elsewhere,
    env: { COHEREX_HOME: project },
  })
  expect(code).toBe(9)
  expect(JSON.parse(stdout)).toMatchObject({ args: ['user', 'reset', 'ada@example.test', '--json'] })
})

test('a wrong COHEREX_HOME is said in one line', async () => {
  const { code, stderr } = await runCoherex(['secrets', 'rotate'], { cwd: project, env: { COHEREX_HOME: elsewhere } })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `coherex: Cannot find the server's files: COHEREX_HOME is ${elsewhere}, and no Coherex is there\n`,
  })
})

test('findProject() falls back to the folder this program is part of', () => {
  expect(findProject({ ...readSettings(elsewhere), home: undefined })).toBe(
    realpathSync(join(import.meta.dirname, '../../..')),
  )
})

test('requireProject() says where to run it when no server is here', () => {
  expect(() => requireProject({ ...readSettings(elsewhere), home: undefined }, elsewhere)).toThrow(
    "Cannot find the server's files: run it on the machine of the server, in its folder, or set COHEREX_HOME to that folder",
  )
})

test('an e-mail address that is none is refused before anything runs', async () => {
  expect(await runCoherex(['user', 'reset', 'nobody'], { cwd: project })).toMatchObject({ code: 2, stdout: '' })
})
