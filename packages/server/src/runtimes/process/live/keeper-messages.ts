/**
 * What the host and the keeper inside say to each other, in frames as everywhere: a body is JSON, or the byte 1, a stream's
 * number (32 bits) and its bytes. `guest/keeper/channel.py` is the other end.
 */
export const dataMark = 1
export const dataHeaderBytes = 5
/** To the keeper, and from it: only lists of files are large. */
export const maxFrameBytes = { toKeeper: 1024 * 1024, fromKeeper: 4 * 1024 * 1024 }
/** What a stream may have under way in one direction before the other side grants more. */
export const windowBytes = 256 * 1024
export const pieceBytes = 64 * 1024
/** Streams that begin inside have numbers from here on; those of the host are below. */
export const firstGuestStream = 2 ** 31

export type ToKeeper =
  | ({ type: 'ask'; id: number; streams?: number[] } & Question)
  | { type: 'credit'; stream: number; bytes: number }
  | { type: 'end'; stream: number }
  | { type: 'reset'; stream: number }

export type Question =
  | { act: 'begin'; env: Record<string, string>; openFiles: number; sets?: Record<string, string | null> }
  | ({
      act: 'start'
      process: number
      argv: string[]
      env: Record<string, string>
      cwd: string
    } & ({ stdio: 'session' } | { stdio: 'pipes' } | { stdio: 'terminal'; columns: number; rows: number }))
  | { act: 'signal'; process: number; signal: number; whole: boolean }
  | { act: 'resize'; process: number; columns: number; rows: number }
  | { act: 'stat' | 'read' | 'make-directory' | 'remove'; path: string }
  | { act: 'write'; path: string; kept?: { isExecutable: boolean; modifiedAt: number } }
  | { act: 'link'; path: string; target: string; modifiedAt: number }
  | { act: 'set-time'; path: string; modifiedAt: number }
  | { act: 'list'; path: string; recursive: boolean }
  | { act: 'move'; path: string; to: string }
  | { act: 'disk' }
  /** By language; null where it has none. */
  | { act: 'use'; sets: Record<string, string | null> }
  | { act: 'watch'; watch: number; path: string }
  | { act: 'unwatch'; watch: number }
  | { act: 'connect'; port: number }
  | { act: 'listen'; listener: number; port: number }
  | { act: 'unlisten'; listener: number }

export type FromKeeper =
  | { type: 'ready' }
  | { type: 'told'; id: number; value: unknown }
  | { type: 'told'; id: number; error: string }
  | { type: 'credit'; stream: number; bytes: number }
  | { type: 'end'; stream: number }
  | { type: 'closed'; stream: number }
  | { type: 'exited'; process: number; code: number | null; signal: number | null }
  | { type: 'changed'; watch: number; changes: { path: string; change: 'written' | 'removed' }[] }
  | { type: 'incoming'; listener: number; stream: number }

const maxChanges = 1000

/** A keeper's message if it has the shape of one; whoever wrote it may be hostile. */
export function readKeeperMessage(message: unknown): FromKeeper | undefined {
  if (!isRecord(message)) return undefined
  const { id, stream, bytes, process, watch, listener } = message
  switch (message['type']) {
    case 'ready':
      return { type: 'ready' }
    case 'told': {
      if (!isCount(id)) return undefined
      if (!Object.hasOwn(message, 'error')) return { type: 'told', id, value: message['value'] }
      const { error } = message
      return typeof error === 'string' && /^E[A-Z0-9]{1,20}$/.test(error) ? { type: 'told', id, error } : undefined
    }
    case 'credit':
      return isCount(stream) && isCount(bytes) ? { type: 'credit', stream, bytes } : undefined
    case 'end':
    case 'closed':
      return isCount(stream) ? { type: message['type'], stream } : undefined
    case 'exited': {
      const { code, signal } = message
      if (!isCount(process) || !isCountOrNull(code) || !isCountOrNull(signal)) return undefined
      return { type: 'exited', process, code, signal }
    }
    case 'changed': {
      const changes = readChanges(message['changes'])
      return isCount(watch) && changes ? { type: 'changed', watch, changes } : undefined
    }
    case 'incoming':
      return isCount(listener) && isCount(stream) ? { type: 'incoming', listener, stream } : undefined
    default:
      return undefined
  }
}

function readChanges(changes: unknown): { path: string; change: 'written' | 'removed' }[] | undefined {
  if (!Array.isArray(changes) || changes.length > maxChanges) return undefined
  const read = changes.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item['path'] !== 'string') return []
    const change = (['written', 'removed'] as const).find((known) => known === item['change'])
    return change ? [{ path: item['path'], change }] : []
  })
  return read.length === changes.length ? read : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isCountOrNull(value: unknown): value is number | null {
  return value === null || isCount(value)
}
