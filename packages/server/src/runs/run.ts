import { createHash } from 'node:crypto'
import { isPlainPath, CoherexError, type Language, type Run, type RunRequest } from '@coherex/contract'
import type { Limits, Program } from '../runtimes/index.ts'

const entryNames: Record<Language, string> = {
  javascript: 'main.js',
  typescript: 'main.ts',
  python: 'main.py',
  bash: 'main.sh',
  node: 'main.mjs',
}

/** What a run gets that asks for nothing. */
export const defaultRunLimits: Limits = {
  timeoutMs: 30_000,
  cpuMs: 30_000,
  memoryMb: 256,
  outputBytes: 1_000_000,
  processes: 64,
  openFiles: 256,
  diskMb: 64,
  inodes: 10_000,
}

// no \s where a line begins: over a million empty lines it would look at each of them again from every other
const dataStack = /^[ \t]*(?:import|from)[ \t]+(?:numpy|pandas|matplotlib|scipy|sklearn|seaborn)\b/m

/** The program of a request, with what the caller left out filled in. */
export function toProgram(request: RunRequest): Program {
  const entry = request.entry ?? entryNames[request.language]
  if (!isPlainPath(entry)) throw new CoherexError('invalid_input', 'entry: must be a relative path')
  const { [entry]: _shadowed, ...files } = request.files ?? {}
  return {
    language: request.language,
    code: request.code,
    entry,
    files,
    ...(request.input === undefined ? {} : { input: request.input }),
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    env: request.env ?? {},
    packages: request.packages ?? [],
    typecheck: request.typecheck ?? false,
    readOnly: request.readOnly ?? false,
  }
}

/** What names a program: the same text in the same places is the same program. */
export function hashProgram({ code, entry, files }: Program): string {
  const hash = createHash('sha256').update(JSON.stringify([entry, code]))
  for (const path of Object.keys(files).sort()) hash.update(JSON.stringify([path, files[path]]))
  return hash.digest('hex')
}

/** Limits by default, or as asked within what anyone may ask. */
export function toLimits({ language, code, limits = {} }: RunRequest): Limits {
  const script = language === 'javascript' || language === 'typescript'
  const memoryMb = script ? 128 : language === 'python' && dataStack.test(code) ? 1024 : defaultRunLimits.memoryMb
  const timeoutMs = limits.timeoutMs ?? defaultRunLimits.timeoutMs
  return {
    ...defaultRunLimits,
    timeoutMs,
    cpuMs: script && !limits.timeoutMs ? 10_000 : timeoutMs,
    memoryMb: limits.memoryMb ?? memoryMb,
    outputBytes: limits.outputBytes ?? defaultRunLimits.outputBytes,
  }
}

export function hasEnded(run: Pick<Run, 'status'>): boolean {
  return run.status === 'succeeded' || run.status === 'failed' || run.status === 'cancelled'
}
