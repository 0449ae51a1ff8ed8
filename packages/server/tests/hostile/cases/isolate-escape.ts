import type { RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import type { HostileCase } from '../hostile-case.ts'

const js = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({
  language: 'javascript',
  runtime: 'isolate',
  code,
  ...more,
})

const chains = `const chains = {
  object: () => ({}).constructor.constructor,
  global: () => globalThis.constructor.constructor,
  promise: () => Promise.resolve().constructor.constructor,
  async: () => (async () => {}).constructor,
  generator: () => (function* () {}).constructor,
  asyncGenerator: () => (async function* () {}).constructor,
  array: () => [].constructor.constructor,
  regex: () => /x/.constructor.constructor,
  bound: () => (() => {}).bind().constructor,
  method: () => ({ a() {} }).a.constructor,
  accessor: () => Object.getOwnPropertyDescriptor({ get a() { return 1 } }, 'a').get.constructor,
  reflect: () => (...args) => Reflect.construct(Function, args),
  species: () => (...args) => new (class extends Function {})(...args),
  error: () => { try { null.x } catch (error) { return error.constructor.constructor } },
  overflow: () => { try { (function f() { f() })() } catch (error) { return error.constructor.constructor } },
  iterator: () => [][Symbol.iterator]().next.constructor,
  console: () => console.log.constructor,
  timer: () => setTimeout.constructor,
  proxy: () => new Proxy(Function, {}),
  url: () => URL.prototype.toString.constructor,
  encoder: () => new TextEncoder().encode.constructor,
}
const text = 'return [typeof process, typeof require, typeof module, typeof globalThis.process, typeof ivm, typeof _ivm].join()'
const found = {}
for (const [name, make] of Object.entries(chains)) {
  try {
    let value = make()(text)()
    if (value?.next) value = (await value.next()).value
    found[name] = await value
  } catch (error) { found[name] = String(error) }
}
export default () => found`

export const isolateEscape: HostileCase[] = [
  {
    id: 'J01',
    title: 'constructor chains lead to no host global',
    async attack({ run }) {
      const { result } = await run(js(chains))
      const found = result as Record<string, string>
      expect(Object.keys(found).length).toBeGreaterThan(20)
      for (const [name, text] of Object.entries(found))
        expect([name, text]).toEqual([name, expect.stringMatching(/^(undefined,){5}undefined$/)])
    },
    async control({ run }) {
      const { result } = await run({ language: 'node', code: chains })
      expect((result as Record<string, string>)['object']).toMatch(/^object/)
    },
  },
  {
    id: 'J01-b',
    title: 'eval in every form sees the guest’s globals only',
    async attack({ run }) {
      const { result } = await run(
        js(`const texts = ['typeof process', 'this.process', 'globalThis.process?.env', 'typeof require']
export default () => texts.flatMap((text) => [(0, eval)(text), new Function('return ' + text)(), Function.prototype.constructor('return ' + text).call(undefined)].map(String))`),
      )
      expect(new Set(result as string[])).toEqual(new Set(['undefined']))
    },
  },
  {
    id: 'J01-c',
    title: 'what a run is given has no way back to its giver',
    async attack({ run }) {
      const { result } = await run(
        js(
          `export default async (env, input) => {
  const seeds = [env, env.FILES, env.FILES.read, env.ECHO.info, await env.ECHO.info(), input, input.list, import.meta, await env.FILES.readdir()]
  return seeds.map((seed) => { try { return seed.constructor.constructor('return typeof process')() } catch (error) { return error instanceof Error ? 'guest error' : 'foreign error' } })
}`,
          { input: { list: [1] } },
        ),
      )
      for (const one of result as string[]) expect(['undefined', 'guest error']).toContain(one)
    },
  },
  {
    id: 'J02',
    title: 'an error thrown while a stack is made is the guest’s own',
    async attack({ run }) {
      const { result } = await run(
        js(`export default async () => {
  const error = new Error(); error.name = Symbol()
  const seen = []
  await (async () => error.stack)().catch((caught) => seen.push(caught instanceof Error, caught.constructor.constructor('return typeof process')()))
  return seen
}`),
      )
      expect([[], [true, 'undefined']]).toContainEqual(result)
    },
    async control({ run }) {
      const { result } = await run(
        js(
          `export default async () => (async () => { throw new TypeError('own') })().catch((error) => error.name + error.message)`,
        ),
      )
      expect(result).toBe('TypeErrorown')
    },
  },
  {
    id: 'J02-b',
    title: 'call sites of prepareStackTrace show no frame of the host',
    async attack({ run }) {
      const { result } = await run(
        js(`export default async (env) => {
  const found = []
  const look = (error, sites) => { for (const site of Array.isArray(sites) ? sites : []) {
    for (const name of ['getThis', 'getFunction']) { try { const value = site[name]?.(); if (value) found.push(String(value.constructor?.constructor?.('return typeof process')())) } catch {} }
    found.push(String(site.getFileName?.() ?? '')) } return 'x' }
  Error.prepareStackTrace = look
  void new Error().stack
  await env.FILES.read('none').catch((error) => void error.stack)
  await env.ECHO.echo(Symbol.iterator).catch((error) => void error.stack)
  const holder = {}; Error.captureStackTrace(holder); void holder.stack
  return found
}`),
      )
      for (const one of result as string[])
        expect(one).not.toMatch(/^object$|node:|isolated|\/app|\/work|\/home\/(?!guest)/)
    },
  },
  {
    id: 'J02-c',
    title: 'rejections, aggregate errors and suppressed errors are of the guest’s realm',
    async attack({ run }) {
      const { result } = await run(
        js(`export default async (env) => {
  const errors = []
  await Promise.any([env.FILES.read('a'), env.FILES.read('b')]).catch((error) => errors.push(error, ...error.errors))
  await env.BASH.exec(1).catch((error) => errors.push(error))
  await env.NONE?.x?.().catch((error) => errors.push(error))
  try { env.FILES.read.call(null, { toString() { throw new Error('mine') } }).catch((error) => errors.push(error)) } catch (error) { errors.push(error) }
  await new Promise((resolve) => setTimeout(resolve, 20))
  return errors.map((error) => [error instanceof Error, error.constructor.constructor('return typeof process')()].join())
}`),
      )
      expect((result as string[]).length).toBeGreaterThanOrEqual(4)
      expect(new Set(result as string[])).toEqual(new Set(['true,undefined']))
    },
  },
  {
    id: 'J04',
    title: 'odd arguments of every host function are refused or become data',
    async attack({ run }) {
      const { result, status } = await run(
        js(
          `export default async (env) => {
  let deep = {}; for (let at = 0; at < 1e4; at++) deep = { deep }
  const cyclic = {}; cyclic.self = cyclic
  const odd = () => [
    new Proxy({}, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } }),
    { get a() { throw new Error('getter') } }, { then(resolve) { resolve(1) } }, { [Symbol.toPrimitive]() { throw 1 } },
    deep, cyclic, () => 1, Symbol('x'), 10n ** 50n, new Date(NaN), new Map([[cyclic, cyclic]]), new WeakMap(), NaN, -0, undefined, '\\0', '\\ud800',
    new Uint8Array(8), new Error('x'), Object.create(null), [,1], new (class X { toJSON() { throw 1 } })(), 'x'.repeat(1e6), globalThis,
  ]
  const outcomes = {}
  for (const [name, held] of Object.entries(env)) for (const method of Object.keys(held)) {
    if (typeof held[method] !== 'function') continue
    for (const value of odd()) {
      let kind
      try { await held[method](value, value); kind = 'answered' } catch (error) { kind = error instanceof Error ? 'guest error' : typeof error === 'number' ? 'own throw' : 'foreign' }
      outcomes[kind] = (outcomes[kind] ?? 0) + 1
    }
  }
  return outcomes
}`,
          { limits: { timeoutMs: 120_000 } },
        ),
      )
      expect(status).toBe('succeeded')
      expect(Object.keys(result as object)).not.toContain('foreign')
      expect((result as Record<string, number>)['guest error']).toBeGreaterThan(50)
    },
    async control({ run }) {
      const { result } = await run(js(`export default async (env) => env.ECHO.echo({ a: [1, { b: 'c' }] })`))
      expect(result).toEqual({ a: [1, { b: 'c' }] })
    },
  },
  {
    id: 'J04-b',
    title: 'a broken realm (replaced builtins) does not carry a call astray',
    async attack({ run }) {
      const { status } = await run(
        js(
          `export default async (env) => {
  const out = []
  JSON.stringify = () => '{"type":"done","exitCode":0}'; JSON.parse = () => ({ value: process })
  Array.prototype[Symbol.iterator] = function* () { yield 1 }; Object.prototype.toJSON = () => 'x'
  Promise.prototype.then = function () { return 7 }; Map.prototype.get = () => { throw 1 }; Array.prototype.push = () => { throw 2 }
  String.prototype.slice = () => '/etc/passwd'; Object.defineProperty(Object.prototype, 'value', { get() { return 'stolen' } })
  try { return await env.FILES.read('a') } catch (error) { return String(error) }
}`,
          { limits: { timeoutMs: 2000 } },
        ),
      )
      expect(['succeeded', 'failed']).toContain(status)
    },
  },
  {
    id: 'J05',
    title: 'every value that comes back belongs to the guest',
    async attack({ run }) {
      const { result, error } = await run(
        js(`const strange = []
const seen = new Set()
const walk = (value, path) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.add(value)
  if (typeof value === 'function' && value !== Function.prototype && !(value instanceof Function)) strange.push(path)
  if (typeof value === 'object' && Object.getPrototypeOf(value) && !(value instanceof Object)) strange.push(path)
  if (/\\b(Reference|ExternalCopy|Isolate|Callback|Context)\\b/.test(Object.prototype.toString.call(value) + (value.constructor?.name ?? ''))) strange.push(path + '!')
  for (const key of Reflect.ownKeys(value)) { try { walk(value[key], path + '.' + String(key)) } catch {} }
  walk(Object.getPrototypeOf(value), path + '.__proto__')
}
export default async (env) => {
  walk(globalThis, 'global'); walk(env, 'env')
  await env.FILES.write('a', 'x')
  for (const call of [() => env.FILES.stat('a'), () => env.FILES.readdir(), () => env.FILES.read('a', { encoding: 'bytes' }), () => env.ECHO.info(), () => env.BASH.exec('echo hi'), () => env.VARS.all(), () => env.FILES.read('none'), () => env.BASH.exec(5)])
    await call().then((value) => walk(value, 'value'), (error) => walk(error, 'error'))
  const pending = env.ECHO.ping(); walk(pending, 'promise'); await pending
  return { strange, walked: seen.size }
}`),
      )
      expect(result, JSON.stringify(error)).toMatchObject({ strange: [] })
      expect((result as { walked: number }).walked).toBeGreaterThan(300)
    },
    async control({ run }) {
      const { result } = await run({
        language: 'node',
        code: `import vm from 'node:vm'\nexport default () => vm.runInNewContext('({})') instanceof Object`,
      })
      expect(result).toBe(false)
    },
  },
  {
    id: 'J05-b',
    title: 'bytes, dates and thrown values of the host’s side are made anew in the guest',
    async attack({ run }) {
      const { result, error } = await run(
        js(`export default async (env) => {
  const bytes = await env.ECHO.echo(new Uint8Array([1, 2]))
  const values = [bytes, bytes.buffer, await env.ECHO.echo([new Map([[1, new Set([2])]])]).catch((error) => error), await env.ECHO.echo(new Date(0)).catch((error) => error)]
  const unwrapped = Object.getOwnPropertyNames(env.ECHO.echo).concat(Object.getOwnPropertyNames(env)).filter((name) => /apply(Sync)?$|deref|copy|dispose|release|host/i.test(name))
  return [values.map((value) => value instanceof Object && Object.getPrototypeOf(value).constructor.constructor('return typeof process')()), unwrapped]
}`),
      )
      expect(result, JSON.stringify(error)).toEqual([Array(4).fill('undefined'), []])
    },
  },
  {
    id: 'J07',
    title: 'polluting results, arguments and files are plain data to the server',
    async attack({ run, send }) {
      const before = await send('/api/v1/languages')
      const poison = '{"__proto__":{"isAdmin":true,"status":"polluted"},"constructor":{"prototype":{"isAdmin":true}}}'
      const returned = await run(js(`JSON.parse('${poison}')`))
      expect(returned.status).toBe('succeeded')
      const echoed = await run(
        js(
          `export default async (env) => { const back = await env.ECHO.echo(JSON.parse('${poison}')); await env.FILES.write('__proto__', 'x'); await env.FILES.write('constructor/prototype', 'y'); return [Object.keys(back), ({}).isAdmin ?? null] }`,
        ),
      )
      expect(echoed.result).toEqual([['__proto__', 'constructor'], null])
      expect(echoed.files.map(({ path }) => path)).toEqual(['__proto__', 'constructor/prototype'])
      const python = await run({ language: 'python', code: `import json\njson.loads('${poison}')` })
      expect(python.status).toBe('succeeded')
      expect(await send('/api/v1/languages')).toEqual(before)
    },
    async control({ run }) {
      const { result } = await run(js(`Object.prototype.isAdmin = true; ({}).isAdmin`))
      expect(result).toBe(true)
    },
  },
  {
    id: 'J07-b',
    title: 'pollution of one run’s realm is gone with it',
    async attack({ run }) {
      await run(
        js(
          `Object.prototype.isAdmin = true; Array.prototype.map = () => { throw 1 }; JSON.stringify = () => '{}'; Object.prototype.toJSON = () => 'gone'; Function.prototype.call = () => 7; globalThis.left = 1; Object.freeze(Object.prototype); 1`,
        ),
      )
      const { result } = await run(
        js(`[({}).isAdmin === undefined, [1].map((n) => n + 1)[0], typeof left, Object.isFrozen(Object.prototype)]`),
      )
      expect(result).toEqual([true, 2, 'undefined', false])
    },
  },
  {
    id: 'D02',
    title: 'polluting keys in the request itself change nothing',
    async attack({ send }) {
      const body = `{"language":"javascript","code":"export default (env, input) => [({}).isAdmin ?? null, typeof input]","input":{"__proto__":{"isAdmin":true}},"files":{"__proto__":"x","constructor":"y"},"env":{"__proto__":"v"}}`
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      const { status, text } = await send('/api/v1/runs', post)
      expect([200, 400]).toContain(status)
      if (status === 200) expect(JSON.parse(text)).toMatchObject({ status: 'succeeded', result: [null, 'object'] })
      const top = await send('/api/v1/runs', {
        ...post,
        body: `{"__proto__":{"limits":{"timeoutMs":999999999}},"language":"bash","code":"true"}`,
      })
      expect([200, 400]).toContain(top.status)
      const query = await send('/api/v1/runs?a[__proto__][x]=1&__proto__[limit]=1&constructor.prototype.x=2')
      expect([200, 400]).toContain(query.status)
    },
    async control({ run }) {
      expect((await run(js('export default (env, input) => input', { input: { a: 1 } }))).result).toEqual({ a: 1 })
    },
  },
  {
    id: 'D02-b',
    title: 'polluting keys in messages of the sandbox itself are data',
    async attack({ run }) {
      const { status, result } = await run({
        language: 'python',
        code: `import os, struct, json
def send(text):
    body = text.encode()
    os.write(3, struct.pack('>I', len(body)) + body)
send('{"type":"display","data":{"__proto__":{"isAdmin":true},"text/plain":"x"}}')
send('{"type":"output","stream":"__proto__","text":"x"}')`,
      })
      expect({ status, result }).toMatchObject({ status: 'failed' })
    },
  },
  {
    id: 'J08',
    title: 'no import leads out of the program',
    async attack({ run, canaries }) {
      const names = [
        'fs',
        'node:child_process',
        '../../x',
        '../../../etc/passwd',
        '/etc/passwd',
        'file:///etc/passwd',
        `file://${canaries.filePath}`,
        canaries.filePath,
        'data:text/javascript,export default 1',
        'https://example.com/x.js',
        'blob:x',
        'isolated-vm',
        '\0',
        '__proto__',
        '',
        './main.js?x',
        'node:module',
        'node:vm',
        'node:worker_threads',
        'coherex/../../x',
        './..//../x.json',
      ]
      const { result } = await run(
        js(`const names = ${JSON.stringify(names)}
export default async () => { const out = []; for (const name of names) out.push(await import(name).then((m) => 'imported ' + Object.keys(m), (error) => error instanceof Error ? 'refused' : 'foreign')); return out }`),
      )
      for (const [at, one] of (result as string[]).entries())
        expect([names[at], one]).toEqual([names[at], names[at] === './main.js?x' ? expect.any(String) : 'refused'])
    },
    async control({ run }) {
      const { result } = await run(
        js(`const name = './li' + 'b.js'\nexport default async () => (await import(name)).value`, {
          files: { 'lib.js': 'export const value = 5' },
        }),
      )
      expect(result).toBe(5)
    },
  },
  {
    id: 'J08-b',
    title: 'static imports of files, JSON attributes and import maps read no disk',
    async attack({ run, canaries }) {
      for (const code of [
        `import x from '${canaries.filePath}'\nexport default () => x`,
        `import x from 'file://${canaries.filePath}' with { type: 'json' }\nexport default () => x`,
        `export { default } from '/proc/self/environ'`,
        `import fs from 'node:fs'\nexport default () => fs.readFileSync('${canaries.filePath}', 'utf8')`,
        `import fs from 'node:fs'\nexport default () => fs.readFileSync('../../..${canaries.filePath}', 'utf8')`,
      ]) {
        const ended = await run({ language: 'javascript', code })
        expect(ended.status).toBe('failed')
      }
    },
    async control({ run }) {
      const { result } = await run(
        js(
          `import data from './data.json'\nimport fs from 'node:fs'\nexport default () => [data.a, fs.readFileSync('data.json', 'utf8')]`,
          { files: { 'data.json': '{"a":1}' } },
        ),
      )
      expect(result).toEqual([1, '{"a":1}'])
    },
  },
  {
    id: 'J10',
    title: 'there is no WebAssembly in an isolate',
    async attack({ run }) {
      const { result } = await run(
        js(
          `[typeof WebAssembly, typeof globalThis['Web' + 'Assembly'], Function('return typeof WebAssembly')(), Object.getOwnPropertyNames(globalThis).filter((name) => /wasm|webassembly/i.test(name)).length].join()`,
        ),
      )
      expect(result).toBe('undefined,undefined,undefined,0')
    },
    async control({ run }) {
      expect((await run({ language: 'node', code: 'export default () => typeof WebAssembly' })).result).toBe('object')
    },
  },
  {
    id: 'J10-b',
    title: 'WebAssembly of a Node program is bounded by the run’s memory',
    async attack({ run }) {
      const ended = await run({
        language: 'node',
        limits: { timeoutMs: 4000, memoryMb: 128 },
        code: `const all = []; for (;;) { const memory = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(memory.buffer).fill(1); all.push(memory) }`,
      })
      expect(ended.status).toBe('failed')
      expect(['memory', 'runtime', 'timeout']).toContain(ended.error?.kind)
      expect(ended.peakMemoryMb ?? 0).toBeLessThan(140)
    },
  },
  {
    id: 'J11',
    title: 'no shared memory and no fine clock',
    async attack({ run }) {
      const { result } = await run(
        js(`const steps = (read) => { const seen = new Set(); const end = Date.now() + 60; while (Date.now() < end) seen.add(read()); const all = [...seen].sort((a, b) => a - b); return all.length < 2 ? 2 : Math.min(...all.slice(1).map((at, index) => at - all[index])) }
export default () => ({ absent: [typeof SharedArrayBuffer, typeof Atomics], date: steps(() => Date.now()), made: steps(() => +new Date()), performance: steps(() => performance.now()), own: steps(() => Date.prototype.constructor.now()) })`),
      )
      const { absent, ...clocks } = result as { absent: string[] } & Record<string, number>
      expect(absent).toEqual(['undefined', 'undefined'])
      for (const [clock, step] of Object.entries(clocks))
        expect([clock, (step as number) >= 1.9]).toEqual([clock, true])
    },
    async control({ run }) {
      const { result } = await run({
        language: 'node',
        // the shortest of many steps: in any one of them the machine may do something else
        code: 'const step = () => { const a = performance.now(); let b = a; while (b === a) b = performance.now(); return b - a }\nexport default () => Math.min(...Array.from({ length: 100 }, step)) < 1 && typeof SharedArrayBuffer',
      })
      expect(result).toBe('function')
    },
  },
  {
    id: 'J11-b',
    title: 'a counting worker or a timer is no clock either',
    async attack({ run }) {
      const { result } = await run(
        js(
          `export default async () => [typeof Worker, typeof MessageChannel === 'undefined' || typeof new MessageChannel().port1.postMessage, typeof setImmediate, typeof structuredClone === 'function' && (() => { try { return structuredClone(new ArrayBuffer(8, { maxByteLength: 16 })).constructor.name } catch { return 'refused' } })()]`,
        ),
      )
      expect((result as string[])[0]).toBe('undefined')
    },
  },
  {
    id: 'J13',
    title: 'nothing of a run goes on after its verdict',
    async attack({ run }) {
      const { result } = await run(
        js(`const registry = new FinalizationRegistry(() => { for (;;); })
for (let at = 0; at < 1000; at++) registry.register({ at }, at)
setTimeout(() => { for (;;); }, 1); setInterval(() => console.log('still here'), 5); queueMicrotask(() => {})
const reference = new WeakRef({})
export default () => 'over'`),
      )
      expect(result).toBe('over')
      const next = await run(js(`await new Promise((resolve) => setTimeout(resolve, 60)); 'calm'`))
      expect(next).toMatchObject({ result: 'calm', output: [] })
    },
    async control({ run }) {
      const { output } = await run(
        js(`await new Promise((resolve) => setTimeout(() => { console.log('fired'); resolve() }, 5))`),
      )
      expect(output).toMatchObject([{ text: 'fired' }])
    },
  },
  {
    id: 'J13-b',
    title: 'a rejection, a getter or a thenable that runs late holds nobody up',
    async attack({ run }) {
      const ended = await Promise.all(
        [
          `Promise.reject({ get message() { for (;;); }, get stack() { for (;;); } }); 1`,
          `export default () => ({ get a() { for (;;); } })`,
          `export default () => ({ then() { for (;;); } })`,
          `throw { toString() { for (;;); }, get name() { for (;;); } }`,
        ].map((code) => run(js(code, { limits: { timeoutMs: 400 } }))),
      )
      for (const { error } of ended) expect(['timeout', 'runtime']).toContain(error?.kind)
    },
  },
  {
    id: 'J13-c',
    title: 'calls that are under way at the end hold up nobody and do nothing later',
    async attack({ run }) {
      const ended = await Promise.all(
        [
          `export default (env) => { for (let at = 0; at < 50; at++) env.FILES.write('f' + at, 'x'.repeat(1e5)); return 'over' }`,
          `export default (env) => { for (let at = 0; at < 50; at++) env.BASH.exec('sleep 5; echo late > late').catch(() => 0); return 'over' }`,
          `export default (env) => { env.FILES.write('a', 'x').then(() => { for (;;); }); return 'over' }`,
        ].map((code) => run(js(code, { limits: { timeoutMs: 10_000 } }))),
      )
      expect(ended.map(({ result }) => result)).toEqual(['over', 'over', 'over'])
      for (const { durationMs, files } of ended) {
        expect(durationMs).toBeLessThan(5000)
        expect(files.map(({ path }) => path)).not.toContain('late')
      }
      const thrown = await run(
        js(
          `export default (env) => { for (let at = 0; at < 49; at++) env.ECHO.echo('x'.repeat(9e5)); throw new Error('over') }`,
        ),
      )
      expect(thrown.error).toMatchObject({ kind: 'runtime', message: 'Error: over' })
    },
  },
  {
    id: 'J14',
    title: 'natives syntax is a SyntaxError and no inspector opens',
    async attack({ run }) {
      for (const code of ['%DebugPrint(1)', 'Function("%DebugPrint(1)")()', 'eval("%GetHeapUsage()")']) {
        const { error } = await run(js(code))
        expect(`${error?.kind} ${error?.message}`).toMatch(/syntax|SyntaxError/)
      }
      expect((await run(js('debugger; typeof process'))).result).toBe('undefined')
    },
    async control({ run }) {
      expect((await run(js('Function("return 5 % 3")()'))).result).toBe(2)
    },
  },
  {
    id: 'J14-b',
    title: 'a Node program that opens an inspector or signals its parents harms nobody',
    async attack({ run }) {
      await run({
        language: 'node',
        limits: { timeoutMs: 3000 },
        code: `import inspector from 'node:inspector'
const tries = []
for (const act of [() => inspector.open(9229, '127.0.0.1'), () => process._debugProcess(1), () => process.kill(1, 'SIGUSR1'), () => process.kill(process.ppid, 'SIGUSR1'), () => process.kill(-1, 'SIGUSR1')]) { try { tries.push(String(act())) } catch (error) { tries.push(error.message) } }
export default () => tries`,
      })
    },
  },
]
