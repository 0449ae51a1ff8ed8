// Hostile programs for the isolate, with a positive control where a probe could fail for a reason of its own.
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import type { Capabilities } from '../../capabilities/index.ts'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

const canary = `CANARY-${process.pid}-${Date.now()}`
const canaryFile = join(tmpdir(), `coherex-${canary}`)
let subject: IsolateSubject
let listener: Server
let connections = 0

beforeAll(async () => {
  process.env['COHEREX_CANARY'] = canary
  writeFileSync(canaryFile, canary, { mode: 0o644 })
  listener = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  subject = await openIsolate({ spares: 2 })
  await subject.runtime.warm()
})

afterAll(async () => {
  listener.close()
  rmSync(canaryFile, { force: true })
  await subject.close()
  expect(subject.leftovers()).toEqual([])
})

type Changes = Parameters<typeof runProgram>[2]

/** Runs a hostile program, then holds the other conditions: canaries, a harmless run, a server that was never held up. */
async function attack(code: string, changes: Changes = {}) {
  const turns = watchTicks()
  const outcome = await runProgram(subject.runtime, { language: 'javascript', code, entry: 'main.js' }, changes)
  expect(turns.stop()).toBeLessThan(250)
  expect(JSON.stringify(outcome)).not.toContain(canary)
  expect(connections).toBe(0)
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  const harmless = await runProgram(
    subject.runtime,
    { language: 'javascript', code: '6 * 7', entry: 'main.js' },
    { domain: 'harmless' },
  )
  expect(harmless.result).toBe(42)
  return outcome
}

/** The positive control: the same code where nothing holds it, in plain Node. */
async function inNode(code: string): Promise<unknown> {
  const wrapped = `const value = await (async () => { ${code} })()\nconsole.log(JSON.stringify(value ?? null))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', wrapped])
  return JSON.parse(stdout) as unknown
}

const chains = [
  'this?.constructor',
  'globalThis.constructor',
  '(() => {}).constructor',
  '(async () => {}).constructor',
  '(function* () {}).constructor',
  '(async function* () {}).constructor',
  '[].constructor.constructor',
  '/x/.constructor.constructor',
  'Promise.resolve().constructor.constructor',
  'Promise.prototype.then.constructor',
  'console.log.constructor',
  'setTimeout.constructor',
  'env.constructor.constructor',
  'Reflect.getPrototypeOf(async function () {}).constructor',
  'new URL("http://a.b").constructor.constructor',
  'structuredClone.constructor',
  'new Error().constructor.constructor',
  'Symbol.iterator.constructor.constructor',
  '(class {}).constructor',
  'new Proxy(Function, {})',
  'import.meta.constructor?.constructor ?? Function',
]

test.each(chains)('[J01] %s leads to no process', async (chain) => {
  const code = `const Made = ${chain}
const made = Made && Made.constructor === Function.constructor || typeof Made === 'function' ? Made('return typeof process + typeof require + typeof module') : () => 'undefined'
let value
try { value = made() } catch (error) { value = error.name }
if (value && typeof value.then === 'function') value = await value
if (value && typeof value.next === 'function') value = (await value.next()).value
export default () => String(value)`
  const { result, error } = await attack(code)
  expect(error).toBeUndefined()
  expect(result).not.toMatch(/object|function/i)
})

test('[J01] control: the same probe finds the process in plain Node', async () => {
  expect(await inNode(`return (() => {}).constructor('return typeof process')()`)).toBe('object')
})

test.each([
  `const e = new Error(); e.name = Symbol(); (async () => e.stack)().catch((x) => x.constructor.constructor('return process')())`,
  `const e = new Error(); Object.defineProperty(e, 'message', { get() { throw new Error('in getter') } }); throw e`,
  `const e = new Error(); e.name = { toString() { return Function('return typeof process')() } }; throw e`,
  `Error.prepareStackTrace = (error, sites) => sites.map((site) => { const f = site.getFunction?.(); const t = site.getThis?.(); return [typeof f, typeof t, site.getFileName()] }); JSON.stringify(new Error().stack)`,
  `Error.prepareStackTrace = (error, sites) => { globalThis.sites = sites; return '' }; await new Promise((resolve) => setTimeout(() => { new Error().stack; resolve() }, 1)); sites.map((site) => String(site.getFunction?.()?.constructor?.('return typeof process')?.()))`,
  `Error.stackTraceLimit = Infinity; function f(n) { return n ? f(n - 1) : new Error('deep').stack } f(200)`,
  `throw { get stack() { return Function('return process')() } }`,
  `throw new Proxy(new Error('x'), { get() { throw new Error('trap') } })`,
  `await Promise.reject(new Proxy({}, { getPrototypeOf() { throw 1 } }))`,
  `let e; try { null.x } catch (error) { e = error } e.constructor.constructor('return typeof process')()`,
  `let e; try { (function f() { f() })() } catch (error) { e = error } e.constructor.constructor('return typeof process')()`,
  `let e; try { new Array(-1) } catch (error) { e = error } e.constructor.constructor('return typeof process')()`,
])('[J02] an error with traps shows nothing of the host: %s', async (code) => {
  const { result, error } = await attack(code)
  const text = JSON.stringify([result ?? null, error ?? null])
  expect(text).not.toMatch(/"object"|\/app\/|node:internal|isolated-vm|\/work\//)
})

const arguments_ = [
  'new Proxy({}, {})',
  'new Proxy({ a: 1 }, { get() { throw new Error("trap") }, ownKeys() { throw new Error("trap") } })',
  '{ get a() { throw new Error("getter") } }',
  '{ then(resolve) { resolve("thenable") } }',
  '{ [Symbol.toPrimitive]() { throw new Error("primitive") } }',
  'Array.from({ length: 10_000 }).reduce((deep) => ({ deep }), {})',
  '(() => { const cycle = {}; cycle.self = cycle; return cycle })()',
  '() => 1',
  'Symbol("s")',
  'new WeakMap()',
  'globalThis',
  'new Array(2 ** 32 - 1)',
  '"x".repeat(2 ** 26)',
  'JSON.parse(\'{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}\')',
  '{ $: "bytes", v: 5 }',
  '{ $: "process", v: "x" }',
  'Object.create(null, { toString: { get() { throw 1 } } })',
]

test.each(arguments_)('[J04] %s as an argument is data or an error of the guest', async (argument) => {
  const seen: unknown[] = []
  const capabilities: Capabilities = {
    ECHO: {
      methods: {
        take: async (args) => {
          seen.push(args)
          return 'taken'
        },
      },
    },
  }
  const code = `export default async () => {
  try { return await env.ECHO.take(${argument.startsWith('{') ? `(${argument})` : argument}) } catch (error) { return [error instanceof Error, error.constructor.name] }
}`
  const outcome = await attack(code, { capabilities, limits: { memoryMb: 256, cpuMs: 2500, timeoutMs: 3000 } })
  if (outcome.status === 'succeeded')
    expect(outcome.result === 'taken' || (Array.isArray(outcome.result) && outcome.result[0] === true)).toBe(true)
  else expect(['runtime', 'memory', 'timeout', 'denied', 'internal']).toContain(outcome.error?.kind)
  for (const value of seen) expect(plain(value)).toBe(true)
})

// what arrived is data of our own realm: plain objects, arrays, bytes and primitives
function plain(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false
  if (typeof value !== 'object' || value === null) return true
  if (value instanceof Uint8Array || value instanceof Date || value instanceof Map || value instanceof Set) return true
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(plain)
}

test('[J05] [isolate.8] what comes back over the bridge belongs to the guest', async () => {
  const capabilities: Capabilities = {
    ECHO: {
      methods: {
        data: async () => ({ list: [1, { deep: new Uint8Array([1]) }], date: new Date(0) }),
        fail: async () => {
          throw new Error(`secret ${canary}`)
        },
      },
    },
  }
  const code = `const strange = []
const walk = (value, path, seen = new Set()) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.add(value)
  if (typeof value === 'function' && value !== Function.prototype && !(value instanceof Function)) strange.push(path)
  if (typeof value === 'object' && Object.getPrototypeOf(value) && !(value instanceof Object)) strange.push(path)
  const name = Object.prototype.toString.call(value) + (value.constructor?.name ?? '')
  if (/\\b(Reference|ExternalCopy|Isolate|Callback|Context)\\b/.test(name)) strange.push(path + name)
  for (const key of Reflect.ownKeys(value)) { try { walk(value[key], path + '.' + String(key), seen) } catch {} }
  walk(Object.getPrototypeOf(value), path + '.__proto__', seen)
}
walk(await env.ECHO.data(), 'data')
await env.ECHO.fail().catch((error) => walk(error, 'error'))
walk(globalThis, 'global')
walk(env, 'env')
const made = (await env.ECHO.data()).constructor.constructor('return typeof process')()
export default () => ({ strange, made, text: await0 })
const await0 = await env.ECHO.fail().catch((error) => error.message)`
  const { result } = await attack(code, { capabilities })
  expect(result).toEqual({ strange: [], made: 'undefined', text: 'The call failed' })
})

test('[J07] a polluting result is data', async () => {
  const { result } = await attack(
    `JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}')`,
  )
  expect(Object.keys(result as object)).toEqual(['__proto__', 'constructor'])
})

test('[J07] pollution of its own realm harms nobody but the guest', async () => {
  const pollute = `Object.prototype.isAdmin = true; Object.prototype.then = undefined; Array.prototype.map = () => { throw 1 }; JSON.stringify = () => 'x'; Object.prototype.toJSON = () => 'gone'; 1`
  await attack(pollute)
  expect((await attack(`({}).isAdmin === undefined`)).result).toBe(true)
})

test.each([
  'fs',
  'node:fs',
  '../../x',
  '../../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  'data:text/javascript,export default 1',
  'https://example.com/x.js',
  'isolated-vm',
  './package.json',
  'node:child_process',
  '\0',
  '__proto__',
  'constructor',
  '',
])('[J08] import(%j) is denied and reads no file', async (specifier) => {
  const denied = 'Cannot import'
  const direct = await attack(
    `const specifier = ${JSON.stringify(specifier)}\nexport default () => import(specifier).then(() => 'imported', String)`,
  )
  expect(direct.result).toContain(denied)
  const evaluated = await attack(
    `export default () => (0, eval)('import(' + JSON.stringify(${JSON.stringify(specifier)}) + ')').then(() => 'imported', String)`,
  )
  expect(evaluated.result).toMatch(/Not supported|Cannot import/)
})

test.each(['__proto__', 'constructor', 'toString', 'coherex', 'node:fs', 'package:zod', '-e'])(
  '[J08] a program named %j is a program like any other',
  async (entry) => {
    const code = `import own from './lib/${entry}.js'\nexport default () => own + 1`
    const program = {
      language: 'javascript',
      code,
      entry,
      files: { [`lib/${entry}.js`]: 'export default 41' },
    } as const
    expect((await runProgram(subject.runtime, program, {})).result).toBe(42)
  },
)

test('[J08] control: own files can be imported by a computed name', async () => {
  const { result } = await attack(
    `const name = './li' + 'b.js'\nexport default async () => (await import(name)).value`,
    { files: { 'lib.js': 'export const value = 5' } },
  )
  expect(result).toBe(5)
})

test('[J08] node:fs shows the run’s files and nothing of any disk', async () => {
  const code = `import fs from 'node:fs'
const look = (path) => { try { return fs.readFileSync(path, 'utf8') } catch (error) { return error.code } }
export default () => [fs.readdirSync('/'), ...['/etc/passwd', '../../etc/passwd', '/proc/self/environ', '/app/child.cjs', ${JSON.stringify(canaryFile)}, 'a\\0b'].map(look)]`
  expect((await attack(code)).result).toEqual([['main.js'], 'ENOENT', 'EINVAL', 'ENOENT', 'ENOENT', 'ENOENT', 'EINVAL'])
  expect(await inNode(`return (await import('node:fs')).readFileSync(${JSON.stringify(canaryFile)}, 'utf8')`)).toBe(
    canary,
  )
})

test('[J10] WebAssembly is not there, by no way', async () => {
  const probe = `typeof WebAssembly + typeof globalThis['Web' + 'Assembly'] + Function('return typeof WebAssembly')()`
  expect((await attack(probe)).result).toBe('undefinedundefinedundefined')
  expect(await inNode('return typeof WebAssembly')).toBe('object')
})

test('[J11] there is no shared memory, and every clock is coarse', async () => {
  const code = `const steps = (read) => { const seen = new Set(); while (seen.size < 20) seen.add(read()); const all = [...seen].sort((a, b) => a - b); return Math.min(...all.slice(1).map((at, index) => at - all[index])) }
export default () => ({
  shared: [typeof SharedArrayBuffer, typeof Atomics],
  date: steps(() => Date.now()),
  made: steps(() => new Date().getTime()),
  viaPrototype: steps(() => new (new Date(0).constructor)().getTime()),
  performance: steps(() => performance.now()),
  temporal: typeof Temporal === 'undefined' ? 2 : steps(() => Temporal.Now.instant().epochMilliseconds),
  zoned: typeof Temporal === 'undefined' ? 2 : steps(() => Temporal.Now.zonedDateTimeISO('UTC').epochMilliseconds),
  finer: typeof Temporal === 'undefined' || Temporal.Now.instant().epochNanoseconds % 2_000_000n === 0n ? 2 : 0,
})`
  const { result } = await attack(code)
  const { shared, ...clocks } = result as { shared: string[] } & Record<string, number>
  expect(shared).toEqual(['undefined', 'undefined'])
  for (const [clock, step] of Object.entries(clocks)) expect([clock, (step as number) >= 2]).toEqual([clock, true])
})

test('[J13] nothing of a run goes on after its end', async () => {
  const code = `const registry = new FinalizationRegistry(() => { for (;;); })
for (let at = 0; at < 1000; at++) registry.register({ at }, at)
setTimeout(() => { for (;;); }, 1)
setInterval(() => console.log('still here'), 5)
export default () => 'over'`
  const { result, output } = await attack(code)
  expect(result).toBe('over')
  const after = output.length
  const next = await attack(`await new Promise((resolve) => setTimeout(resolve, 100)); 'calm'`)
  expect(next.result).toBe('calm')
  expect(next.output).toEqual([])
  expect(output.length).toBe(after)
})

test.each(['%DebugPrint(1)', 'Function("%DebugPrint(1)")()', 'eval("%GetHeapUsage()")'])(
  '[J14] natives syntax is a SyntaxError: %s',
  async (code) => {
    const { error } = await attack(code)
    expect(`${error?.kind} ${error?.message}`).toMatch(/syntax|SyntaxError/)
  },
)

test('[J14] a debugger statement stops nothing and no inspector listens', async () => {
  expect((await attack('debugger; typeof process')).result).toBe('undefined')
})

test.each([
  ['for (;;);', 'a loop'],
  ['(async () => { for (;;) await 0 })()', 'a microtask loop'],
  ['const again = () => queueMicrotask(again); again()', 'recursive microtasks'],
  ['(2n ** (2n ** 28n)).toString()', 'a builtin that cannot be interrupted'],
  ['/^(a+)+$/.test("a".repeat(40) + "!")', 'a catastrophic regular expression'],
  ['"x".repeat(2 ** 28).replace(/x*y/g, "")', 'another one'],
  ['[].sort.call({ length: 2 ** 32 })', 'a sort of nothing'],
  [
    'const a = [1]; a.toString = () => a.join(); for (;;) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    'a search in nothing',
  ],
  [
    'Promise.prototype.then = function () { for (;;); }; await 1; [1].then = 1; Promise.resolve().then(() => 1)',
    'a loop in place of a builtin',
  ],
  ['export default () => ({ toJSON() { for (;;); } })', 'a loop while the result is read'],
  ['export default () => ({ then() { for (;;); } })', 'a loop in a thenable'],
  [
    'console.log({ get a() { return 1 }, [Symbol.for("nodejs.util.inspect.custom")]() { for (;;); } })',
    'a loop while a value is shown',
  ],
])('[R01] [R02] [R04] %s is ended at its limit', async (code) => {
  const began = performance.now()
  const { status, error } = await attack(code, { limits: { timeoutMs: 600, memoryMb: 256 } })
  expect(status).toBe('failed')
  expect(['timeout', 'memory', 'runtime']).toContain(error?.kind)
  expect(performance.now() - began).toBeLessThan(600 + 5000)
})

test('[R01] control: the same loop with an end does end', async () => {
  expect((await attack('let n = 0; for (; n < 1e6; n++); n')).result).toBe(1_000_000)
})

test.each([
  'const all = []; for (;;) all.push(new Array(1000).fill(all.length))',
  'const all = []; for (;;) all.push("x".repeat(1e5) + all.length)',
  'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))',
  'let s = "x"; for (;;) s += s + s.length',
  'const m = new Map(); for (let at = 0; ; at++) m.set(at, { at })',
  'const all = []; for (;;) all.push(10n ** 10000n)',
  'const all = []; for (;;) all.push(/x/.exec("x"), new Error().stack, Symbol(), () => all)',
  'structuredClone(Array.from({ length: 1e8 }, (_, at) => ({ at })))',
  'export default () => Array.from({ length: 1e8 }, (_, at) => ({ at }))',
])('[R05] memory is bounded: %s', async (code) => {
  await expectBounded(code, 15_000)
})

// what is only promised takes no memory: this one ends by its time, however long that is
test.each(['const all = []; for (;;) all.push(new ArrayBuffer(1e7, { maxByteLength: 1e9 }))'])(
  '[R05] memory is bounded: %s',
  (code) => expectBounded(code, 1_500),
)

async function expectBounded(code: string, timeoutMs: number): Promise<void> {
  const { status, error } = await attack(code, { limits: { memoryMb: 64, timeoutMs, cpuMs: 12_000 } })
  expect(status).toBe('failed')
  expect(['memory', 'timeout', 'runtime', 'output']).toContain(error?.kind)
}

test('[R08] a million empty lines are looked at once', async () => {
  const { result, output } = await attack('console.log("\\n".repeat(900_000)); 1', {
    limits: { outputBytes: 1_000_000, timeoutMs: 10_000 },
  })
  expect([result, JSON.stringify(output).length > 900_000]).toEqual([1, true])
})

test.each([
  'for (let at = 0; ; at++) console.log(at)',
  'for (;;) console.log("")',
  'console.log("x".repeat(1e8)); for (;;) console.error("more")',
  'for (;;) display("x".repeat(1e4))',
])('[R08] a flood of output is cut: %s', async (code) => {
  const before = process.memoryUsage().rss
  const { truncated, output, error } = await attack(code, {
    limits: { outputBytes: 100_000, timeoutMs: 800, memoryMb: 512 },
  })
  expect({ truncated, kind: error?.kind }).toMatchObject({ kind: expect.stringMatching(/timeout|memory/) })
  expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThan(3_000_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
})

test.each([
  'for (let at = 0; at < 1e6; at++) setTimeout(() => {}, 1e6)',
  'for (let at = 0; at < 1e6; at++) setInterval(() => {}, 1e6)',
  'for (let at = 0; at < 1e6; at++) setImmediate(() => {})',
  'await Promise.all(Array.from({ length: 1e4 }, () => env.SLOW.wait()))',
  'const all = []; for (let at = 0; at < 51; at++) all.push(env.SLOW.wait()); await Promise.all(all)',
])('[R10] [isolate.7] a flood of timers or calls is denied: %s', async (code) => {
  const capabilities: Capabilities = {
    SLOW: {
      methods: {
        wait: (_, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
      },
    },
  }
  const { error } = await attack(code, { capabilities })
  expect(error?.kind).toBe('denied')
})

test('[R10] answers that a guest asks for and never reads do not fill the server', async () => {
  let answered = 0
  const large = async () => {
    answered++
    return 'x'.repeat(300_000)
  }
  // its own library would stop it at fifty, and it never comes back to where answers are read
  const code = `Object.defineProperty(Map.prototype, 'size', { get: () => 0 })
for (;;) { for (let at = 0; at < 20; at++) env.LARGE.read().catch(() => {}); for (const until = Date.now() + 20; Date.now() < until;); }`
  const capabilities: Capabilities = { LARGE: { methods: { read: large } } }
  const { error } = await attack(code, { capabilities, limits: { timeoutMs: 1500, memoryMb: 512 } })
  expect(error?.kind).toBe('timeout')
  expect(answered).toBeLessThan(200)
})

test('[R10] control: who prints a lot before it reads fifty large answers gets all of it', async () => {
  const capabilities: Capabilities = { LARGE: { methods: { read: async () => 'x'.repeat(300_000) } } }
  const code = `const answers = Array.from({ length: 50 }, () => env.LARGE.read())
for (let at = 0; at < 5000; at++) console.log('y'.repeat(100))
export default async () => (await Promise.all(answers)).join('').length`
  const limits = { memoryMb: 512, outputBytes: 1_000_000 }
  const { result, output } = await attack(code, { capabilities, limits })
  expect([result, JSON.stringify(output).match(/y/g)?.length]).toEqual([15_000_000, 500_000])
})

test('[R10] [isolate.7] control: 1,000 timers and 50 calls are fine', async () => {
  const capabilities: Capabilities = { ECHO: { methods: { echo: async ([value]) => value } } }
  const code = `let fired = 0
const timers = Array.from({ length: 1000 }, () => new Promise((resolve) => setTimeout(() => resolve(fired++), 1)))
const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => env.ECHO.echo(at)))
await Promise.all(timers)
export default () => [fired, answers.length]`
  expect((await attack(code, { capabilities })).result).toEqual([1000, 50])
})

test.each([
  ['(function f() { f() })()', 'runtime'],
  ['eval("(".repeat(5e5))', 'runtime'],
  ['JSON.parse("[".repeat(1e5) + "]".repeat(1e5)); 1', undefined],
  ['JSON.parse("[".repeat(1e5) + "]".repeat(1e5))', undefined],
  ['new RegExp("(".repeat(1e5) + ")".repeat(1e5)); 1', 'runtime'],
  [
    '(() => { let deep = []; for (let at = 0; at < 1e5; at++) deep = [deep]; console.log(deep); return 1 })()',
    undefined,
  ],
  ['"(".repeat(3) + ' + '('.repeat(100_000), 'syntax'],
  [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'syntax'],
  [`${'{'.repeat(100_000)}`, 'syntax'],
  [`let a = ${'!'.repeat(200_000)}1`, 'syntax'],
  [`const a = ${'`${'.repeat(30_000)}`, 'syntax'],
])('[R13] [isolate.11] deep nesting harms only its run', async (code, kind) => {
  const { error, status } = await attack(code)
  if (kind) expect({ status, kind: error?.kind }).toEqual({ status: 'failed', kind })
  else expect([undefined, 'runtime']).toContain(error?.kind)
})

test('[S01] a sweep of all that can be reached finds no canary', async () => {
  const code = `import fs from 'node:fs'
const seen = new Set()
const found = []
const walk = (value, depth) => {
  if (depth > 6 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) { if (typeof value === 'string') found.push(value); return }
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) { found.push(String(key)); try { walk(value[key], depth + 1) } catch (error) { found.push(String(error)) } }
  walk(Object.getPrototypeOf(value), depth + 1)
}
walk(globalThis, 0); walk(env, 0); walk(import.meta, 0); walk(fs, 0)
for (const path of ['/proc/self/environ', '/proc/1/environ', '/proc/self/maps', '/proc/self/cmdline', '/etc/environment', '.']) { try { found.push(fs.readFileSync(path, 'utf8')) } catch (error) { found.push(error.message, error.stack) } }
export default () => found.join('\\n').slice(0, 1e6)`
  const { result } = await attack(code)
  expect(String(result).length).toBeGreaterThan(1000)
  expect(String(result)).not.toMatch(/isolated-vm|node:internal|\/app\/|\/work\//)
  expect(await inNode('return process.env.COHEREX_CANARY')).toBe(canary)
})

test('[N01] there is no way to the network', async () => {
  const { port } = listener.address() as { port: number }
  // fetch is there to say that there is no network
  const code = `export default async () => [await fetch('http://127.0.0.1:${port}/').catch((e) => e.message.includes('no network')), typeof XMLHttpRequest, typeof WebSocket, await import('node:net').catch((e) => 'none'), await import('node:http').catch((e) => 'none')]`
  expect((await attack(code)).result).toEqual([true, 'undefined', 'undefined', 'none', 'none'])
  expect(connections).toBe(0)
  expect(
    await inNode(
      `const net = await import('node:net'); return new Promise((resolve) => net.connect(${port}, '127.0.0.1', () => resolve('reached')))`,
    ),
  ).toBe('reached')
  connections = 0
})

test('[F01] files of a program that climb are only names', async () => {
  const { result, files } = await attack(
    `import fs from 'node:fs'\ntry { fs.writeFileSync('../../../tmp/evil', 'x') } catch (error) { error.code }`,
  )
  expect({ result, files }).toMatchObject({ files: [] })
})
