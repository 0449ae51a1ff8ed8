import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PackageSet } from '../../package-set.ts'
import { contractLimits, runCell, runPython } from '../../sandbox-cells.ts'
import type { Installer, Sandbox } from '../../sandbox.ts'
import { createFixture, type Fixture } from '../process-fixture.ts'

// of this process alone, as in live-sandboxes.contract.test.ts
const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800

let fixture: Fixture
let setsDir: string
const asked: unknown[] = []
/** Answers each request with the lines it is given. */
let answer: (request: unknown) => object[] | Promise<object[]>
const installer: Installer = {
  accept(connection: Duplex) {
    connection.once('data', (chunk: Buffer) => {
      const request = JSON.parse(chunk.toString('utf8')) as unknown
      asked.push(request)
      void Promise.resolve(answer(request)).then((lines) => {
        connection.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      })
    })
    connection.on('error', () => undefined)
  },
}

beforeAll(async () => {
  setsDir = mkdtempSync(join(tmpdir(), 'coherex-sets-'))
  chmodSync(setsDir, 0o711)
  fixture = await createFixture(uidBase, { poolSize: 0, setsDir })
})
afterAll(async () => {
  await fixture.close()
  rmSync(setsDir, { recursive: true, force: true })
})
beforeEach(() => {
  asked.length = 0
  answer = () => [{ type: 'done', packages: [], changed: [] }]
})

function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(setsDir, folder, path)), { recursive: true })
    writeFileSync(join(setsDir, folder, path), text, { mode: 0o755 })
  }
}

function pythonSet(folder: string, modules: Record<string, string>): PackageSet {
  put(folder, Object.fromEntries(Object.entries(modules).map(([name, code]) => [`site/${name}.py`, code])))
  return { hash: folder, language: 'python', folder, modules: Object.keys(modules) }
}

function nodeSet(folder: string, packages: Record<string, string>): PackageSet {
  for (const [name, code] of Object.entries(packages)) {
    const manifest = { name, version: '1.0.0', exports: './index.js' }
    put(folder, {
      [`node_modules/${name}/package.json`]: JSON.stringify(manifest),
      [`node_modules/${name}/index.js`]: code,
    })
  }
  return { hash: folder, language: 'javascript', folder, modules: Object.keys(packages) }
}

async function open(sets?: PackageSet[]): Promise<Sandbox> {
  return fixture.runtime.open({
    ...{ limits: contractLimits, domain: 'test', env: {}, installer },
    ...(sets && { sets }),
  })
}

async function command(sandbox: Sandbox, line: string, terminal = false): Promise<string> {
  const process = await sandbox.processes.start({
    command: line,
    ...(terminal && { terminal: { columns: 200, rows: 20 } }),
  })
  await process.exited
  return process.recentOutput.map(({ text }) => text).join('')
}

describe('packages of a sandbox', () => {
  test('[sandbox.16] a set it begins with is there for sessions, programs and terminals', async () => {
    const python = pythonSet('first-python', { gift: 'answer = 42' })
    put('first-python', { 'bin/gift': '#!/usr/bin/python3\nimport gift\nprint("gift", gift.answer)\n' })
    const sandbox = await open([python, nodeSet('first-node', { 'gift-js': 'exports.answer = 43' })])
    expect((await runPython(sandbox, 'import gift\nprint(gift.answer)')).text).toBe('42\n')
    const script = `import { answer } from 'gift-js'\nconsole.log(answer, require('gift-js').answer)`
    expect((await runCell(sandbox, 'javascript', script)).text).toBe('43 43\n')
    const line = `PYTHONPATH=elsewhere python3 -c 'import gift; print(gift.answer)'; gift; echo "import { answer } from 'gift-js'; console.log(String(answer))" > a.mjs; node a.mjs; node -p 'String(require("gift-js").answer)'`
    expect(await command(sandbox, line)).toBe('42\ngift 42\n43\n43\n')
    expect(await command(sandbox, line, true)).toBe('42\r\ngift 42\r\n43\r\n43\r\n')
    expect((await runCell(sandbox, 'bash', 'ls /opt/sets; touch /opt/sets/first-python/site/x')).text).toMatch(
      /Permission denied[^]*Read-only/,
    )
    await sandbox.close()
  })

  test('[sandbox.16] sets that are made later replace those of sessions that run', async () => {
    const sandbox = await open()
    expect((await runPython(sandbox, 'import json\nkept = 1\nimport late')).error?.message).toContain('late')
    const failed = await runCell(sandbox, 'javascript', `var kept = 1; await import('late')`)
    expect(failed.status).toBe('failed')
    await sandbox.usePackages([
      pythonSet('late-1', { late: 'version = 1' }),
      nodeSet('late-1n', { late: 'exports.version = 1' }),
    ])
    expect((await runPython(sandbox, 'import late\nprint(kept, late.version)')).text).toBe('1 1\n')
    const both = `console.log(kept, require('late').version, (await import('late')).version)`
    expect((await runCell(sandbox, 'javascript', both)).text).toBe('1 1 1\n')
    await sandbox.usePackages([
      pythonSet('late-2', { late: 'version = 2', more: 'version = 2' }),
      nodeSet('late-2n', { late: 'exports.version = 2', more: 'exports.version = 2' }),
    ])
    // what is loaded stays, what is new comes from the new set, and a new session has it all
    expect((await runPython(sandbox, 'import late, more\nprint(late.version, more.version)')).text).toBe('1 2\n')
    expect((await runCell(sandbox, 'javascript', `console.log(require('more').version)`)).text).toBe('2\n')
    expect((await runPython(sandbox, 'import late\nprint(late.version)', { context: 'other' })).text).toBe('2\n')
    await sandbox.usePackages([])
    expect((await runPython(sandbox, 'import late', { context: 'third' })).error?.message).toContain('late')
    await sandbox.close()
  })

  test('[sandbox.17] pip and npm ask the host, and what it brings can be imported by the next line', async () => {
    const sandbox = await open()
    const set = pythonSet('asked', { brought: 'answer = 42' })
    answer = async () => {
      await sandbox.usePackages([set])
      const brought = { name: 'brought', version: '1.2' }
      return [
        { type: 'progress', text: 'Fetching 1 of 1 packages' },
        { type: 'done', packages: [brought], changed: [brought] },
      ]
    }
    const told = await runPython(sandbox, '%pip install brought\nimport brought\nprint(brought.answer)')
    expect(told.text).toBe('Fetching 1 of 1 packages\nAdded brought 1.2\n42\n')
    await command(
      sandbox,
      `pip3 install -qU 'a[b]>=1,<2' && printf 'x==1 # one\\n\\ny\\n' > r.txt && pip install -r r.txt`,
    )
    const made = await command(
      sandbox,
      `echo '{"name":"mine"}' > package.json; npm install brought @scope/other@2 --no-fund && npm install && cat package.json; npm rm brought`,
    )
    expect(made).toContain('"brought": "^1.2"')
    expect(asked).toEqual([
      { language: 'python', requirements: ['brought'] },
      { language: 'python', requirements: ['a[b]>=1,<2'], upgrade: true },
      { language: 'python', requirements: ['x==1', 'y'] },
      { language: 'javascript', requirements: ['brought', '@scope/other@2'] },
      { language: 'javascript', requirements: ['brought@^1.2'] },
      { language: 'javascript', remove: ['brought'] },
    ])
    await sandbox.close()
  })

  test('[sandbox.17] what the host refuses is told, and what is no package by name is for the real program', async () => {
    const sandbox = await open()
    answer = () => [{ type: 'error', code: 'forbidden', message: 'The team adds no packages' }]
    const told = await runPython(sandbox, '%pip install brought')
    expect(told).toMatchObject({ text: 'ERROR: The team adds no packages\n', status: 'failed' })
    expect(await command(sandbox, 'npm install brought; echo $?')).toBe('npm error The team adds no packages\n1\n')
    expect(asked).toHaveLength(2)
    const lines = [
      'pip install ./nothing.whl',
      'pip install --no-index --find-links . nothing',
      'pip install git+https://example.invalid/x',
      'pip --version',
    ]
    for (const line of lines) await command(sandbox, line)
    expect(await command(sandbox, 'pip install --no-index --find-links . nothing')).toContain('outside of its lock')
    expect(asked).toHaveLength(2)
    await sandbox.close()
  })
})
