import { inspect, toJson } from '../inspect.ts'
import type { Output } from '../printer.ts'
import type { Outcome } from '../runtime-messages.ts'
import { serveRuntime, type Page } from '../serve-runtime.ts'
import { boundBuffers } from './bound-memory.ts'
import { createDisplay } from './display.ts'
import { NeedsPackage, readBlock } from './read-block.ts'
import { createLook } from './variables.ts'

const source = 'block.js'
const global = globalThis as unknown as Record<string, unknown>
const evaluate = globalThis.eval
const streams = { log: 'log', info: 'info', warn: 'warn', error: 'error', debug: 'debug', trace: 'debug' } as const

let output: Output = { print: () => undefined, display: () => undefined }
let page: Page | undefined
const print: Output['print'] = (stream, text) => output.print(stream, text)
const own = Object.fromEntries(
  Object.entries(streams).map(([name, stream]) => [
    name,
    (...args: unknown[]) => print(stream, args.map(inspect).join(' ')),
  ]),
)
global['console'] = {
  ...console,
  ...own,
  table: (value: unknown) => print('log', inspect(value)),
  assert: (holds: unknown, ...args: unknown[]) =>
    holds || print('error', `Assertion failed: ${args.map(inspect).join(' ')}`),
}
// the policy of the frame refuses it anyway; this says why
global['fetch'] = () =>
  Promise.reject(new TypeError('The browser’s sandbox has no network: run the block on the server.'))

global['display'] = createDisplay((data) => output.display(data))
// a worker cannot wait for a person without giving way: the line comes as a promise
global['prompt'] = (question: unknown = '') => page?.ask(String(question))
const mostTimers = 1_000

// a block goes on as long as it waits for one of these
const pending = new Set<number>()
let idle: (() => void) | undefined
const { setTimeout: after, setInterval: every, clearTimeout: clear } = globalThis
const settle = (id: number) => {
  pending.delete(id)
  if (pending.size === 0) idle?.()
}
const checkTimers = () => {
  if (pending.size >= mostTimers) throw new RangeError(`A block may have ${mostTimers} timers at a time.`)
}
global['setTimeout'] = (work: unknown, ms?: number, ...args: unknown[]) => {
  checkTimers()
  const id = after(() => {
    try {
      ;(work as (...given: unknown[]) => void)(...args)
    } catch (error) {
      failed ??= error
    }
    settle(id)
  }, ms) as unknown as number
  pending.add(id)
  return id
}
global['setInterval'] = (work: unknown, ms?: number, ...args: unknown[]) => {
  checkTimers()
  const id = every(work as (...given: unknown[]) => void, ms, ...args) as unknown as number
  pending.add(id)
  return id
}
global['clearTimeout'] = global['clearInterval'] = (id: number) => {
  clear(id)
  settle(id)
}
let failed: unknown
let heardMark: { mark: object; resolve: () => void } | undefined
addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  if (event.reason === heardMark?.mark) {
    event.stopImmediatePropagation()
    heardMark?.resolve()
  } else failed ??= event.reason
})

/** Rejections are told some tasks later, in their order: one of our own comes after all that were before it. */
async function hearRejections(): Promise<void> {
  const mark = new Error('mark')
  await new Promise<void>((resolve) => {
    heardMark = { mark, resolve }
    void (async () => {
      throw mark
    })()
  })
  heardMark = undefined
}

addEventListener('error', (event) => {
  event.preventDefault()
  failed ??= event.error
})

boundBuffers(global)
// the worker's own names are no variables, nor is what is taken from it when it begins
const look = createLook()

serveRuntime({
  load(_, given) {
    page = given
  },
  look,
  async run({ code, language }, given): Promise<Outcome> {
    output = given
    failed = undefined
    try {
      const block = readBlock(code, language === 'typescript')
      const value: unknown = await evaluate(`${block.code}\n//# sourceURL=${source}`)
      if (pending.size > 0) await new Promise<void>((resolve) => (idle = resolve))
      idle = undefined
      await hearRejections()
      if (failed !== undefined) throw failed
      if (!block.hasValue || value === undefined) return { status: 'succeeded' }
      const result = toJson(value)
      return { status: 'succeeded', ...(result !== undefined && { result }), resultText: inspect(value) }
    } catch (error) {
      return describe(error)
    } finally {
      for (const id of pending) clear(id)
      pending.clear()
    }
  },
})

function describe(error: unknown): Outcome {
  if (error instanceof NeedsPackage) {
    return { status: 'failed', needsServer: error.message, error: { kind: 'runtime', message: error.message } }
  }
  const isError = error instanceof Error
  const message = isError ? `${error.name}: ${error.message}` : `Uncaught ${inspect(error)}`
  // acorn and sucrase name the place in their words
  const place = isError ? /\((\d+):\d+\)$/.exec(error.message) : null
  const stack = isError ? (error.stack ?? '') : ''
  const line = Number(place?.[1] ?? new RegExp(`${source}:(\\d+)`).exec(stack)?.[1] ?? Number.NaN)
  const ours = stack.split('\n').filter((one) => one.includes(source))
  return {
    status: 'failed',
    error: {
      kind:
        error instanceof SyntaxError
          ? 'syntax'
          : /^RangeError: (Out of memory|Array buffer alloc)/.test(message)
            ? 'memory'
            : 'runtime',
      message,
      ...(Number.isInteger(line) && { line }),
      ...(ours.length > 0 && { stack: [message, ...ours].join('\n') }),
    },
  }
}
