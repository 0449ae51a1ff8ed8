import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '@coherex/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startBreakingProxy } from './breaking-proxy.ts'
import { runCoherex, startCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let server: Awaited<ReturnType<typeof startRealServer>>
let folder: string

beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = mkdtempSync(join(server.home, 'work-'))
})

const surroundings = (url = server.url) => ({ env: { COHEREX_URL: url, COHEREX_TOKEN: ownerKey }, cwd: folder })
const coherex = (args: string[], stdin = '') => runCoherex(args, { ...surroundings(), stdin })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const show = async (id: string) => JSON.parse((await coherex(['runs', 'show', id, '--json'])).stdout) as Run
const newestRun = async () => {
  const { items } = JSON.parse((await coherex(['runs', 'list', '--limit', '1', '--json'])).stdout) as { items: Run[] }
  return items[0]!
}

test('a run prints to both streams, then its result, and ends with 0', async () => {
  write('hello.js', '#!/usr/bin/env node\nconsole.log("one")\nconsole.error("two")\n;({ answer: 6 * 7 })\n')
  expect(await coherex(['run', 'hello.js'])).toEqual({ code: 0, stdout: 'one\n{"answer":42}\n', stderr: 'two\n' })
})

test('a run that fails ends with 1 and marks the line, in a file it imports too', async () => {
  write('main.js', 'import { check } from "./lib/check.js"\nexport default (env, input) => check(input)\n')
  mkdirSync(join(folder, 'lib'))
  write('lib/check.js', 'export function check(n) {\n  throw new TypeError(`bad ${n}`)\n}\n')
  const { code, stdout, stderr } = await coherex(['run', 'main.js', '--file', 'lib/check.js', '--input', '7'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(
    'coherex: the run failed (runtime): TypeError: bad 7\n  at lib/check.js:2:9\n  1 | export function check(n) {\n> 2 |   throw new TypeError(`bad ${n}`)\n    |         ^\n',
  )
})

test('a run that fails says why in plain words, and which flag helps', async () => {
  write('ask.py', "import urllib.request\nurllib.request.urlopen('https://api.example.com/')\n")
  const asked = await coherex(['run', 'ask.py'])
  expect(asked.stderr).toMatch(
    /^coherex: the run failed \(runtime\): This run has no network: it asked for api\.example\.com\n {2}urllib\.error\.URLError: /,
  )
  expect(asked.stderr).toMatch(/\ncoherex: run it again with --allow https:\/\/api\.example\.com\/\n$/)
  expect(asked.stderr).not.toContain('Traceback')
  write('read.py', 'len(input()) + len(bytearray(400_000_000))\n')
  const flags: string[] = []
  for (const next of ['--stdin FILE', '--memory 512', undefined]) {
    const { code, stderr } = await coherex(['run', 'read.py', '--memory', '128', ...flags], 'ada\n')
    expect(stderr.match(/it again with (.*)/)?.[1]).toBe(next)
    expect(code === 0).toBe(next === undefined)
    flags.push(...(next?.replace('FILE', '-').split(' ') ?? []))
  }
  const process = await coherex(
    ['run', '-', '--language', 'javascript', '--runtime', 'process', '--max-output', '2000'],
    'require("node:os").type()',
  )
  expect(process).toMatchObject({ code: 0, stdout: '"Linux"\n' })
})

test('a run out of time ends with 124', async () => {
  const { code, stderr } = await coherex(['run', '-', '--language', 'bash', '--timeout', '300ms'], 'sleep 60')
  expect(code).toBe(124)
  expect(stderr).toContain('the run failed (timeout)')
})

test('input, standard input, variables and files go in, and files come out as they are', async () => {
  write('input.json', '{"n": 20}')
  write('in.txt', 'from stdin')
  write('numbers=1.csv', '1,2')
  write(
    'story.py',
    [
      'import os, sys, coherex',
      'open("all.bin", "wb").write(bytes(range(256)))',
      'os.makedirs("a/b")',
      'open("a/b/note.txt", "w").write(open("data/n.csv").read())',
      'open("left.tmp", "w").write("x")',
      '[coherex.input["n"] + 1, sys.stdin.read(), os.environ["GREETING"], os.environ["COHEREX_URL"][:4], os.path.exists("numbers=1.csv")]',
    ].join('\n'),
  )
  const options = ['--input', '@input.json', '--stdin', 'in.txt', '--env', 'GREETING=hi=ho', '--env', 'COHEREX_URL']
  const files = [
    '--file',
    'numbers=1.csv',
    '--file',
    'numbers=1.csv=data/n.csv',
    '--keep',
    '**/*.txt',
    '--keep',
    '*.bin',
  ]
  const ended = await coherex(['run', 'story.py', ...options, ...files, '--download', 'out'])
  expect(ended).toEqual({
    code: 0,
    stdout: '[21,"from stdin","hi=ho","http",true]\n',
    stderr: 'coherex: 2 files in out\n',
  })
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['a', 'all.bin'])
  expect(readFileSync(join(folder, 'out/all.bin'))).toEqual(Buffer.from(Array.from({ length: 256 }, (_, n) => n)))
  expect(readFileSync(join(folder, 'out/a/b/note.txt'), 'utf8')).toBe('1,2')

  const { id } = await newestRun()
  const poured = await coherex(['runs', 'download', id, 'a/b/note.txt', '--to', '-'])
  expect(poured).toEqual({ code: 0, stdout: '1,2', stderr: '' })
  expect(await coherex(['runs', 'download', id, 'all.bin'])).toMatchObject({ code: 0, stdout: `${id}/all.bin\n` })
  expect(await coherex(['runs', 'download', id, 'nothing'])).toMatchObject({ code: 2 }) // the folder is not empty now
  expect(await coherex(['runs', 'download', id, 'nothing', '--force'])).toMatchObject({ code: 6 })
})

test('a mark of UTF-8 is no part of a program or its input, and stays in what the program reads', async () => {
  write(
    'marked.py',
    '\ufeffimport sys, coherex\n[coherex.input, open("t.csv", "rb").read(3).hex(), sys.stdin.buffer.read(3).hex()]',
  )
  write('n.json', '\ufeff1')
  write('t.csv', '\ufeffa,b\n')
  const ended = await coherex(['run', 'marked.py', '-i', '@n.json', '-f', 't.csv', '--stdin', 't.csv'])
  expect(ended).toEqual({ code: 0, stdout: '[1,"efbbbf","efbbbf"]\n', stderr: '' })
})

test('types are checked when asked for', async () => {
  write('typed.ts', 'const n: number = "x"\nexport default () => n\n')
  const { code, stderr } = await coherex(['run', 'typed.ts', '--typecheck'])
  expect(code).toBe(1)
  expect(stderr).toContain('TS2322')
  expect(stderr).toContain('at typed.ts:1:7')
  expect(await coherex(['run', 'typed.ts'])).toEqual({ code: 0, stdout: '"x"\n', stderr: '' })
})

test('rich output is kept in a folder that was empty', async () => {
  write('table.py', 'import pandas\npandas.DataFrame({"a": [1]})\n')
  const { code, stdout, stderr } = await coherex(['run', 'table.py', '--save', 'rich'])
  expect(code).toBe(0)
  expect(stdout).toBe('   a\n0  1\n[{"a":1}]\n')
  expect(stderr).toContain('rich/display-1.html')
  expect(readFileSync(join(folder, 'rich/display-1.html'), 'utf8')).toContain('<table')
  const again = await coherex(['run', 'table.py', '--save', 'rich'])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('rich is not empty') })
})

test('with --json the run is printed and nothing else', async () => {
  const { code, stdout, stderr } = await coherex(['run', '-', '-l', 'bash', '--json'], 'echo hi; exit 3')
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', output: [{ stream: 'stdout', text: 'hi\n' }] })
})

test('a detached run is followed, shown, listed and cancelled by its id', async () => {
  write('slow.sh', 'echo started; sleep 100')
  const started = await coherex(['run', 'slow.sh', '--detach'])
  const id = started.stdout.trim()
  expect(started.code).toBe(0)
  const watching = startCoherex(['runs', 'logs', id, '-f'], surroundings())
  expect(await watching.printed).toBe('started\n')
  expect((await coherex(['runs', 'show', id])).stdout).toMatch(/: running\n[^]*\nTime {6}[\d.]+ m?s so far\n/)
  expect(await coherex(['runs', 'cancel', id])).toMatchObject({ code: 0, stdout: `Cancelled ${id}\n` })
  expect(await watching.ended).toMatchObject({ code: 0, stdout: 'started\n' })
  expect((await coherex(['runs', 'logs', id])).stdout).toBe('started\n')
  expect((await coherex(['runs', 'show', id])).stdout).toContain(`${id}: cancelled\n`)
  expect((await coherex(['runs', 'list', '--status', 'cancelled'])).stdout).toContain(id)
  expect(await coherex(['runs', 'show', '../me'])).toMatchObject({ code: 2 })
  expect(await coherex(['runs', 'show', `run_${'0'.repeat(26)}`])).toMatchObject({ code: 6 })
})

test('Ctrl-C cancels the run on the server and ends with 130', async () => {
  write('slow.sh', 'echo started; sleep 100')
  const running = startCoherex(['run', 'slow.sh'], surroundings())
  await running.printed
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toContain('the run was cancelled')
  expect(await newestRun()).toMatchObject({ status: 'cancelled' })
})

test('what is sent to the command alone reaches the run, whichever Node starts it', async (context) => {
  const path = '/usr/local/bin:/usr/bin:/bin'
  if (!path.split(':').some((folder) => existsSync(join(folder, 'node')))) context.skip('needs a Node of the machine')
  write('slow.sh', 'echo started; sleep 100')
  const { env, cwd } = surroundings()
  const program = join(import.meta.dirname, '../bin/coherex.mjs')
  // in a session of its own: there is no terminal whose Ctrl-C would reach them all
  const child = spawn(program, ['run', 'slow.sh'], { env: { ...env, PATH: path }, cwd, detached: true })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(await newestRun()).toMatchObject({ status: 'cancelled' })
})

test('a run whose reader has gone is cancelled', async () => {
  write('slow.sh', 'for n in $(seq 1000); do echo $n; sleep 0.1; done')
  const running = startCoherex(['run', 'slow.sh'], surroundings())
  await running.printed
  running.child.stdout.destroy()
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(await newestRun()).toMatchObject({ status: 'cancelled' })
})

test('a stream that breaks off is resumed where it broke, again and again', async () => {
  const proxy = await startBreakingProxy(server.url, { mark: 'run-output', cuts: 3 })
  write('count.sh', 'for n in 1 2 3 4 5 6; do echo $n; sleep 0.3; done')
  const { code, stdout, stderr } = await runCoherex(['run', 'count.sh'], surroundings(proxy.url))
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n2\n3\n4\n5\n6\n' })
  expect(stderr).toContain('the connection broke')
  expect(proxy.cutsLeft()).toBe(0)
  await proxy.close()
})

/** What a person would see: the program has a terminal for all its streams. */
function onTerminal(args: string[]): string {
  const main = join(import.meta.dirname, '../src/main.ts')
  const line = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
  const { env, cwd } = surroundings()
  const options = { env: { ...env, PATH: process.env['PATH'], TERM: 'xterm' }, cwd, encoding: 'utf8' as const }
  return execFileSync('script', ['--quiet', '--return', '--command', line, '/dev/null'], options)
}

test('on a terminal, code changes colours and nothing else; a pipe and --raw get what it printed', async () => {
  const printed = '\u001b[32mgreen\u001b[0m \u001b]0;title\u0007\u001b[2J\u009b1A\u202e'
  write('loud.py', `import sys\ntext = ${JSON.stringify(printed)}\nprint(text)\nprint(text, file=sys.stderr)\ntext\n`)
  const seen = onTerminal(['run', 'loud.py'])
  const shown = '\u001b[32mgreen\u001b[0m ␛]0;title␇␛[2J<U+009B>1A<U+202E>'
  expect(seen.split(shown).length - 1).toBe(2)
  expect(seen).toContain('\\x1b]0;title\\x07\\x1b[2J\\x9b1A\\u202e')
  expect(seen).not.toContain('\u001b]')
  expect(seen).not.toContain('\u001b[2J')
  expect(seen).not.toMatch(/[\u0080-\u009f\u202e]/)

  const { id } = await newestRun()
  expect(onTerminal(['runs', 'logs', id])).not.toContain('\u001b]')
  expect(onTerminal(['runs', 'show', id, '--json'])).not.toMatch(/\u001b\]|[\u0080-\u009f\u202e]/)
  expect(onTerminal(['run', '--raw', 'loud.py'])).toContain(printed)
  expect((await coherex(['run', 'loud.py'])).stdout.startsWith(`${printed}\n`)).toBe(true)
  expect((await show(id)).result).toBe(printed)
})

test.each([
  [['run', 'none.py'], 'Cannot read none.py: there is no such file'],
  [['run', '.', '-l', 'bash'], 'Cannot read .: it is a folder'],
  [['run', 'unknown.txt'], 'Cannot tell the language of "unknown.txt"; give --language javascript'],
  [['run', '-', '--stdin', '-'], 'Standard input is the program already'],
  [['run', 'ok.py', '--input', '{'], '--input is not JSON'],
  [['run', 'ok.py', '--timeout', 'soon'], 'Use a time such as 500ms, 30s or 2m.'],
  [['run', 'ok.py', '--timeout', '10m'], '--timeout (in ms)'],
  [['run', 'ok.py', '--env', 'A-B=1'], '--env: "A-B": not a variable name'],
  [['run', 'ok.py', '--env', 'NOT_HERE'], 'there is no variable NOT_HERE here'],
  [['run', 'binary', '--language', 'python'], 'Cannot send binary: it is not UTF-8 text'],
  [['run', 'ok.py', '--file', 'ok.py=../up.py'], '--file: "../up.py": must be a relative path'],
  [['run', 'ok.py', '--detach', '--download', 'x'], 'cannot be used with'],
])('%j is refused with 2 before anything runs', async (args, message) => {
  write('ok.py', '1')
  write('unknown.txt', '1')
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0]))
  const { code, stderr } = await coherex(args)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('a query runs over a file that is no text, and a module with arguments', async () => {
  write('make.sql', "copy (select 42 as answer) to 'made.parquet'")
  expect((await coherex(['run', 'make.sql', '--download', 'out'])).code).toBe(0)
  write('ask.sql', "select answer * 2 as twice from 'made.parquet'")
  const asked = await coherex(['run', 'ask.sql', '--file', 'out/made.parquet=made.parquet'])
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('[{"twice":84}]') })

  write('exit.c', '#include <stdio.h>\nint main(int count, char **words) { puts(words[1]); return count; }')
  execFileSync('clang', ['--target=wasm32-wasi', '-o', join(folder, 'exit.wasm'), join(folder, 'exit.c')])
  const module = await coherex(['run', 'exit.wasm', '--', '--size', '3'])
  expect(module).toMatchObject({ code: 3, stdout: '--size\n', stderr: expect.stringContaining('Exited with code 3') })
})

test('without a login it says how to get one and ends with 3', async () => {
  write('ok.py', '1')
  const ended = await runCoherex(['run', 'ok.py'], { cwd: folder, env: { XDG_CONFIG_HOME: folder } })
  expect(ended).toEqual({ code: 3, stdout: '', stderr: 'coherex: Not signed in. Run coherex login first\n' })
})
