import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

let subject: IsolateSubject
beforeAll(async () => {
  // one child, so that every run finds what the one before it left
  subject = await openIsolate({ spares: 1, maxChildren: 1 })
  await subject.runtime.warm()
})
afterAll(async () => subject.close())

type Changes = NonNullable<Parameters<typeof runProgram>[2]>
const call = (key: string, code: string, { fresh, ...changes }: Changes & { fresh?: boolean } = {}) =>
  runProgram(
    subject.runtime,
    { language: 'javascript', code, entry: 'main.js' },
    { ...changes, kept: { key, ...(fresh && { fresh }) } },
  )

describe('[isolate.17] an isolate that is kept for a program', () => {
  test('serves the next run of its key, each in a context of its own', async () => {
    const code = `let count = 0\nglobalThis.seen = (globalThis.seen ?? 0) + 1\nexport default () => [++count, ++count, seen]`
    const runs = []
    for (let at = 0; at < 4; at++) runs.push(await call('counts', code))
    expect(runs.map(({ result }) => result)).toEqual(runs.map(() => [1, 2, 1]))
    expect(runs.map(({ kept = false }) => kept)).toEqual([false, true, true, true])
    expect((await call('counts', code, { fresh: true })).kept).toBeUndefined()
    expect((await call('counts', code)).kept).toBe(true)
    expect((await call('others', code)).kept).toBeUndefined()
    expect((await call('counts', code, { domain: 'another team' })).kept).toBeUndefined()
  })

  test('reports lines of the code, and stays after an error of it', async () => {
    const fails = `export default (env, input) => {\n  if (input) throw new TypeError('again')\n}`
    for (let at = 0; at < 3; at++)
      expect((await call('fails', fails, { input: true })).error).toMatchObject({
        message: 'TypeError: again',
        line: 2,
      })
    expect((await call('fails', fails)).kept).toBe(true)
  })

  // each leaves something; the same program then looks for it
  test.each<[string, string, string]>([
    ['a global', 'globalThis.left = 1', 'typeof left'],
    ['a global by an undeclared name', 'new Function("left = 1")()', 'typeof left'],
    ['a changed Object.prototype', 'Object.prototype.left = 1', 'typeof ({}).left'],
    ['a changed Array.prototype', 'Array.prototype.map = () => "left"', 'typeof [1].map((n) => n)'],
    ['a changed Promise', 'Promise.prototype.then = () => "left"', 'typeof Promise.resolve().then(() => 1)'],
    ['a changed JSON', 'JSON.stringify = JSON.parse = () => "left"', 'JSON.stringify([JSON.parse("1")])'],
    [
      'a changed Error',
      'Error.prepareStackTrace = () => "left"; Error.stackTraceLimit = 0',
      'typeof new Error("x").stack + Error.stackTraceLimit',
    ],
    [
      'a changed String iterator',
      'String.prototype[Symbol.iterator] = function* () { yield "left" }',
      '[..."ab"].join()',
    ],
    [
      'a changed function of the host',
      'console.log = () => {}; globalThis.fetch = globalThis.setTimeout = () => "left"',
      'typeof setTimeout + typeof fetch().catch(() => {})',
    ],
    [
      'a changed env',
      'try { env.left = 1 } catch {} try { env.VARS.left = 1 } catch {} try { Object.getPrototypeOf(env.VARS).left = 1 } catch {}',
      'typeof env.left + typeof env.VARS.left',
    ],
    ['a changed input', 'input.left = 1; Object.setPrototypeOf(input, { left: 1 })', 'typeof input.left'],
    ['a tagged template', '((t) => { globalThis.t = t })`a`', 'Object.keys(((t) => t)`a`).length'],
    ['a match of a regular expression', '/(.+)/.exec("secret")', 'RegExp.$1'],
    ['a state of a regular expression', 'pattern.test("aa")', 'pattern.lastIndex'],
    ['a change of a module', 'state.left = 1', 'typeof state.left'],
    ['a change of a package', 'zod.z.left = 1', 'typeof zod.z.left'],
    [
      'a symbol',
      'globalThis[Symbol.for("left")] = 1; Symbol.for("left").description',
      'typeof globalThis[Symbol.for("left")]',
    ],
    [
      'a file',
      `const fs = await import('node:fs'); fs.writeFileSync('left.txt', 'left')`,
      `(await import('node:fs')).existsSync('left.txt')`,
    ],
    ['a random state', 'Math.random = () => 5', 'Math.random() < 1'],
    ['a clock', 'Date.now = () => 5; performance.now = () => -5', 'Date.now() > 1e12'],
  ])('shows nothing of %s', async (what, leave, look) => {
    const code = `import * as zod from 'zod'\nconst pattern = /a/g\nconst state = {}
      export default async (env, input) => { if (input.leave) { ${leave}; return 0 } return ${look} }`
    const run = (input: object) => call(`leaves ${what}`, code, { input })
    const before = (await run({ leave: false })).result
    const left = await run({ leave: true })
    const after = await run({ leave: false })
    expect([left.error, after.error]).toEqual([undefined, undefined])
    expect(after.result).toEqual(before)
    // all three were in one isolate, or this would show nothing
    expect([left.kept, after.kept]).toEqual([true, true])
  })

  test.each<[string, string]>([
    ['leaves a timer', 'setTimeout(() => {}, 60_000)'],
    ['leaves a call', 'void env.ECHO.slow()'],
    ['waits to be collected', 'new FinalizationRegistry(() => {})'],
    ['rejects what nobody handles', 'Promise.reject(new Error("left"))'],
    ['prints too much', 'for (let at = 0; at < 200; at++) console.log("x".repeat(1000))'],
    ['gives too large a result', 'return "x".repeat(5_000_000)'],
    ['holds too much', 'globalThis.held = Array.from({ length: 5_000_000 }, (_, at) => at)'],
    ['needs too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(1))'],
    ['runs too long', 'for (;;) {}'],
  ])('goes with a program that %s', async (what, leave) => {
    const code = `export default async (env, input) => { if (input.leave) { ${leave} } return 1 }`
    const ECHO = { methods: { slow: () => new Promise(() => undefined) } }
    const run = (input: object) =>
      call(what, code, {
        input,
        capabilities: { ECHO },
        limits: { timeoutMs: 2_000, cpuMs: 1_000, memoryMb: 64, outputBytes: 100_000 },
      })
    await run({ leave: false })
    expect((await run({ leave: false })).kept).toBe(true)
    await run({ leave: true })
    const after = await run({ leave: false })
    expect(after).toMatchObject({ status: 'succeeded', result: 1, output: [] })
    expect(after.kept).toBeUndefined()
    expect((await run({ leave: false })).kept).toBe(true)
  })

  test('no code of an earlier run is heard in a later one', async () => {
    const code = `export default async (env, input) => {
      if (!input.leave) return new Promise((done) => setTimeout(() => done(1), 300))
      const later = async () => { for (let at = 0; at < 50; at++) await null; console.log('left') }
      void later()
      setTimeout(() => console.log('left'), 50)
      setInterval(() => console.log('left'), 20)
      void env.ECHO.later().then(() => console.log('left'))
      return 0
    }`
    const ECHO = { methods: { later: () => new Promise((done) => setTimeout(done, 50)) } }
    await call('heard', code, { input: {}, capabilities: { ECHO } })
    await call('heard', code, { input: { leave: true }, capabilities: { ECHO } })
    expect(await call('heard', code, { input: {}, capabilities: { ECHO } })).toMatchObject({ result: 1, output: [] })
  })

  test('the ones used longest ago go, and none serves for ever', async () => {
    const one = (key: string) => call(key, 'export default () => 1')
    for (let at = 0; at < 9; at++) await one(`many ${at}`)
    expect((await one('many 8')).kept).toBe(true)
    expect((await one('many 0')).kept).toBeUndefined()
  })
})
