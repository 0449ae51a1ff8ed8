import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capabilities } from '../../capabilities/index.ts'
import { BundleStore } from '../packages/bundle-store.ts'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

let subject: IsolateSubject
beforeAll(async () => {
  subject = await openIsolate({ spares: 2 })
  await subject.runtime.warm()
})
afterAll(async () => subject.close())

type Changes = NonNullable<Parameters<typeof runProgram>[2]>
const js = (code: string, changes: Changes = {}) =>
  runProgram(subject.runtime, { language: 'javascript', code, entry: 'main.js' }, changes)
const ts = (code: string, changes: Changes = {}) =>
  runProgram(subject.runtime, { language: 'typescript', code, entry: 'main.ts' }, changes)
const printed = async (code: string) =>
  (await js(code)).output.map((line) => (line.stream === 'display' ? line.data : line.text))

describe('[isolate.2] what a program is', () => {
  test.each<[string, unknown]>([
    ['export default 5', 5],
    ['export default async () => 5', 5],
    ['export default Promise.resolve(5)', 5],
    ['const a = 2\na * 3', 6],
    ['Promise.resolve(7)', 7],
    ['await Promise.resolve(1)\n;[1, 2].map((n) => n + 1)', [2, 3]],
    ['const a = 1\n// a comment\na + 1 // the end', 2],
    ['if (true) { 5 }', undefined],
    ['function f() { return 1 }', undefined],
    ['export const a = 1\na + 1', 2],
    ['`a${`b${1}`}`', 'ab1'],
    ['', undefined],
    ['export { main as default }\nfunction main(env, input) { return input }', undefined],
    ['class A { static b = 3 }\nA.b', 3],
    ['"use strict"\nthis === undefined', true],
    ['let n = 0\nfor await (const m of [1, 2]) n += m\nn', 3],
    ['let said = ""\n{ using a = { [Symbol.dispose]: () => (said += "a") } }\nsaid', 'a'],
    ['using a = { [Symbol.dispose]() {} }\n5', 5],
    ['import.meta.main', true],
  ])('%j has the result %j', async (code, expected) => {
    const { status, result, error } = await js(code)
    expect({ status, error, result }).toEqual({ status: 'succeeded', error: undefined, result: expected })
  })

  test('[isolate.12] a program that is run again starts with fresh state and reports its own lines', async () => {
    const ballast = Array.from({ length: 100 }, (_, n) => `export function unused${n}(a) { return a + ${n} }\n`)
    for (const rest of ['', ballast.join('')]) {
      const counts = `let count = 0\nglobalThis.seen = (globalThis.seen ?? 0) + 1\nfunction next() { return ++count }\n${rest}`
      const fails = `const a = 1\nfunction fail() {\n  throw new TypeError('again')\n}\n${rest}fail()`
      for (let run = 0; run < 4; run++) {
        expect((await js(`${counts}export default () => [next(), next(), seen]`)).result).toEqual([1, 2, 1])
        expect((await js(fails)).error).toMatchObject({ message: 'TypeError: again', line: 3, column: 9 })
      }
    }
  })

  test('a script waits for its timers, a function does not', async () => {
    expect((await js(`setTimeout(() => console.log('later'), 30)\n1`)).text).toBe('later\n')
    // long enough to be over before it: a machine that stands still lets timers come due
    expect((await js(`export default () => { setTimeout(() => console.log('later'), 5_000) }`)).text).toBe('')
  })

  test('a script does not wait for a timer that was let go, or for the end of a time limit it did not need', async () => {
    const { result, error } = await js(`setInterval(() => {}, 60_000).unref()
AbortSignal.timeout(60_000)
const timer = setTimeout(() => {}, 60_000).unref()
timer.hasRef()`)
    expect({ result, error }).toEqual({ result: false, error: undefined })
    const settled = `await new Promise((resolve) => setTimeout(resolve, 5, 1).unref())`
    expect((await js(settled)).result).toBe(1)
    const held = `let n = 0\nconst timer = setInterval(() => { console.log(++n); if (n === 2) timer.unref() }, 2).unref().ref()`
    expect((await js(held)).text).toBe('1\n2\n')
    const fixed = { now: 0, seed: 'one' }
    expect((await js(`setTimeout(() => console.log('no'), 9).unref()\n1`, { fixed })).text).toBe('')
  })

  test('a promise that nobody can settle is an error at once', async () => {
    const { error, durationMs } = await js('await new Promise(() => {})')
    expect(error).toMatchObject({ kind: 'runtime', message: expect.stringContaining('still pending') })
    expect(durationMs).toBeLessThan(5000)
  })

  test('a rejection nobody handles fails the run in its line', async () => {
    const { error } = await js(`const a = 1\nPromise.reject(new TypeError('nobody'))\na`)
    expect(error).toMatchObject({ kind: 'runtime', message: 'TypeError: nobody', line: 2 })
  })

  test('[isolate.14] timers and promises of a function end with the run', async () => {
    const left = '(async () => { for (;;) await 0 })()'
    expect((await js(`export default () => { ${left}; return 'over' }`)).result).toBe('over')
    expect((await js(`export default () => { ${left}; throw new Error('over') }`)).error?.message).toBe('Error: over')
    expect((await js('1 + 1')).result).toBe(2)
  })

  test('output printed before an endless loop is kept, and onStart was called', async () => {
    const code = `for (let at = 0; at < 90; at++) console.log('x'.repeat(9999))
for (;;);`
    // by its own time, which does not pass while it waits for a core
    const { error, starts, text } = await js(code, { limits: { cpuMs: 1500 } })
    expect({ kind: error?.kind, starts, length: text.length }).toEqual({ kind: 'timeout', starts: 1, length: 900_000 })
    expect(await js('for (;;);', { limits: { timeoutMs: 500 } })).toMatchObject({
      starts: 1,
      error: { kind: 'timeout' },
    })
  })

  test('at the end of its stack a program still prints, and can go deeper than Node', async () => {
    const code = `let deepest = 0
const dive = (at) => { try { return dive(at + 1) } catch { console.log('at the end'); deepest ||= at } }
export default () => { dive(0); return deepest }`
    const { result, text } = await js(code)
    expect(result).toBeGreaterThan(20_000)
    expect(text).toContain('at the end')
  })

  test('an error in a timer fails the run in its line', async () => {
    expect((await js(`setTimeout(() => {\n  throw new Error('late')\n}, 1)`)).error).toMatchObject({
      message: 'Error: late',
      line: 2,
    })
  })
})

describe('[isolate.3] results', () => {
  test.each<[string, unknown]>([
    ['({ a: undefined, b: () => 1, c: Symbol() })', {}],
    ['[undefined, () => 1]', [null, null]],
    ['12345678901234567890n', '12345678901234567890'],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['new Date(NaN)', null],
    ['[NaN, Infinity, -0]', [null, null, 0]],
    ['new Map([["a", new Set([1])]])', { a: [1] }],
    ['new Map([[1, 2]])', [[1, 2]]],
    ['new Uint8Array([1, 255])', [1, 255]],
    ['new URL("https://a.b/c")', 'https://a.b/c'],
    ['Object.assign(new TypeError("no"), { code: 5 })', { name: 'TypeError', message: 'no', code: 5 }],
    ['const cycle = { a: 1 }; cycle.self = cycle; cycle', { a: 1, self: '[Circular]' }],
    ['const shared = [1]; [shared, shared]', [[1], [1]]],
    ['({ toJSON: () => ({ mine: true }) })', { mine: true }],
    ['"lone \\ud800 half"', 'lone \ud800 half'],
    ['null', null],
  ])('%s', async (code, expected) => {
    const { result, error } = await js(code)
    expect({ result, error }).toEqual({ result: expected, error: undefined })
  })

  test('a result that is too large says so', async () => {
    expect((await js(`'x'.repeat(5e6)`)).error).toMatchObject({
      kind: 'output',
      message: expect.stringContaining('larger than'),
    })
  })

  test('a getter that throws is the program’s own error', async () => {
    expect((await js(`({ get a() { throw new Error('in getter') } })`)).error).toMatchObject({
      kind: 'runtime',
      message: 'Error: in getter',
    })
  })
})

describe('[isolate.4] modules', () => {
  test('files import each other with and without extension, JSON too, in cycles and through re-exports', async () => {
    const files = {
      'lib/math.ts': `import { name } from '../name.js'\nexport const add = (a: number, b: number): number => a + b\nexport const label = () => name`,
      'name.ts': `import { add } from './lib/math'\nexport const name: string = 'n'\nexport const three = () => add(1, 2)`,
      'lib/index.js': `export * from './math.ts'\nexport { default as data } from './data.json'\nexport default class Thing { who() { return 'thing' } }`,
      'lib/data.json': '{ "n": 40 }',
    }
    const code = `import Thing, { add, data, label } from './lib'\nimport * as names from './name'\nimport raw from './lib/data.json' with { type: 'json' }\n[add(data.n, 2), label(), names.three(), new Thing().who(), raw.n, (await import('./na' + 'me.ts')).name, import.meta.url]`
    expect((await js(code, { files })).result).toEqual([42, 'n', 3, 'thing', 40, 'n', 'file:///main.js'])
  })

  const beside = {
    'half.ts': 'export const value: number = (1 +',
    'beside.test.ts': `import { test } from 'vitest'\ntest('x', () => {})`,
    'bad.json': '{',
    'plugins/lines.ts': `import { half } from '../math.ts'\nexport const run = (n: number): number => half(n)\nexport function fail() {\n  throw new Error('no')\n}`,
    'plugins/needs-half.ts': `import '../half.ts'`,
    'plugins/lost.ts': `const a = 1\nimport './nowhere.ts'`,
    'with blank.ts': `export function fail() {\n  throw new Error('blank')\n}`,
    'math.ts': 'export const half = (n: number) => n / 2',
    'reads.ts': `import { readFileSync } from 'node:fs'\nexport const text = readFileSync('a.txt', 'utf8')`,
  }

  test('an import() loads what it names and nothing else of the program', async () => {
    const written = `const { run } = await import('./plugins/lines.ts')\nrun(84)`
    const computed = `const name = 'lines'\nconst { run } = await import(\`./plugins/\${name}.ts\`)\nrun(84)`
    for (const code of [written, computed, computed])
      expect(await js(code, { files: beside })).toMatchObject({ result: 42 })
    const again = `const load = (name) => import('./plugins/' + name)\n;(await load('lines.ts')) === (await load('lines'))`
    expect((await js(again, { files: beside })).result).toBe(true)
  })

  test('a file that cannot be read fails the import() that names it, with its place', async () => {
    const told = `const tell = (name) => import(name).then(() => 'loaded', (error) => [error instanceof SyntaxError, error.stack.split('\\n').at(-1)])\n`
    const all = `;[await tell('./half.ts'), await tell('./plugins/needs-half.ts'), await tell('./bad.json'), await tell('./plugins/lost.ts'), await tell('./math.ts')]`
    const { result } = await js(told + all, { files: beside })
    expect(result).toEqual([
      [true, '    at half.ts:1:34'],
      [true, '    at half.ts:1:34'],
      [true, expect.any(String)],
      [false, '    at plugins/lost.ts:2:8'],
      'loaded',
    ])
    expect((await js(`await import('./half.ts')`, { files: beside })).error).toMatchObject({ line: 1, column: 34 })
    expect((await js(`await import('./nowhere.ts')`, { files: beside })).error?.kind).toBe('denied')
  })

  test('an error in a file that an import() brought has the author’s lines', async () => {
    for (const [path, line] of [
      ['./plugins/lines.ts', 4],
      ['./with blank.ts', 2],
    ] as const) {
      const { error } = await js(`const { fail } = await import('${path}')\nfail()`, { files: beside })
      expect(error).toMatchObject({ line, column: 9, stack: expect.stringMatching(/\.ts:\d:9\)?\n[^]*main\.js:2:1/) })
    }
  })

  test('an import() brings node:fs, with the run’s own files or those of FILES, and packages', async () => {
    const files = {
      'reads.ts': beside['reads.ts'],
      'a.txt': 'own',
      'pad.ts': `import { chunk } from 'lodash-es'\nexport const parts = chunk([1, 2, 3], 2)`,
    }
    const reads = `const name = './reads.ts'\n;(await import(name)).text`
    expect((await js(reads, { files })).result).toBe('own')
    const FILES = { props: {}, methods: { read: async () => Buffer.from('granted') } }
    expect((await js(reads, { files, capabilities: { FILES } as Capabilities })).result).toBe('granted')
    expect((await js(`(await import('./pa' + 'd.ts')).parts`, { files })).result).toEqual([[1, 2], [3]])
    expect((await js(`(await import('node:path')).join('a', 'b')`)).result).toBe('a/b')
    expect((await js(`(await import('lodash-es')).chunk([1, 2, 3], 2)`)).result).toEqual([[1, 2], [3]])
  })

  test('a namespace has its names in order, and a default export without a name is called default', async () => {
    const files = {
      'lib.js': `export const z = 1\nexport function b() {}\nexport * from './more.js'\nexport default function () {}\nexport class a {}`,
      'more.js': `export const c = 2, _ = 3`,
      'arrow.js': `export default () => 1`,
      'class.js': `export default class {}`,
      'named.js': `export default function own() {}`,
      'static.js': `export default class { static name = 'mine' }`,
    }
    const code = `import * as lib from './lib.js'\nconst names = []\nfor (const file of ['lib', 'arrow', 'class', 'named', 'static']) names.push((await import(\`./\${file}.js\`)).default.name)\n;[Object.keys(lib), names]`
    expect((await js(code, { files })).result).toEqual([
      ['_', 'a', 'b', 'c', 'default', 'z'],
      ['default', 'default', 'default', 'own', 'mine'],
    ])
  })

  test('a name that two modules bring by export * is in neither, and importing it is a SyntaxError', async () => {
    const files = {
      'one.js': `export const same = 1, mine = 1\nexport { shared } from './shared.js'`,
      'two.js': `export const same = 2, other = 2\nexport * from './shared.js'`,
      'three.js': `export const same = 3`,
      'shared.js': 'export const shared = {}',
      'both.js': `export * from './one.js'\nexport * from './two.js'\nexport * from './three.js'`,
      'own.js': `export * from './one.js'\nexport * from './two.js'\nexport const same = 0`,
    }
    expect((await js(`import * as both from './both.js'\nObject.keys(both)`, { files })).result).toEqual([
      ...['mine', 'other', 'shared'],
    ])
    expect((await js(`import { same } from './own.js'\nsame`, { files })).result).toBe(0)
    const { error } = await js(`import { same } from './both.js'\nsame`, { files })
    expect(error?.message).toBe(
      "SyntaxError: The requested module './both.js' contains conflicting star exports for name 'same'",
    )
  })

  test('a missing file names the import and its place', async () => {
    expect((await js(`const a = 1\nimport { b } from './missing'`)).error).toMatchObject({
      kind: 'runtime',
      line: 2,
      column: 19,
      message: expect.stringContaining('./missing'),
    })
  })

  test('an export that is not there is named', async () => {
    const { error } = await js(`import { nope } from './lib.js'\nnope`, { files: { 'lib.js': 'export const yes = 1' } })
    expect(error?.message).toContain("does not provide an export named 'nope'")
  })

  test('an error in another file names that file', async () => {
    const { error } = await js(`import { f } from './lib.js'\nf()`, {
      files: { 'lib.js': `export function f() {\n  null.x\n}` },
    })
    expect(error).toMatchObject({ line: 2, stack: expect.stringMatching(/lib\.js:2:\d+[^]*main\.js:2:\d/) })
  })

  test('a default export without a name is called default in stacks, and a "#!" line is a comment', async () => {
    const { error } = await js('#!/usr/bin/env node\nexport default () => { throw new Error("boom") }')
    expect(error).toMatchObject({ kind: 'runtime', line: 2, stack: 'Error: boom\n    at default (main.js:2:30)' })
  })

  test('node modules of the isolate work on scratch files', async () => {
    const code = `import fs, { promises } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'path'
import { Buffer } from 'node:buffer'
import { fileURLToPath, pathToFileURL } from 'node:url'
import util, { promisify } from 'node:util'
fs.mkdirSync('a/b', { recursive: true })
await writeFile('a/b/c.txt', 'héllo')
fs.appendFileSync('a/b/c.txt', Buffer.from(' wörld'))
fs.renameSync('a/b/c.txt', 'a/d.txt')
let code
try { fs.readFileSync('nope') } catch (error) { code = [error.code, error.message] }
const called = await promisify(fs.readFile)('a/d.txt', 'utf8')
export default async () => [await readFile('a/d.txt', 'utf8'), called, code, fs.readdirSync('.', { recursive: true }), fs.statSync('a').isDirectory(), path.join('a', '../b', './c.txt'), path.relative('/a/b', '/a/c/d'), Buffer.from('zß').toString('base64'), fileURLToPath('file:///a%20b'), String(pathToFileURL('/a b')), util.inspect({ a: { b: { c: {} } } }), util.isDeepStrictEqual([1, { a: 2 }], [1, { a: 2 }]), typeof promises.readFile]`
    const { result, error, files } = await js(code)
    expect(error).toBeUndefined()
    expect(result).toEqual([
      'héllo wörld',
      'héllo wörld',
      ['ENOENT', "ENOENT: no such file or directory, open 'nope'"],
      ['a', 'main.js', 'a/b', 'a/d.txt'],
      true,
      'b/c.txt',
      '../c/d',
      'esOf',
      '/a b',
      'file:///a%20b',
      '{ a: { b: { c: {} } } }',
      true,
      'function',
    ])
    expect(files.map(({ path }) => path)).toEqual(['a/d.txt'])
  })

  test('node:fs writes text in the encoding that was asked for', async () => {
    const code = `import fs from 'node:fs'
fs.writeFileSync('a', 'aGk=', 'base64')
fs.writeFileSync('b', '6869', { encoding: 'hex' })
fs.appendFileSync('b', 'é', 'latin1')
await fs.promises.writeFile('c', 'é', 'utf-8')
let code
try { fs.copyFileSync('a', 'b', fs.constants.COPYFILE_EXCL) } catch (error) { code = error.code }
export default ['a', 'b', 'c'].map((path) => fs.readFileSync(path, 'hex')).concat(code)`
    expect((await js(code)).result).toEqual(['6869', '6869e9', 'c3a9', 'EEXIST'])
  })

  test('files that a function wrote come back whole, however long they take to hand over', async () => {
    const code = `import fs from 'node:fs'
export default () => {
  for (let at = 10; at < 58; at++) fs.writeFileSync('f' + at, 'x'.repeat(1e6))
  return 'written'
}`
    const { result, files } = await js(code, { limits: { diskMb: 64, memoryMb: 512 } })
    expect({ result, sizes: files.map(({ bytes }) => bytes.length) }).toEqual({
      result: 'written',
      sizes: Array.from({ length: 48 }, () => 1e6),
    })
  })

  test('[isolate.5] node:fs works on FILES where it is granted, sync and async', async () => {
    const held = new Map<string, string | Uint8Array>([['in.txt', 'from the host']])
    const capabilities: Capabilities = {
      FILES: {
        methods: {
          read: async ([path]) => Buffer.from(held.get(String(path)) ?? ''),
          write: async ([path, data]) => void held.set(String(path), data as string),
        },
      },
    }
    const code = `import fs from 'node:fs'\nfs.writeFileSync('out.txt', fs.readFileSync('in.txt', 'utf8') + '!')\nawait fs.promises.readFile('out.txt', 'utf8')`
    const { result, files } = await js(code, { capabilities })
    expect({ result, files, out: held.get('out.txt') }).toEqual({
      result: 'from the host!',
      files: [],
      out: 'from the host!',
    })
  })
})

describe('[isolate.6] globals', () => {
  test('Temporal has its classes and a coarse clock', async () => {
    const code = `const { Now, Instant, PlainDate, Duration } = Temporal
      export default () => [
        String(Temporal),
        PlainDate.from('2026-02-28').add({ days: 1 }).toString(),
        Duration.from('PT90M').total('hours'),
        new Date(0).toTemporalInstant() instanceof Instant,
        Now.instant() instanceof Instant,
        Now.instant().epochNanoseconds % 2_000_000n === 0n,
        Now.plainDateISO('UTC').equals(Now.zonedDateTimeISO('UTC').toPlainDate()),
        Object.getOwnPropertyNames(Temporal).sort().join(),
      ]`
    expect((await js(code)).result).toEqual([
      '[object Temporal]',
      '2026-03-01',
      1.5,
      true,
      true,
      true,
      true,
      'Duration,Instant,Now,PlainDate,PlainDateTime,PlainMonthDay,PlainTime,PlainYearMonth,ZonedDateTime',
    ])
  })

  test('the isolate has the web globals that programs expect', async () => {
    const code = `const url = new URL('/p?a=1&b=2#h', 'https://user:pw@example.com:8080')
url.searchParams.append('c', 'ä b')
const controller = new AbortController()
let aborted = false
controller.signal.addEventListener('abort', () => (aborted = true))
controller.abort()
const headers = new Headers({ 'Content-Type': 'text/plain' })
headers.append('X-A', '1')
headers.append('x-a', '2')
const clone = structuredClone({ map: new Map([[1, new Date(0)]]), bytes: new Uint8Array([1]) })
await new Promise((resolve) => setTimeout(resolve, 1))
export default async () => ({
  href: url.href, port: url.port, params: [...new URLSearchParams('a=1&a=2').getAll('a')],
  aborted, reason: controller.signal.reason.name, headers: [...headers],
  clone: [clone.map.get(1).getTime(), clone.bytes[0]], text: new TextDecoder().decode(new TextEncoder().encode('zß水🍌')),
  base64: [btoa('hi'), atob('aGk=')], uuid: /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), random: crypto.getRandomValues(new Uint8Array(8)).some((byte) => byte > 0),
  response: await new Response(JSON.stringify({ ok: 1 })).json(), buffer: Buffer.from('hi').toString('hex'),
})`
    expect((await js(code)).result).toEqual({
      href: 'https://user:pw@example.com:8080/p?a=1&b=2&c=%C3%A4+b#h',
      port: '8080',
      params: ['1', '2'],
      aborted: true,
      reason: 'AbortError',
      headers: [
        ['content-type', 'text/plain'],
        ['x-a', '1, 2'],
      ],
      clone: [0, 1],
      text: 'zß水🍌',
      base64: ['aGk=', 'hi'],
      uuid: true,
      random: true,
      response: { ok: 1 },
      buffer: '6869',
    })
  })

  test('fetch goes through FETCH, and says what is missing without it', async () => {
    const { error } = await js(`const a = 1\nawait fetch(new Request('https://a.b/c'))`)
    expect(error).toMatchObject({ kind: 'denied', line: 2 })
    expect(error?.message).toBe('CapabilityError: Cannot fetch "https://a.b/c": this run has no network')
    expect((await js(`await fetch('https://a.b').catch(({ code }) => code)`)).result).toBe('NOT_GRANTED')
    const seen: unknown[] = []
    const capabilities: Capabilities = {
      FETCH: {
        methods: {
          fetch: async (args) => {
            seen.push(args)
            return {
              url: 'https://a.b/',
              status: 201,
              statusText: 'Created',
              ok: true,
              redirected: false,
              headers: [['x-y', 'z']],
              body: Buffer.from('{"a":1}'),
              truncated: false,
              durationMs: 1,
            }
          },
        },
      },
    }
    const code = `const response = await fetch('https://a.b/', { method: 'post', body: 'hello', headers: { 'X-Q': '1' } })\n;[response.status, response.ok, response.headers.get('X-Y'), await response.json()]`
    expect((await js(code, { capabilities })).result).toEqual([201, true, 'z', { a: 1 }])
    expect(seen).toEqual([
      [
        'https://a.b/',
        {
          method: 'POST',
          headers: [
            ['content-type', 'text/plain;charset=UTF-8'],
            ['x-q', '1'],
          ],
          redirect: 'follow',
          encoding: 'bytes',
          body: new Uint8Array(Buffer.from('hello')),
        },
      ],
    ])
  })

  test('fetch hands over a status that no Response may be made with, as Node does', async () => {
    const answer = { url: 'https://a.b/', statusText: 'Denied', redirected: false, headers: [], truncated: false }
    const capabilities: Capabilities = {
      FETCH: { methods: { fetch: async () => ({ ...answer, status: 999, body: Buffer.from('no') }) } },
    }
    const code = `const response = await fetch('https://a.b/')\n;[response.status, response.ok, response.clone().status, await response.text()]`
    expect((await js(code, { capabilities })).result).toEqual([999, false, 999, 'no'])
    expect((await js('new Response("", { status: 999 })', { capabilities })).error?.message).toContain('RangeError')
  })

  test('[runtime.2] the console formats as Node does', async () => {
    expect(
      await printed(`console.log('%s is %d and %i, %j %%', 'a', 1.5, 2.7, { b: 1 }, 'rest')
console.log({ a: [1, 'x'], m: new Map([['k', { v: 1 }]]), s: new Set([1]), f() {}, n: null, u: undefined, d: new Date(0), r: /x/g, big: 1n })
const cycle = { name: 'c' }; cycle.self = cycle; console.log(cycle)
console.log([1, , 3], new Uint8Array(2), Symbol('s'), -0, class A {}, Object.create(null))
console.group('g'); console.log('in\\nside'); console.groupEnd()
console.count(); console.count(); console.assert(1 === 2, 'math')
console.table([{ a: 1 }, { b: 'x' }])
console.log(new Error('boo').stack.split('\\n')[1])`),
    ).toEqual([
      'a is 1.5 and 2, {"b":1} % rest',
      "{\n  a: [ 1, 'x' ],\n  m: Map(1) { 'k' => { v: 1 } },\n  s: Set(1) { 1 },\n  f: [Function: f],\n  n: null,\n  u: undefined,\n  d: 1970-01-01T00:00:00.000Z,\n  r: /x/g,\n  big: 1n\n}",
      "<ref *1> { name: 'c', self: [Circular *1] }",
      '[ 1, <1 empty item>, 3 ] Uint8Array(2) [ 0, 0 ] Symbol(s) -0 [class A] [Object: null prototype] {}',
      'g',
      '  in\n  side',
      'default: 1',
      'default: 2',
      'Assertion failed: math',
      "┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │     │\n│ 1       │   │ 'x' │\n└─────────┴───┴─────┘",
      '    at main.js:8:13',
    ])
  })

  test('display() shows MIME bundles among the output', async () => {
    expect(await printed(`console.log('a')\ndisplay.html('<b>b</b>')\ndisplay({ 'text/plain': 'c' })`)).toEqual([
      'a',
      { 'text/html': '<b>b</b>' },
      { 'text/plain': 'c' },
    ])
  })
})

describe('[isolate.13] a fixed world', () => {
  const fixed = { now: Date.UTC(2026, 0, 1), seed: 'one seed' }

  test('is in every clock and in all randomness, and code cannot tell it from the real one', async () => {
    const code = `export default async () => {
      const ids = [crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(40))].join(), Math.random()]
      const times = [new Date().toISOString(), Date.now(), performance.now(), Temporal.Now.instant().epochMilliseconds]
      await new Promise((resolve) => setTimeout(resolve, 250))
      return { ids, times, after: Date.now() - times[1], spread: new Set(Array.from({ length: 999 }, Math.random)).size }
    }`
    const { result, error } = await js(code, { fixed })
    expect(error).toBeUndefined()
    expect(result).toMatchObject({
      times: ['2026-01-01T00:00:00.000Z', fixed.now, 0, fixed.now],
      after: 250,
      spread: 999,
    })
    expect((await js(code, { fixed })).result).toEqual(result)
    const other = (await js(code, { fixed: { ...fixed, seed: 'another' } })).result as { ids: string[] }
    for (const [at, id] of (result as { ids: string[] }).ids.entries()) expect(other.ids[at]).not.toEqual(id)
  })

  test('has timers in the order of its own clock, and calls before them, however long they take', async () => {
    const code = `export default async (env) => {
      const said = []
      const say = (word) => said.push(word)
      setTimeout(say, 20, 'late')
      setTimeout(say, 10, 'early')
      const answer = await Promise.race([env.SLOW.ask(), new Promise((resolve) => setTimeout(resolve, 1, 'timer'))])
      await new Promise((resolve) => setTimeout(resolve, 30))
      return [answer, ...said]
    }`
    for (const ms of [0, 60]) {
      const ask = () => new Promise((resolve) => setTimeout(resolve, ms, 'answer'))
      const { result, error } = await js(code, { fixed, capabilities: { SLOW: { methods: { ask } } } })
      expect(error).toBeUndefined()
      expect(result).toEqual(['answer', 'early', 'late'])
    }
  })

  test('ends like any other: a cleared timer holds nothing up, and a promise nobody can settle is an error', async () => {
    expect((await js(`clearTimeout(setTimeout(() => {}, 1e6))\n1`, { fixed })).result).toBe(1)
    expect((await js(`setTimeout(() => console.log('later'), 5)\n1`, { fixed })).text).toBe('later\n')
    const { error } = await js('await new Promise(() => {})', { fixed })
    expect(error).toMatchObject({ kind: 'runtime', message: expect.stringContaining('still pending') })
  })
})

describe('[isolate.9] TypeScript', () => {
  test('errors are in the lines of the source, whatever was stripped before them', async () => {
    const code = `interface A {\n  x: number\n}\nenum Color { Red = 'r' }\n\nfunction check<T extends A>(value: T): asserts value is T {\n  if (value.x > 1) throw new RangeError(\`too \${Color.Red}\`)\n}\ncheck({ x: 2 } as A)`
    const { error } = await ts(code)
    expect(error).toMatchObject({
      message: 'RangeError: too r',
      line: 7,
      column: 26,
      stack: expect.stringMatching(/main\.ts:7:26[^]*main\.ts:9:1/),
    })
  })

  test('types are checked on request, with place and text', async () => {
    const code = `const a: number = 1\nconst b: string = a\nb`
    expect((await ts(code)).result).toBe(1)
    const { status, error, starts } = await ts(code, { typecheck: true })
    expect({ status, starts, error }).toMatchObject({
      status: 'failed',
      starts: 0,
      error: {
        kind: 'syntax',
        line: 2,
        column: 7,
        message: expect.stringContaining("Type 'number' is not assignable to type 'string'"),
      },
    })
  })

  test('a well-typed program with files, packages and node modules passes the check', async () => {
    const code = `import { readFileSync } from 'node:fs'\nimport { z } from 'zod'\nimport { twice } from './lib'\nconst shape = z.object({ n: z.number() })\nconst value: z.infer<typeof shape> = { n: twice(2) }\nexport default async (given: typeof env, n: unknown) => [value.n, typeof readFileSync, Object.keys(given).length, n]`
    const { result, error } = await ts(code, {
      typecheck: true,
      files: { 'lib.ts': 'export const twice = (n: number) => n * 2' },
    })
    expect({ result, error }).toEqual({ result: [4, 'function', 1, null], error: undefined })
  })
})

describe('[isolate.10] refusals', () => {
  const refusal = (code: string, changes: object = {}) =>
    subject.runtime.refuses({
      language: 'javascript',
      code,
      entry: 'main.js',
      files: {},
      env: {},
      packages: [],
      typecheck: false,
      readOnly: false,
      ...changes,
    })

  test.each([
    [`import http from 'node:http'`, 'node:http'],
    [`import { spawn } from "child_process"`, 'child_process'],
    [`export { x } from 'left-pad'`, 'left-pad'],
    [`const a = await import('node:net')`, 'node:net'],
    [`const fs = require('fs')`, 'require()'],
    [`/* c */ import/**/x from 'express'`, 'express'],
  ])('%s is refused for %s', (code, named) => expect(refusal(code)).toContain(named))

  test.each([
    `import fs from 'fs'\nimport 'node:path'\nimport _ from 'lodash-es'\nimport './x.js'`,
    `// import http from 'node:http'\n/* require('x') */ const a = "import x from 'express'"`,
    'const a = `import x from "express" ${`require("y")`}`',
    `const r = /'/; const s = "from 'net'"`,
    `object.require('x'); a.import('y')`,
  ])('%s is taken', (code) => expect(refusal(code)).toBeUndefined())

  test('another language, a file of the program and a package asked for are looked at too', () => {
    expect(refusal('1', { language: 'python' })).toContain('python')
    expect(refusal(`import './a.js'`, { files: { 'a.js': `import 'node:tls'` } })).toContain('node:tls')
    expect(refusal('1', { packages: ['numpy'] })).toContain('numpy')
  })

  test('ten megabytes of the worst are scanned without holding the server up', () => {
    const before = process.threadCpuUsage()
    for (const part of ['(', '`${', "'", '/', '/*', 'import ', 'import(', '[/'])
      refusal(part.repeat(10_000_000 / part.length))
    const { user, system } = process.threadCpuUsage(before)
    // eight texts; a quadratic scan would take hours
    expect((user + system) / 1000).toBeLessThan(10_000)
  })
})

describe('[isolate.1] trust domains', () => {
  test('a process never serves two domains', async () => {
    const own = await openIsolate({ spares: 1, maxChildren: 2 })
    try {
      await own.runtime.warm()
      for (const domain of ['a', 'b', 'c', 'a']) {
        await runProgram(own.runtime, { language: 'javascript', code: '1', entry: 'main.js' }, { domain })
      }
      // with room for two, each change of domain is another process
      expect(own.launches()).toBeGreaterThanOrEqual(4)
    } finally {
      await own.close()
    }
  })

  test('domains that come back in turn find their process where they left it', async () => {
    const own = await openIsolate({ spares: 1, maxChildren: 6 })
    try {
      await own.runtime.warm()
      const run = (domain: string) =>
        runProgram(own.runtime, { language: 'javascript', code: '1', entry: 'main.js' }, { domain })
      const domains = ['a', 'b', 'c']
      for (const domain of domains) await run(domain)
      const started = own.launches()
      for (let round = 0; round < 3; round++) {
        for (const domain of domains) expect(await run(domain)).toMatchObject({ status: 'succeeded', warm: true })
      }
      // a spare may still have been on its way when the rounds began
      expect(own.launches() - started).toBeLessThanOrEqual(1)
    } finally {
      await own.close()
    }
  })

  test('a domain that floods does not keep another waiting for its end', async () => {
    const own = await openIsolate({ spares: 2, maxChildren: 6 })
    try {
      await own.runtime.warm()
      const ended: string[] = []
      const run = async (domain: string) => {
        await runProgram(own.runtime, { language: 'javascript', code: '1', entry: 'main.js' }, { domain })
        ended.push(domain)
      }
      // it has a process of its own, so that nothing has to be started first
      for (const domain of ['other', 'flood', 'third']) await run(domain)
      const flood = Array.from({ length: 120 }, (_, at) => run(at % 3 === 0 ? 'third' : 'flood'))
      await run('other')
      expect(ended.length).toBeLessThan(100)
      await Promise.all(flood)
    } finally {
      await own.close()
    }
  })

  test('a process is replaced after its number of runs', async () => {
    const own = await openIsolate({ spares: 1, maxRunsPerChild: 3 })
    try {
      await own.runtime.warm()
      for (let at = 0; at < 10; at++) {
        expect(
          (await runProgram(own.runtime, { language: 'javascript', code: `${at}`, entry: 'main.js' })).result,
        ).toBe(at)
      }
    } finally {
      await own.close()
    }
    expect(own.leftovers()).toEqual([])
  })

  test('why there are no isolates is said in a sentence, without what their process said', async () => {
    const own = await openIsolate({ spares: 1 }, ([node = '']) => [node, '-e', 'throw new Error("at /app/child.cjs")'])
    try {
      await own.runtime.warm()
      expect(own.runtime.health()).toEqual({
        available: false,
        reason: 'An isolate child ended before it was ready',
      })
    } finally {
      await own.close()
    }
  })

  test('nine megabytes of bytes go to a capability within the usual memory', async () => {
    const capabilities: Capabilities = {
      SINK: { methods: { take: async ([bytes]) => (bytes as Uint8Array).reduce((sum, byte) => sum + byte, 0) } },
    }
    const { result } = await js('await env.SINK.take(new Uint8Array(9_000_000).fill(1))', { capabilities })
    expect(result).toBe(9_000_000)
  })

  test('runs that only wait do not hold up others of their domain', async () => {
    const sleeping = Array.from({ length: 4 }, () =>
      js('await new Promise((resolve) => setTimeout(resolve, 1500))\n"slept"'),
    )
    const began = performance.now()
    expect((await js('"quick"')).result).toBe('quick')
    expect(performance.now() - began).toBeLessThan(10_000)
    expect((await Promise.all(sleeping)).map(({ result }) => result)).toEqual(Array(4).fill('slept'))
  })
})

test('[runtime.13] a cache that is deleted under a running server is made anew', async () => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'coherex-isolate-cache-'))
  await chmod(cacheDir, 0o755)
  const other = await openIsolate({ cacheDir, bundles: new BundleStore(cacheDir), maxRunsPerChild: 1 })
  const code = 'import _ from "lodash"\n_.chunk([1, 2, 3], 2)'
  const run = () => runProgram(other.runtime, { language: 'javascript', code, entry: 'main.js' })
  expect((await run()).result).toEqual([[1, 2], [3]])
  await rm(cacheDir, { recursive: true })
  // whoever was ready before has the old files, without those of packages
  await expect.poll(async () => (await run()).result, { timeout: 50_000 }).toEqual([[1, 2], [3]])
  expect(other.runtime.health().available).toBe(true)
  await other.close()
  await rm(cacheDir, { recursive: true })
})
