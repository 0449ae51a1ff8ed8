// Runs a Node program: loads its entry as a module, calls its default export, tells the result. Started by the driver.
import NodeModule, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { encodeResult, ResultError } from '../../../isolate/guest/result.ts'
import type { GuestError, StartProgram } from '../../../protocol/messages.ts'
import { fromWire } from '../../../protocol/value.ts'
import { createBundles } from './bundles.ts'
import { takeAnswer } from './calls.ts'
import { keepAlive, listen, send } from './channel.ts'
import { takeConsole } from './console.ts'
import { type EntrySource, lastValue, readEntry } from './entry-source.ts'
import { given } from './given.ts'
import { hookModules } from './module-hooks.ts'
import { stackWithCauses } from './stack-with-causes.ts'
import { EntryError } from './strip-types.ts'

const maxResultBytes = 8 * 1024 * 1024
const unsettled = 'The program ended while a promise it waits for was still pending'
const home = process.cwd()
let hasVerdict = false
let source: EntrySource | undefined
let entry = { name: '', url: '' }

listen((message) => {
  if (message.type === 'start') void run(message.program)
  else if (message.type === 'answer') takeAnswer(message)
})

async function run(program: StartProgram): Promise<void> {
  keepAlive(false)
  given.capabilities = program.capabilities
  given.input = fromWire(program.input ?? { $: 'undefined' })
  const path = join(home, program.entry)
  const url = pathToFileURL(path).href
  entry = { name: program.entry, url }
  process.argv = [process.argv0, path, ...(program.args ?? [])]
  process.on('uncaughtException', (error) => {
    // a program with a listener of its own goes on, as in Node
    if (process.listenerCount('uncaughtException') === 1) fail(error)
  })
  process.on('beforeExit', () => {
    if (!hasVerdict) fail(new Error(unsettled))
  })
  takeOutput()
  const { display, env } = await import('./coherex.ts')
  // what a script finds in the isolate, it finds here
  Object.assign(globalThis, { display, env, input: given.input })

  try {
    const isTypeScript = program.language === 'typescript' || /\.[mc]?ts$/.test(program.entry)
    const isCommonJs = /\.c[jt]s$/.test(program.entry)
    source = readEntry(program.code, url, { isTypeScript, isCommonJs })
    // the name it has where it runs, see compile-guest.ts
    const coherex = new URL('./coherex.js', import.meta.url).href
    const bundles = createBundles(program.bundles ?? {})
    const { set } = program
    hookModules({ home, coherex, bundles, ...(set && { set }), entry: { url, code: source.code, isCommonJs } })
    if (!isCommonJs) offerCommonJs(path)
    let last: { value: unknown } | undefined
    Object.assign(globalThis, { [lastValue]: (value: unknown) => ((last = { value }), value) })
    const exported = isCommonJs ? filled(loadCommonJs(path)) : await importEntry(url)
    if (typeof exported === 'function') {
      tell(await (exported as (env: unknown, input: unknown) => unknown)(env, given.input))
      process.exit()
    }
    tell(exported === undefined ? await last?.value : exported)
  } catch (error) {
    fail(error)
  }
}

function tell(value: unknown): void {
  const json = encodeResult(value, maxResultBytes)
  hasVerdict = true
  send(json === undefined ? { type: 'result' } : { type: 'result', value: JSON.parse(json) as unknown })
}

function fail(error: unknown): never {
  // a rejection after the result is still the program's failure, the first one counts
  if (!hasVerdict || error instanceof Error) send({ type: 'error', error: describe(error) })
  process.exit(1)
}

function describe(error: unknown): GuestError {
  if (error instanceof EntryError) {
    const { line, column } = error
    return {
      kind: 'syntax',
      message: `SyntaxError: ${error.message}`,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }
  }
  if (!(error instanceof Error)) return { kind: 'runtime', message: `Uncaught ${inspect(error).slice(0, 4000)}` }
  const stack = ownStack(error)
  return {
    kind: kindOf(error),
    message: `${error.name}: ${error.message}`.slice(0, 4000),
    ...placeInEntry(stack),
    stack: stack.slice(0, 16_000),
  }
}

/** The innermost place in the entry file: lines of other files, Node's own among them, would be taken for its lines. */
function placeInEntry(stack: string): { line?: number; column?: number } {
  for (const frame of stack.split('\n')) {
    const at = /^\s+at (?:.*\(|async )?(.+):(\d+):(\d+)\)?$/.exec(frame)
    if (at?.[1] === entry.name) return { line: Number(at[2]), column: Number(at[3]) }
  }
  return {}
}

function kindOf(error: Error): GuestError['kind'] {
  if (error instanceof ResultError) return 'output'
  return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'denied' : 'runtime'
}

/** The stack in the program's own files and columns. */
function ownStack(error: Error): string {
  const shift = source?.shift
  return stackWithCauses(error)
    .split('\n')
    .filter((line) => !/\/opt\/coherex\/|node:internal/.test(line))
    .map((line) => line.replaceAll(entry.url, entry.name).replaceAll(`file://${home}/`, '').replaceAll(`${home}/`, ''))
    .map((line) =>
      line.replace(/:(\d+):(\d+)(\)?)$/, (all, row: string, column: string, end: string) => {
        if (!shift || Number(row) !== shift.line || Number(column) <= shift.column) return all
        return `:${row}:${Math.max(Number(column) - shift.width, shift.column)}${end}`
      }),
    )
    .join('\n')
}

async function importEntry(url: string): Promise<unknown> {
  const module = (await import(url)) as { default?: unknown }
  return module.default ?? filled((globalThis as unknown as { module: { exports: unknown } }).module.exports)
}

/** As Node loads what it was started with: sloppy, with `this`, `arguments` and a `require.main` of its own. */
function loadCommonJs(path: string): unknown {
  const { _load } = NodeModule as unknown as { _load(path: string, parent: null, isMain: boolean): unknown }
  return _load(path, null, true)
}

// any other entry is a module; programs written as CommonJS find their words all the same
function offerCommonJs(path: string): void {
  const module = { exports: {} }
  // `require.main === module` is how a script knows that it is the one that was started
  const require = Object.assign(createRequire(path), { main: module })
  Object.assign(globalThis, { require, module, exports: module.exports, __filename: path, __dirname: dirname(path) })
}

/** What a module that was written as CommonJS exports, if it does. */
function filled(exports: unknown): unknown {
  const isEmpty = typeof exports === 'object' && exports !== null && Object.keys(exports).length === 0
  return isEmpty ? undefined : exports
}

/** All that the program writes goes one way, so that it stays in order; the levels of the console are streams of their own. */
function takeOutput(): void {
  takeConsole((stream, text) => send({ type: 'output', stream, text }))
  for (const stream of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    process[stream].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))
      if (text !== '') send({ type: 'output', stream, text })
      const callback = rest.find((one) => typeof one === 'function')
      if (callback) process.nextTick(callback as () => void)
      return true
    }
  }
}
