// Runs a WASI module: its command line, its streams and one directory, nothing else. Started by the driver as
// `main.cjs <megabytes> <module> [arguments]`.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { WASI } from 'node:wasi'
import { listen, send } from '../../process/guest/node/channel.ts'
import type { GuestError, StartProgram } from '../../protocol/messages.ts'
import { takeOutput } from './output.ts'

const [, , megabytes = '', modulePath = '', ...args] = process.argv
const limitBytes = Number(megabytes) * 1024 * 1024
const pageBytes = 65_536
// an allocator that was refused its next piece stops short of the limit by up to that piece
const nearlyFull = 0.85
const abortExit = 134
const notCapable = 76

const forwarded = ['COHEREX_INPUT', 'COHEREX_INPUT_FILE', 'COHEREX_RESULT']

listen((message) => {
  if (message.type === 'start') run(message.program)
})

function run(program: StartProgram): void {
  // before the module is compiled: growing past it fails inside, where the program can see it
  setFlagsFromString(`--wasm-max-mem-pages=${Math.floor(limitBytes / pageBytes)}`)
  const module = compile()
  const wasi = new WASI({
    version: 'preview1',
    args: [program.entry, ...args],
    env: { ...program.env, ...ownVariables() },
    preopens: { '/': process.cwd(), '/tmp': '/tmp' },
    returnOnExit: true,
  })
  const instance = instantiate(module, wasi)
  const { memory } = instance.exports
  const isFull = () =>
    memory instanceof WebAssembly.Memory &&
    memory.buffer.byteLength >= Math.min(limitBytes * nearlyFull, limitBytes - pageBytes)
  let code: number
  try {
    code = wasi.start(instance) ?? 0
  } catch (error) {
    return fail({ ...describeTrap(error), ...(isFull() && outOfMemory()) })
  }
  if (code !== 0 && isFull()) return fail(outOfMemory(), code)
  process.exit(code)
}

function compile(): WebAssembly.Module {
  try {
    return new WebAssembly.Module(readFileSync(modulePath))
  } catch (error) {
    return fail({ kind: 'syntax', message: `The module cannot be read: ${textOf(error)}` })
  }
}

function instantiate(module: WebAssembly.Module, wasi: WASI): WebAssembly.Instance {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name))
  if (!names.has('_start') || !names.has('memory')) {
    return fail({ kind: 'validation', message: 'The module is no WASI command: it must export _start and memory' })
  }
  const unknown = WebAssembly.Module.imports(module).find(
    (one) => one.module !== 'wasi_snapshot_preview1' || !Object.hasOwn(wasi.wasiImport, one.name),
  )
  if (unknown) {
    return fail({
      kind: 'validation',
      message: `The module needs "${unknown.module}.${unknown.name}", which is not WASI preview 1`,
    })
  }
  const imports = {
    ...(wasi.wasiImport as Record<string, WebAssembly.ImportValue>),
    // Node follows a link in the middle of a path wherever it leads; a module that can make none finds none
    path_symlink: () => notCapable,
  }
  try {
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: takeOutput(imports, () => memoryOf(instance)),
    })
    return instance
  } catch (error) {
    if (error instanceof RangeError) return fail(outOfMemory())
    return fail({ kind: 'validation', message: `The module cannot be started: ${textOf(error)}` })
  }
}

function memoryOf(instance: WebAssembly.Instance): WebAssembly.Memory {
  return instance.exports['memory'] as WebAssembly.Memory
}

function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    forwarded.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function describeTrap(error: unknown): GuestError {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /wasm(?::|-function)/.test(line))
  const where = frames.map((line) => line.replace(/wasm:\/\/wasm\/[0-9a-f-]*/, 'module').trim()).join('\n')
  return { kind: 'runtime', message: `The module trapped: ${textOf(error)}`, ...(where !== '' && { stack: where }) }
}

function outOfMemory(): GuestError {
  return { kind: 'memory', message: `The module needed more than ${megabytes} MB of memory` }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function fail(error: GuestError, code = abortExit): never {
  send({ type: 'error', error })
  process.exit(code)
}
