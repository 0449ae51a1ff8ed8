// A program may patch the builtins that the guest library is written with. That is its own affair: its calls and its verdict are not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CapabilityError, type Capabilities } from '../../capabilities/index.ts'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

let subject: IsolateSubject

beforeAll(async () => {
  subject = await openIsolate({ spares: 2 })
  await subject.runtime.warm()
})
afterAll(() => subject.close())

/** Every function that hangs on a builtin, by the expression that leads to it. */
const list = `
const own = ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Error', 'TypeError', 'ArrayBuffer', 'DataView', 'Uint8Array', 'JSON', 'Math', 'Reflect', 'Proxy']
const places = [
  ...own.map((name) => [name, globalThis[name]]),
  ...own.filter((name) => typeof globalThis[name] === 'function' && globalThis[name].prototype).map((name) => [name + '.prototype', globalThis[name].prototype]),
  ['Object.getPrototypeOf(Uint8Array)', Object.getPrototypeOf(Uint8Array)],
  ['Object.getPrototypeOf(Uint8Array.prototype)', Object.getPrototypeOf(Uint8Array.prototype)],
  ['Object.getPrototypeOf([][Symbol.iterator]())', Object.getPrototypeOf([][Symbol.iterator]())],
  ['Object.getPrototypeOf(new Map()[Symbol.iterator]())', Object.getPrototypeOf(new Map()[Symbol.iterator]())],
  ['Object.getPrototypeOf(""[Symbol.iterator]())', Object.getPrototypeOf(""[Symbol.iterator]())],
  ['globalThis', globalThis],
]
export default () => places.flatMap(([place, holder]) =>
  Reflect.ownKeys(holder).flatMap((key) => {
    const { value, get, configurable, writable } = Object.getOwnPropertyDescriptor(holder, key)
    if (!configurable && !writable) return []
    if (place === 'globalThis' ? typeof value !== 'function' : typeof value !== 'function' && !get) return []
    const shown = typeof key === 'symbol' ? '[' + String(key.description) + ']' : JSON.stringify(key)
    return [[place, shown, get !== undefined]]
  }))
`

const lies = { throws: '() => { throw new Error("patched") }', lies: '() => "a lie"' }

const capabilities = (heard: unknown[]): Capabilities => ({
  ECHO: {
    methods: {
      echo: async (args) => {
        heard.push(args)
        return args
      },
      refuse: async () => {
        throw new CapabilityError('ENOENT', 'not there')
      },
    },
  },
})

function programFor([place, key, isGetter]: [string, string, boolean], lie: string): string {
  const name = key.startsWith('[') ? key.slice(1, -1) : key
  const kind = isGetter ? `get: ${lie}` : `writable: true, value: ${lie}`
  return `const { defineProperty } = Object
const holder = ${place}
const set = new Set([1])
export default async (env) => {
  defineProperty(holder, ${name}, { configurable: true, ${kind} })
  console.log('said')
  const answer = await env.ECHO.echo({ a: [1, 'two'], b: null }, set, undefined)
  let refused
  try { await env.ECHO.refuse() } catch (error) { refused = error.code }
  return { answer, refused, more: [true, 'x'] }
}`
}

const right = {
  status: 'succeeded',
  text: 'said\n',
  result: { answer: [{ a: [1, 'two'], b: null }, [1]], refused: 'ENOENT', more: [true, 'x'] },
  heard: [[{ a: [1, 'two'], b: null }, new Set([1])]],
}

test('a patched builtin breaks the program or nothing', async () => {
  const { result } = await runProgram(subject.runtime, { language: 'javascript', code: list, entry: 'main.js' })
  const builtins = result as [string, string, boolean][]
  expect(builtins.length).toBeGreaterThan(500)
  const broken: string[] = []
  for (const builtin of builtins) {
    for (const [how, lie] of Object.entries(lies)) {
      const heard: unknown[] = []
      const program = { language: 'javascript', code: programFor(builtin, lie), entry: 'main.js' } as const
      const ended = await runProgram(subject.runtime, program, { capabilities: capabilities(heard) })
      const what = `${builtin[0]} ${builtin[1]} ${how}`
      if (ended.status === 'failed') {
        expect([what, ended.error?.kind]).toEqual([what, 'runtime'])
        broken.push(what)
        continue
      }
      const { status, text } = ended
      expect([what, { status, text, result: ended.result, heard }]).toEqual([what, right])
    }
  }
  expect(broken.length, broken.join('\n')).toBeLessThan(40)
}, 300_000)
