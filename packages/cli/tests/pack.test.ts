import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..')

let folder: string
let command: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-pack-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: cli })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  await run('npm', ['init', '--yes'], { cwd: folder })
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], { cwd: folder })
  command = join(folder, 'node_modules/.bin/coherex')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every Node on this machine that the package says it runs on. */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path))

test.each(nodes)('the packed command installs offline, by itself, and shows its help on %s', async (node) => {
  const { stdout } = await run(node, [command, '--help'], { cwd: folder })
  expect(stdout).toContain('Usage: coherex')
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['coherex-cli'])
})

test('the packed command says where operators run their commands', async () => {
  const failure = await run(command, ['backup', 'create', 'x'], { cwd: folder }).catch(
    (error: { code: number; stderr: string }) => error,
  )
  expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining('run it on the machine of the server') })
})
