import { createHash } from 'node:crypto'
import {
  isPlainPath,
  CoherexError,
  languageFacts,
  type GivenFile,
  type Language,
  type Run,
  type RunRequest,
} from '@coherex/contract'
import { importsDataStack, memoryMbOf, type Limits, type Program } from '../runtimes/index.ts'

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

/** The program of a request, with what the caller left out filled in. */
export function toProgram(request: RunRequest): Program {
  const entry = request.entry ?? languageFacts[request.language].entry
  if (!isPlainPath(entry)) throw new CoherexError('invalid_input', 'entry: must be a relative path')
  // entries and not an object: an entry may be called "constructor"
  const given = new Map(Object.entries(request.files ?? {}))
  const shadowed = given.get(entry)
  given.delete(entry)
  return {
    language: request.language,
    // without code the entry is one of the files: a module, or a file that is there anyway
    code: request.code === '' && shadowed !== undefined ? codeOf(shadowed, request.language) : request.code,
    entry,
    files: Object.fromEntries(Array.from(given, ([path, file]) => [path, toContent(file)])),
    ...(request.input === undefined ? {} : { input: request.input }),
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    args: request.args ?? [],
    env: request.env ?? {},
    // told apart when its files are known
    packages: [],
    typecheck: request.typecheck ?? false,
    readOnly: request.readOnly ?? false,
  }
}

function codeOf(file: GivenFile, language: Language): string {
  if (typeof file === 'string') return file
  return language === 'wasm' ? file.base64 : Buffer.from(file.base64, 'base64').toString('utf8')
}

function toContent(file: GivenFile): string | Uint8Array {
  return typeof file === 'string' ? file : new Uint8Array(Buffer.from(file.base64, 'base64'))
}

/** A program's files as they came, to be kept and told again. */
export function toGivenFiles(files: Program['files']): Record<string, GivenFile> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : { base64: Buffer.from(content).toString('base64') },
    ]),
  )
}

/** The workspace a run was started in. */
export function workspaceOf({ workspaceId, workspaceVersion }: Partial<RunRequest>): Pick<Run, 'workspace'> {
  if (workspaceId === undefined || workspaceVersion === undefined) return {}
  return { workspace: { id: workspaceId, version: workspaceVersion } }
}

/** What names a program: the same text in the same places is the same program. */
export function hashProgram({ code, entry, files }: Program): string {
  const hash = createHash('sha256').update(JSON.stringify([entry, code]))
  const given = toGivenFiles(files)
  for (const path of Object.keys(given).sort()) hash.update(JSON.stringify([path, given[path]]))
  return hash.digest('hex')
}

/** Limits by default, or as asked within what anyone may ask. */
export function toLimits({ language, code, limits = {} }: RunRequest): Limits {
  const script = language === 'javascript' || language === 'typescript'
  const memoryMb =
    language === 'python' && importsDataStack(code) ? 1024 : (memoryMbOf(language) ?? defaultRunLimits.memoryMb)
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
