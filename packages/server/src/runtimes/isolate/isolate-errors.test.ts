import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CapabilityError } from '../../capabilities/index.ts'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

let subject: IsolateSubject
beforeAll(async () => {
  subject = await openIsolate()
  await subject.runtime.warm()
})
afterAll(async () => subject.close())

type Changes = NonNullable<Parameters<typeof runProgram>[2]>
const js = (code: string, changes: Changes = {}) =>
  runProgram(subject.runtime, { language: 'javascript', code, entry: 'main.js' }, changes)
const ts = (code: string) => runProgram(subject.runtime, { language: 'typescript', code, entry: 'main.ts' })

describe('[runtime.5] the place of a mistake', () => {
  test.each([
    ['in a regular expression', 'const a = 1\n  const b = /[z-a]/', 2, 13],
    ['that only strict code has', 'let a = 1\ndelete a', 2, 8],
    ['in a decorator, which the engine does not have', 'const d = 1\nclass A {\n  @d m() {}\n}', 3, 3],
    ['in a number with a leading zero', '\nlet a = 010', 2, 9],
  ])('%s', async (_, code, line, column) => {
    for (const run of [js, ts]) {
      const { error } = await run(code)
      expect([error?.kind, error?.line, error?.column]).toEqual(['syntax', line, column])
      expect(error?.message).not.toMatch(/\[main|\.mjs/)
    }
  })

  test('is told with what it is, where the engine only says that it expected something else', async () => {
    expect((await ts('@sealed\nclass A {}')).error).toMatchObject({
      message: 'Decorators cannot be run: V8 does not have them',
      line: 1,
      column: 1,
    })
  })

  test('of a refused call is where it was made, however it was waited for', async () => {
    const read = () => Promise.reject(new CapabilityError('ENOENT', 'no'))
    const capabilities = { FILES: { props: {}, methods: { read } } }
    const programs = [
      'const a = 1\n  await env.FILES.read("x")',
      'async function load() {\n  return env.FILES.read("x")\n}\nawait load()',
      'import fs from "node:fs/promises"\n  await fs.readFile("x")',
      'import fs from "node:fs"\n  fs.readFileSync("x")',
    ]
    for (const code of programs) {
      const { error } = await js(code, { capabilities })
      expect([code, error?.line, error?.stack]).toEqual([code, 2, expect.stringContaining('main.js:2:')])
    }
  })

  test('of a line that waited at the top of a module is in the author’s lines', async () => {
    const code = `interface A {
  a: number
}
async function late(): Promise<A> {
  await 1
  throw new Error('late')
}
try {
  await late()
} catch (error) {
  console.log(error)
  throw error
}`
    const { error, text } = await ts(code)
    const stack = 'Error: late\n    at late (main.ts:6:9)\n    at async main.ts:9:3'
    expect([error?.stack, text]).toEqual([stack, `${stack}\n`])
    const fetch = () => Promise.reject(new CapabilityError('URL_NOT_ALLOWED', 'no'))
    const capabilities = { FETCH: { props: {}, methods: { fetch } } }
    const refused = await js(`const a = 1\nawait fetch('https://a.b/')`, { capabilities })
    expect([refused.error?.kind, refused.error?.line]).toEqual(['denied', 2])
  })

  test('is told with what caused it', async () => {
    const { error } = await js(`function inner() {
  throw new TypeError('the reason')
}
try { inner() } catch (cause) {
  throw new Error('outer', { cause })
}`)
    expect(error).toMatchObject({ message: 'Error: outer', line: 5 })
    expect(error?.stack).toBe(`Error: outer
    at main.js:5:9
[cause]: TypeError: the reason
    at inner (main.js:2:9)
    at main.js:4:7`)
    const all = await js(`await Promise.any([Promise.reject(new Error('one')), Promise.reject('two')])`)
    expect(all.error?.stack).toMatch(
      /^AggregateError: All promises were rejected\n\[cause\]: Error: one\n.*\n\[cause\]: two$/,
    )
  })
})

test('a thrown object that is no error is shown', async () => {
  const message = async (code: string) => (await js(code)).error?.message
  expect(await message('throw { a: [1] }')).toBe('Uncaught {"a":[1]}')
  expect(await message('const o = { a: 1 }; o.o = o; throw o')).toBe('Uncaught {"a":1,"o":"[Circular]"}')
  expect(await message('throw { get a() { throw 1 } }')).toBe('Uncaught an object')
  expect(await message('throw { message: "m" }')).toBe('Error: m')
  expect(await message('Promise.reject({ a: 1 })\n5')).toBe(
    'Uncaught: a promise was rejected with an object that is no Error',
  )
})

test('a printed error keeps its braces and the author’s lines, also where the machinery is cut away', async () => {
  const { text } = await js(`function deep(n) { return n ? deep(n - 1) : Object.assign(new Error('x'), { code: 'E' }) }
console.log(new Error('a', { cause: 'b' }))
console.log(deep(20))`)
  expect(text).toContain(`Error: a\n    at main.js:2:13 {\n  [cause]: 'b'\n}\n`)
  expect(text).toMatch(/at deep \(main\.js:1:31\) \{\n {2}code: 'E'\n\}\n$/)
})

describe('what is larger than a message', () => {
  test('[runtime.4] a result of too many parts fails with kind output', async () => {
    const { error, signs } = await js('Array(1_100_000).fill(1)')
    expect([error?.kind, error?.message, signs]).toEqual([
      'output',
      'The result has more than 999990 parts; write it to a file instead',
      [],
    ])
    expect((await js('Array(999_980).fill(1)')).error).toBeUndefined()
    expect((await js('Array(450_000).fill({ a: 1 })')).error).toBeUndefined()
    expect((await js('Array(600_000).fill([])')).error?.kind).toBe('output')
  })

  test('[runtime.11] a call with arguments that cannot be carried is refused at once', async () => {
    const write = async () => null
    const capabilities = { FILES: { props: {}, methods: { write } } }
    const refused = [
      'export default (env) => env.FILES.write("a", "x".repeat(17e6)).catch(({ code }) => code)',
      `import fs from 'node:fs'
export default () => { try { fs.writeFileSync('a', 'x'.repeat(17e6)) } catch ({ code }) { return code } }`,
    ]
    for (const code of refused) expect((await js(code, { capabilities })).result).toBe('LIMIT_EXCEEDED')
    const left = `export default (env) => { env.FILES.write('a', 'x'.repeat(17e6)).catch(() => { for (;;); }) }`
    expect((await js(left, { capabilities })).error).toBeUndefined()
    expect((await js('1 + 1')).result).toBe(2)
  })

  test('[isolate.4] an import that a process has is told from one that nobody has', async () => {
    const load = async (name: string) => (await js(`await import('${name.slice(0, 2)}' + '${name.slice(2)}')`)).error
    for (const name of ['node:os', 'os', 'fs/promises', 'worker_threads']) {
      const error = await load(name)
      expect(error).toMatchObject({ kind: 'denied', message: expect.stringMatching(/module of Node/), line: 1 })
      expect(error?.stack).toContain(error?.message)
    }
    for (const name of ['node:none', 'left-pad', '@a/b', 'https://a.b/c.js']) {
      expect((await load(name))?.message).toMatch(/not a file of this program or an allowed package/)
    }
  })

  test('a program that replaces JSON.stringify cannot tell a result of its own with it', async () => {
    const say = (result: string) =>
      `const result = ${result}\nJSON.stringify = (value) => (typeof value === 'object' ? '{"ok":true,"isScript":true,"result":"' + result + '"}' : '5')\n5`
    for (const result of [
      `'\\\\"' + 'a'.repeat(20e6) + '\\\\"'`,
      `'['.repeat(5e4) + '\\\\"\\\\\\\\n    at x\\\\"' + ']'.repeat(5e4)`,
    ]) {
      expect(await js(say(result))).toMatchObject({ status: 'succeeded', result: 5 })
    }
  })
})
