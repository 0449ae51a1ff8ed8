import type { Language } from '@coherex/contract'
import { findLanguages, type GuestCommand, type ProcessRuntime } from '../process/index.ts'
import type { Outcome, RunOptions, Runtime } from '../runtime.ts'
import type { Engine } from './engines.ts'
import { wasmLanguages } from './wasm-languages.ts'

export interface WasmRuntimeOptions {
  /** Makes the sandboxes: an engine is no boundary by itself. */
  sandboxes: Pick<ProcessRuntime, 'runCommand' | 'health'>
  engine: Engine
}

// what an engine needs beside the memory of its module
const engineMb = 96

/** WASI modules in a sandboxed engine, and C that is compiled to one first. */
export function createWasmRuntime({ sandboxes, engine }: WasmRuntimeOptions): Runtime {
  const languages = findLanguages(wasmLanguages)
  let isClosed = false
  const unavailable = () =>
    isClosed ? 'it is closed' : sandboxes.health().available ? undefined : sandboxes.health().reason

  return {
    name: 'wasm',
    health() {
      const reason = unavailable()
      return { available: reason === undefined, ...(reason !== undefined && { reason }) }
    },
    refuses(program) {
      const reason = unavailable()
      if (reason) return `no sandbox can be made: ${reason}`
      const found = languages.get(program.language)
      if (!found) return `it does not run ${program.language}`
      if (found.missing) return found.missing
      if (program.typecheck) return 'it does not check types'
      if (program.fixed) return 'its clock cannot be fixed'
      return program.packages.length > 0 ? 'it offers no packages' : undefined
    },
    language: (name: Language) => languages.get(name),
    async run(program, options) {
      if (isClosed) throw new Error('The runtime is closed')
      const isModule = program.language === 'wasm'
      if (isModule && !isBase64(program.code))
        return invalid('The code of a WebAssembly program is its module as base64')
      const compile = languages.get(program.language)?.command?.compile
      const command: GuestCommand = {
        ...engine.command(compile ? '{built}' : '{entry}', program, options.limits),
        ...(compile && { compile, errors: languages.get(program.language)?.command?.errors ?? noPatterns }),
        ...(isModule && { isBinary: true }),
      }
      return tellMemory(await sandboxes.runCommand(program, withEngine(options), command), options)
    },
    // its sandboxes are those of the process runtime, which is warmed and closed by itself
    warm: async () => {},
    close: async () => void (isClosed = true),
  }
}

const noPatterns = { compile: [], run: [] }

function withEngine(options: RunOptions): RunOptions {
  return { ...options, limits: { ...options.limits, memoryMb: options.limits.memoryMb + engineMb } }
}

/** In the words of whoever asked: the engine's own part is none of their business. */
function tellMemory(outcome: Outcome, { limits }: RunOptions): Outcome {
  if (outcome.error?.kind !== 'memory') return outcome
  return {
    ...outcome,
    error: { ...outcome.error, message: `The module needed more than ${limits.memoryMb} MB of memory` },
  }
}

function isBase64(code: string): boolean {
  const text = code.replace(/\s+/g, '')
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function invalid(message: string): Outcome {
  const nothing = { files: [], truncated: false, durationMs: 0, peakMemoryMb: null, signs: [] }
  return { status: 'failed', error: { kind: 'validation', message }, ...nothing }
}
