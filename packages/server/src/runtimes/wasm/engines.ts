import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { bindsOf, findProgram, type GuestCommand, programDirectories } from '../process/index.ts'
import type { Limits, Program } from '../runtime.ts'

/** What executes WASI modules. */
export interface Engine {
  name: 'node' | 'wasmtime' | 'wasmedge'
  binds: { host: string; guest: string }[]
  /** `module` is the file to run, as the driver names it. */
  command(
    module: '{entry}' | '{built}',
    program: Program,
    limits: Limits,
  ): Pick<GuestCommand, 'run' | 'env' | 'channel' | 'errors'>
}

const home = '/home/guest'
const pagesPerMb = 16
// set by the driver inside; an engine passes on only what it is told
const ownVariables = {
  COHEREX_RESULT: '/tmp/.coherex-build/result.json',
  COHEREX_INPUT_FILE: '/tmp/.coherex-build/input.json',
}

/** The operator's engine, else one of the machine, else Node's own. */
export function findEngine(wasmEdgePath?: string, directories: readonly string[] = programDirectories()): Engine {
  const edge = wasmEdgePath ?? findProgram('wasmedge', directories)
  if (edge && existsSync(edge)) return wasmEdge(edge)
  const time = findProgram('wasmtime', directories)
  return time ? wasmtime(time) : node
}

const node: Engine = {
  name: 'node',
  binds: [],
  command: (module, _program, { memoryMb }) => ({
    run: ['/opt/node/bin/node', '--no-warnings', '/opt/coherex/wasm/main.cjs', String(memoryMb), module],
    env: {},
    channel: 'socket',
    errors: { compile: [], run: [] },
  }),
}

const wasmtime = (path: string): Engine => ({
  name: 'wasmtime',
  binds: bindsOf(path),
  command: (module, program, { memoryMb }) => ({
    run: [
      ...[path, 'run', '--dir', `${home}::/`, '--dir', '/tmp::/tmp', '-W', `max-memory-size=${memoryMb * 1024 * 1024}`],
      ...Object.entries(variablesOf(program)).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...['--argv0', basename(program.entry), module],
    ],
    env: {},
    channel: 'none',
    errors: { compile: [], run: ['wasm trap: (?P<message>.*)$', '^Error: (?P<message>.*)$'] },
  }),
})

const wasmEdge = (path: string): Engine => ({
  name: 'wasmedge',
  binds: bindsOf(path),
  command: (module, program, { memoryMb }) => ({
    run: [
      ...[path, '--dir', `/:${home}`, '--dir', '/tmp:/tmp', '--memory-page-limit', String(memoryMb * pagesPerMb)],
      ...Object.entries(variablesOf(program)).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      module,
    ],
    env: {},
    channel: 'none',
    errors: {
      compile: [],
      run: ['(?:execution|loading|validation|instantiation) failed: (?P<message>.*?)(?:, Code.*)?$'],
    },
  }),
})

function variablesOf({ env, input }: Program): Record<string, string> {
  const { COHEREX_RESULT, COHEREX_INPUT_FILE } = ownVariables
  return { ...env, COHEREX_RESULT, ...(input !== undefined && { COHEREX_INPUT_FILE }) }
}
