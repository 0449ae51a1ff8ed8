// Runs on both sides of the pipe, as frame.ts does.
import type { WireValue } from './value.ts'

/** What a fresh guest needs to run its one program. Files come before, in `file` messages. */
export interface StartProgram {
  language: string
  code: string
  entry: string
  /** As toWire() made it; absent when the caller gave none. */
  input?: WireValue
  stdin?: string
  args?: string[]
  env: Record<string, string>
  packages: string[]
  /** Where a JavaScript program finds the packages it imports, by specifier; absent where it imports none. */
  bundles?: Record<string, string>
  /** Packages of the program, at their place inside. */
  set?: { language: 'javascript' | 'python'; path: string; modules: readonly string[] }
  readOnly: boolean
  /** Which capabilities the guest holds, and their methods. */
  capabilities: Record<string, string[]>
  outputBytes: number
  /** Patterns of files to hand back; absent means all. */
  keep?: string[]
  /** Bounds on what is handed back. */
  filesOut: { maxBytes: number; maxFiles: number }
}

/** Host to guest. */
export type HostMessage =
  | { type: 'file'; path: string; base64: string; last: boolean }
  | { type: 'start'; program: StartProgram }
  | { type: 'answer'; id: number; value: WireValue }
  | { type: 'answer'; id: number; error: { code: string; message: string } }

export interface GuestError {
  kind: 'syntax' | 'runtime' | 'denied' | 'memory' | 'output' | 'validation'
  message: string
  line?: number
  column?: number
  stack?: string
  /** What the code ended with, where it is a cell's. */
  exitCode?: number
}

export interface GuestResult {
  value?: unknown
  /** The value as its language writes it, such as Python's repr. */
  text?: string
}

/** Guest to host, in this order: ready, started, (output, display, call)*, result or error, (file, link)*, done. */
export type GuestMessage =
  | { type: 'ready' }
  | { type: 'started' }
  | { type: 'output'; stream: GuestStream; text: string }
  | { type: 'display'; data: Record<string, unknown> }
  /** The guest holds back what it prints from here on: told at once, because a run that is ended says nothing more. */
  | { type: 'cut' }
  | { type: 'call'; id: number; capability: string; method: string; args: unknown }
  | ({ type: 'result' } & GuestResult)
  | { type: 'error'; error: GuestError }
  | { type: 'file'; path: string; base64: string; last: boolean }
  | { type: 'link'; path: string; target: string }
  | { type: 'done'; exitCode: number; truncated: boolean; filesLeftOut: number }

const guestStreams = ['stdout', 'stderr', 'log', 'info', 'warn', 'error', 'debug'] as const
export type GuestStream = (typeof guestStreams)[number]

// errors are shown in lists; a guest's own driver keeps them far shorter
const maxErrorText = 100_000
// somewhat more than the driver's own limit
const maxResultText = 12_000

const errorKinds = ['syntax', 'runtime', 'denied', 'memory', 'output', 'validation'] as const

/** A guest's message if it has the shape of one; whoever wrote it may be hostile. */
export function readGuestMessage(message: unknown): GuestMessage | undefined {
  if (!isRecord(message)) return undefined
  switch (message['type']) {
    case 'ready':
    case 'started':
    case 'cut':
      return { type: message['type'] }
    case 'output': {
      const { stream, text } = message
      const known = guestStreams.find((name) => name === stream)
      return known && typeof text === 'string' ? { type: 'output', stream: known, text } : undefined
    }
    case 'display': {
      const { data } = message
      return isRecord(data) && Object.keys(data).length > 0 ? { type: 'display', data } : undefined
    }
    case 'call': {
      const { id, capability, method, args } = message
      if (!isCount(id) || typeof capability !== 'string' || typeof method !== 'string') return undefined
      return { type: 'call', id, capability, method, args }
    }
    case 'result':
      return { type: 'result', ...readResult(message) }
    case 'error': {
      const error = readError(message['error'])
      return error && { type: 'error', error }
    }
    case 'file': {
      const { path, base64, last } = message
      if (typeof path !== 'string' || typeof base64 !== 'string' || typeof last !== 'boolean') return undefined
      return { type: 'file', path, base64, last }
    }
    case 'link': {
      const { path, target } = message
      return typeof path === 'string' && typeof target === 'string' ? { type: 'link', path, target } : undefined
    }
    case 'done': {
      const { exitCode, truncated, filesLeftOut } = message
      if (!Number.isInteger(exitCode) || typeof truncated !== 'boolean' || !isCount(filesLeftOut)) return undefined
      return { type: 'done', exitCode: Number(exitCode), truncated, filesLeftOut }
    }
    default:
      return undefined
  }
}

/** As an outcome has it. */
export function toResult(told: GuestResult): { result?: unknown; resultText?: string } {
  if (!('value' in told)) return {}
  return { result: told.value, ...(told.text !== undefined && { resultText: told.text }) }
}

export function readResult(message: Record<string, unknown>): GuestResult {
  if (!Object.hasOwn(message, 'value')) return {}
  const { value, text } = message
  return { value, ...(typeof text === 'string' && { text: text.slice(0, maxResultText) }) }
}

function readError(error: unknown): GuestError | undefined {
  if (!isRecord(error) || typeof error['message'] !== 'string') return undefined
  const kind = errorKinds.find((name) => name === error['kind'])
  if (!kind) return undefined
  const { message, line, column, stack, exitCode } = error
  return {
    kind,
    message: message.slice(0, maxErrorText),
    ...(isCount(line) && { line }),
    ...(isCount(column) && { column }),
    ...(typeof stack === 'string' && { stack: stack.slice(0, maxErrorText) }),
    ...(isCount(exitCode) && exitCode < 256 && { exitCode }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
