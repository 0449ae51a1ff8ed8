import { readFile, stat } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import {
  CoherexError,
  isPlainPath,
  languages,
  readRequirements,
  runRequest,
  type GivenFile,
  type Language,
  type RunRequest,
} from '@coherex/contract'
import type { Context } from '../context.ts'
import { guessLanguage } from './guess-language.ts'

/** What `coherex run` was asked for, as it was typed. */
export interface RunOptions {
  language?: Language
  input?: string
  file?: string[]
  stdin?: string
  args?: string[]
  env?: string[]
  timeout?: number
  memory?: number
  maxOutput?: number
  runtime?: RunRequest['runtime']
  allow?: string[]
  with?: string[]
  /** As `with` was called before. */
  package?: string[]
  typecheck?: boolean
  keep?: string[]
}

/** The request a command line means; what is wrong with it is said in the words of the options. */
export async function readRunRequest(context: Context, program: string, options: RunOptions): Promise<RunRequest> {
  if (program === '-' && options.stdin === '-') {
    throw new CoherexError('invalid_input', 'Standard input is the program already; give --stdin a file')
  }
  const { file = [], env = [], allow = [], keep = [] } = options
  const packages = [...(options.with ?? []), ...(options.package ?? [])].flatMap(readRequirements)
  const isModule = (options.language ?? guessLanguage(program, '')) === 'wasm'
  const code = isModule
    ? (await readBytes(context, program)).toString('base64')
    : withoutMark(await readText(context, program))
  const language = options.language ?? guessLanguage(program, code)
  if (!language) {
    const name = program === '-' ? 'what was piped in' : `"${program}"`
    throw new CoherexError(
      'invalid_input',
      `Cannot tell the language of ${name}; give --language ${languages.join(', ')}`,
    )
  }
  const limits = {
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
    ...(options.memory === undefined ? {} : { memoryMb: options.memory }),
    ...(options.maxOutput === undefined ? {} : { outputBytes: options.maxOutput }),
  }
  const request = {
    language,
    code: hashbangLanguages.has(language) ? withoutHashbang(code) : code,
    // without code, an entry would be one of the files
    ...(program !== '-' && code !== '' && isPlainPath(basename(program)) ? { entry: basename(program) } : {}),
    ...(options.args && options.args.length > 0 ? { args: options.args } : {}),
    ...(file.length > 0 ? { files: await readFiles(context, file) } : {}),
    ...(options.input === undefined ? {} : { input: await readInput(context, options.input) }),
    ...(options.stdin === undefined ? {} : { stdin: await readText(context, options.stdin) }),
    ...(env.length > 0 ? { env: readVariables(context, env) } : {}),
    ...(options.runtime ? { runtime: options.runtime } : {}),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(allow.length > 0 ? { network: { allow } } : {}),
    ...(packages.length > 0 ? { packages } : {}),
    ...(options.typecheck ? { typecheck: true } : {}),
    ...(keep.length > 0 ? { keep } : {}),
  }
  const parsed = runRequest.safeParse(request)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  // a wrong name, as of a file or a variable, is a problem inside the problem
  const message =
    issue?.code === 'invalid_key' ? `"${String(issue.path.at(-1))}": ${issue.issues[0]?.message}` : issue?.message
  throw new CoherexError('invalid_input', `${nameOption(issue?.path.join('.') ?? '')}: ${message}`)
}

const optionOf: [field: string, option: string][] = [
  ['limits.timeoutMs', '--timeout (in ms)'],
  ['limits.memoryMb', '--memory (in MB)'],
  ['limits.outputBytes', '--max-output (in bytes)'],
  ['network', '--allow'],
  ['files', '--file'],
  ['packages', '--with'],
  ['env', '--env'],
]

const nameOption = (field: string): string => optionOf.find(([name]) => field.startsWith(name))?.[1] ?? `--${field}`

const hashbangLanguages = new Set<Language>(['javascript', 'typescript', 'node'])

// a script is wrapped before it runs, and a hashbang counts only at the very start; columns and lines stay as they are
const withoutHashbang = (code: string): string => code.replace(/^#!/, '//')

// how some editors mark UTF-8: it is no part of a program or of JSON. What a program reads has every byte it has here
const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

async function readFiles(context: Context, given: string[]): Promise<Record<string, GivenFile>> {
  const files: Record<string, GivenFile> = {}
  for (const one of given) {
    const [path, name] = await splitName(context, one)
    const bytes = await readBytes(context, path)
    files[name] = decodeText(bytes) ?? { base64: bytes.toString('base64') }
  }
  return files
}

/** `PATH=NAME`; a file whose own name has the sign in it is meant as it is. */
async function splitName({ settings }: Context, given: string): Promise<[path: string, name: string]> {
  const sign = given.lastIndexOf('=')
  const exists = await stat(resolve(settings.directory, given)).then(
    () => true,
    () => false,
  )
  if (sign > 0 && !exists) return [given.slice(0, sign), given.slice(sign + 1)]
  const below = relative(settings.directory, resolve(settings.directory, given)).replaceAll('\\', '/')
  return [given, below.startsWith('../') || isAbsolute(below) ? basename(given) : below]
}

async function readInput(context: Context, given: string): Promise<RunRequest['input']> {
  const text = given.startsWith('@') ? withoutMark(await readText(context, given.slice(1))) : given
  try {
    return JSON.parse(text) as RunRequest['input']
  } catch (cause) {
    throw new CoherexError('invalid_input', `--input is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** `NAME=VALUE`, or `NAME` for the value it has here, which then is in no process list. */
function readVariables({ settings }: Context, given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const sign = one.indexOf('=')
      if (sign >= 0) return [one.slice(0, sign), one.slice(sign + 1)]
      const value = settings.environment[one]
      if (value === undefined) throw new CoherexError('invalid_input', `--env: there is no variable ${one} here`)
      return [one, value]
    }),
  )
}

export async function readText(context: Context, path: string): Promise<string> {
  const text = decodeText(await readBytes(context, path))
  if (text === undefined) throw new CoherexError('invalid_input', `Cannot send ${path}: it is not UTF-8 text`)
  return text
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

async function readBytes({ settings, terminal }: Context, path: string): Promise<Buffer> {
  if (path === '-') return Buffer.from(await terminal.readInput())
  return readFile(resolve(settings.directory, path)).catch((error: NodeJS.ErrnoException) => {
    const reason = (error.code && reasons[error.code]) ?? error.message
    throw new CoherexError('invalid_input', `Cannot read ${path}: ${reason}`, { cause: error })
  })
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // not text: whoever asks says what that means
    return undefined
  }
}
