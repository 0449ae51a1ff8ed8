import {
  applyFix,
  largestLimits,
  readRequirements,
  type Fix,
  type RunProgram,
  type RunRequest,
} from '@coherex/contract'

/** The options as they are typed. */
export interface TypedOptions {
  input: string
  stdin: string
  /** One a line. */
  args: string
  /** One NAME=value a line. */
  env: string
  seconds: string
  memoryMb: string
  outputKb: string
  /** One URL prefix a line. */
  allow: string
  /** Requirements with spaces between. */
  packages: string
  typecheck: boolean
  readOnly: boolean
  runtime: 'any' | 'isolate' | 'process' | 'wasm'
}

export const noOptions: TypedOptions = {
  input: '',
  stdin: '',
  args: '',
  env: '',
  seconds: '',
  memoryMb: '',
  outputKb: '',
  allow: '',
  packages: '',
  typecheck: false,
  readOnly: false,
  runtime: 'any',
}

export type OptionName = keyof TypedOptions
type OptionErrors = Partial<Record<OptionName, string>>
/** What the options add to the request of a run. */
export type RequestPart = Omit<RunRequest, 'language' | 'code' | 'files' | 'entry'>

/** What is typed as the API wants it, or what is wrong with it field by field. */
export function readOptions(options: TypedOptions): { part: RequestPart; errors: OptionErrors } {
  const part: RequestPart = {}
  const errors: OptionErrors = {}

  if (options.input.trim() !== '') {
    try {
      part.input = JSON.parse(options.input) as NonNullable<RunRequest['input']>
    } catch (error) {
      errors.input = `Not JSON: ${(error as Error).message}`
    }
  }
  if (options.stdin !== '') part.stdin = options.stdin
  const args = linesOf(options.args)
  if (args.length > 0) part.args = args

  const env = linesOf(options.env).map((line) => /^\s*([A-Za-z_]\w{0,127})=(.*)$/.exec(line))
  if (env.includes(null)) errors.env = 'One NAME=value on each line; names have letters, digits and _'
  else if (env.length > 0) part.env = Object.fromEntries(env.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))

  const limits: NonNullable<RunRequest['limits']> = {}
  const number = (name: 'seconds' | 'memoryMb' | 'outputKb', least: number, most: number) => {
    const typed = options[name].trim().replace(',', '.')
    if (typed === '') return undefined
    const value = Number(typed)
    if (value >= least && value <= most) return value
    errors[name] = `Between ${least} and ${most}`
    return undefined
  }
  const seconds = number('seconds', 0.01, largestLimits.timeoutMs / 1000)
  const memoryMb = number('memoryMb', 16, largestLimits.memoryMb)
  const outputKb = number('outputKb', 0, largestLimits.outputBytes / 1000)
  if (seconds !== undefined) limits.timeoutMs = Math.round(seconds * 1000)
  if (memoryMb !== undefined) limits.memoryMb = Math.round(memoryMb)
  if (outputKb !== undefined) limits.outputBytes = Math.round(outputKb * 1000)
  if (Object.keys(limits).length > 0) part.limits = limits

  const allow = linesOf(options.allow).map((line) => line.trim())
  const wrong = allow.find((prefix) => !/^https?:\/\/[^\s/]/.test(prefix))
  const wild = allow.find((prefix) => prefix.includes('*'))
  if (wrong !== undefined) errors.allow = `Not an address that starts with https:// or http://: ${wrong}`
  else if (wild !== undefined)
    errors.allow = `There are no wildcards: write https://host/ for a whole host, instead of ${wild}`
  else if (allow.length > 0) part.network = { allow }

  const packages = readRequirements(options.packages)
  if (packages.length > 0) part.packages = packages
  if (options.typecheck) part.typecheck = true
  if (options.readOnly) part.readOnly = true
  if (options.runtime !== 'any') part.runtime = options.runtime
  return { part, errors }
}

/** The options of a run that was, ready to be typed on. Variables are not told, so they start empty. */
export function writeOptions(options: RunProgram['options']): TypedOptions {
  const { language, input, stdin, args, limits, network, packages, typecheck, readOnly, runtime } = options
  return {
    ...noOptions,
    input: input === undefined ? '' : JSON.stringify(input, null, 2),
    stdin: stdin ?? '',
    args: args?.join('\n') ?? '',
    seconds: limits?.timeoutMs === undefined ? '' : String(limits.timeoutMs / 1000),
    memoryMb: limits?.memoryMb === undefined ? '' : String(limits.memoryMb),
    outputKb: limits?.outputBytes === undefined ? '' : String(limits.outputBytes / 1000),
    allow: network?.allow.join('\n') ?? '',
    packages: packages?.join(' ') ?? '',
    // runs from before it was refused elsewhere may have asked for it
    typecheck: language === 'typescript' && typecheck === true,
    readOnly: readOnly ?? false,
    runtime: runtime === 'isolate' || runtime === 'process' || runtime === 'wasm' ? runtime : 'any',
  }
}

/** The options with a fix of a run that had them. */
export function fixOptions(options: TypedOptions, fix: Fix & { stdin: string | undefined }): TypedOptions {
  const part = applyFix(readOptions(options).part, fix)
  // what is typed stays as it is typed
  return { ...writeOptions({ language: 'typescript', ...part }), input: options.input, env: options.env }
}

/** A list of addresses with those of a preset, each once. */
export function addPreset(typed: string, allow: readonly string[]): string {
  return [...new Set([...linesOf(typed).map((line) => line.trim()), ...allow])].join('\n')
}

/** Options as they were before they were reset, beside what was typed since. */
export function undoReset(before: TypedOptions, now: TypedOptions): TypedOptions {
  const since = differences(now, noOptions).map((name) => [name, now[name]])
  return { ...before, ...Object.fromEntries(since) }
}

/** How many differ from what one gets without asking, of all or of those that apply. */
export function countOptions(options: TypedOptions, only?: readonly OptionName[]): number {
  return differences(options, noOptions).filter((name) => only?.includes(name) ?? true).length
}

function differences(some: TypedOptions, others: TypedOptions): OptionName[] {
  const bare = (value: string | boolean) => (typeof value === 'string' ? value.trim() : value)
  const names = Object.keys(noOptions) as OptionName[]
  return names.filter((name) => bare(some[name]) !== bare(others[name]))
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
