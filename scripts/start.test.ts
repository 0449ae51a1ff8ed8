import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSmallProject, writeInto } from './small-project.ts'

let project: string
let children: ChildProcess[] = []

const server = `
let signals = 0
process.on('SIGINT', () => {
  signals += 1
  setTimeout(() => { console.log('got ' + signals); process.exit(7) }, 300)
})
console.log('ready on Node ' + process.versions.node.split('.')[0])
setInterval(() => {}, 1000)
`

beforeEach(() => {
  project = makeSmallProject()
  write('packages/server/src/main.ts', server)
})

afterEach(async () => {
  // what still runs may still write into the project
  await Promise.all(children.map(end))
  children = []
  rmSync(project, { recursive: true, force: true })
})

const write = (path: string, text: string) => writeInto(project, path, text)

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts the project with the given Node and gives what it says and how it ends. */
function start(node: string, options: { detached?: boolean } = {}) {
  const child = spawn(node, [join(project, 'scripts/start.mjs')], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  children.push(child)
  let output = ''
  const waiting: { text: string; resolve: () => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const one of waiting) if (output.includes(one.text)) one.resolve()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    child,
    ended,
    output: () => output,
    says: async (text: string) => {
      const said = new Promise<void>((resolve) => {
        waiting.push({ text, resolve })
        if (output.includes(text)) resolve()
      })
      await Promise.race([said, ended.then((code) => expect(`${output}exit ${code}`).toContain(text))])
    },
  }
}

const oldNode = '/usr/bin/node'
const isOld =
  Number(spawnSync(oldNode, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }).stdout) < 22

test('start shows its steps, runs the server on the bundled Node, and skips what is done the second time', async () => {
  const first = start(process.execPath)
  await first.says('ready on Node')
  expect(first.output()).toMatch(/✓ Packages are those of the lockfile {2}[\d.]+ m?s/)
  expect(first.output()).toMatch(/✓ Built the studio {2}[\d.]+ m?s/)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(7)

  const second = start(process.execPath)
  await second.says('ready on Node')
  expect(second.output()).toMatch(/✓ The studio is built/)
})

test('start builds the studio again when its sources changed', async () => {
  const first = start(process.execPath)
  await first.says('ready')
  first.child.kill('SIGINT')
  await first.ended
  write('packages/studio/main.ts', 'console.log(2)')
  const second = start(process.execPath)
  await second.says('✓ Built the studio')
})

test('start passes one interrupt and the exit code through when the server replaced it', async () => {
  const { child, says, ended, output } = start(process.execPath)
  await says('ready')
  child.kill('SIGINT')
  expect(await ended).toBe(7)
  expect(output()).toContain('got 1')
})

test.skipIf(!isOld)(
  'with an old Node on the machine, start passes one interrupt and the exit code through',
  async () => {
    const { child, says, ended, output } = start(oldNode)
    await says('ready on Node 26')
    child.kill('SIGINT')
    expect(await ended).toBe(7)
    expect(output()).toContain('got 1')
  },
)

test('start says in one line what went wrong and exits with 1', async () => {
  write('packages/studio/main.ts', 'import "./nowhere.ts"')
  const { ended, output } = start(process.execPath)
  expect(await ended).toBe(1)
  expect(output()).toMatch(/✗ Cannot build the studio: .*nowhere/)
  expect(output()).not.toContain('    at ')
})

/** As after a pull that brings a package, which is a folder here because nothing is downloaded in this test. */
const tiny = { 'node_modules/tiny': { resolved: 'tiny', link: true }, tiny: { version: '1.0.0' } }
function wantTiny() {
  const root = { name: 'small', version: '1.0.0', dependencies: { tiny: 'file:tiny' } }
  write('package.json', JSON.stringify({ ...root, type: 'module' }))
  write('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, packages: { '': root, ...tiny } }))
  write('tiny/package.json', '{ "name": "tiny", "version": "1.0.0" }')
}

test('start installs again when the lockfile changed', async () => {
  const first = start(process.execPath)
  await first.says('ready')
  first.child.kill('SIGINT')
  await first.ended
  wantTiny()
  const second = start(process.execPath)
  // this small project's lockfile brings no Node
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain('✓ Installed the packages of the lockfile')
  expect(second.output()).toContain('✗ No Node 26 for')
})

test('start installs nothing when npm has already brought what a changed lockfile says', async () => {
  wantTiny()
  write('node_modules/.coherex-lock', 'of the lockfile before')
  write('node_modules/.package-lock.json', JSON.stringify({ packages: tiny }))
  await start(process.execPath).says('✓ Packages are those of the lockfile')
})

test('the server is started with few arenas for memory, unless the operator says otherwise', async () => {
  write('packages/server/src/main.ts', "console.log('arenas ' + process.env.MALLOC_ARENA_MAX)")
  await start(process.execPath).says('arenas 2')
  const env = { ...process.env, MALLOC_ARENA_MAX: '4' }
  const told = spawnSync(process.execPath, [join(project, 'scripts/start.mjs')], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  expect(told.stdout).toContain('arenas 4')
})

test('an interrupt while packages are installed ends start, and the next start begins again', async () => {
  rmSync(join(project, 'node_modules/.package-lock.json'))
  // an npm that takes long
  write('bin/npm', '#!/bin/sh\necho installing >&2\nexec sleep 60\n')
  chmodSync(join(project, 'bin/npm'), 0o755)
  const env = { PATH: `${join(project, 'bin')}:/usr/bin:/bin` }
  const child = spawn(process.execPath, [join(project, 'scripts/start.mjs')], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  const announced = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('… Installing')) resolve()
    })
  })
  await announced
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, output: output.split('\n').at(-2) }).toEqual({ code: 130, output: '✗ Stopped.' })
})
