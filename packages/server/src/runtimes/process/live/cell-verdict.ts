import type { RunError } from '@coherex/contract'
import type { Limits, Sign } from '../../runtime.ts'
import type { Exit } from './keeper-processes.ts'

/** What the host wanted of a cell before it ended by itself. */
export type Asked = 'timeout' | 'cancelled' | 'interrupted'

/** Why the host stopped listening to a cell. */
export type CellStop =
  | { why: 'done' }
  | { why: 'ended'; exit: Exit }
  | { why: 'flood' }
  | { why: 'broken'; reason: string }

export interface CellEnd {
  stop: CellStop
  asked: Asked | undefined
  told: { error: RunError; interrupted: boolean } | undefined
  /** Processes ended for lack of memory while it ran. */
  memoryKills: number
  limits: Pick<Limits, 'timeoutMs' | 'outputBytes'>
  memoryMb: number
}

export interface CellVerdict {
  status: 'succeeded' | 'failed' | 'cancelled'
  error?: RunError
  signs: Sign[]
}

/** Names the end of a cell. What the clock and the kernel say weighs more than what the session says. */
export function decideCellVerdict({ stop, asked, told, memoryKills, limits, memoryMb }: CellEnd): CellVerdict {
  const memory = limitKill('memory', `The sandbox needed more than ${memoryMb} MB of memory`)
  // before the clock: on a machine short of memory, a process that is ended for it takes its time to go
  if (asked === 'timeout' && stop.why === 'ended' && memoryKills > 0) return memory
  if (asked === 'timeout') return limitKill('timeout', `The cell took longer than ${limits.timeoutMs} ms`)
  if (asked === 'cancelled') return cancelled('The cell was cancelled')
  if (stop.why === 'flood') {
    const verdict = limitKill('output', `The cell wrote far more than ${limits.outputBytes} bytes`)
    return { ...verdict, signs: [...verdict.signs, { kind: 'protocol', detail: 'output went on after its limit' }] }
  }
  if (stop.why === 'broken') {
    return { ...failed('The code broke its session, whose variables are gone'), signs: [sign(stop.reason)] }
  }
  if (stop.why === 'ended') {
    if (memoryKills > 0) return memory
    const { code, signal } = stop.exit
    if (signal === 'SIGSYS') {
      const error = { kind: 'denied', message: 'The code made a system call that ends its session' } as const
      return { status: 'failed', error, signs: [{ kind: 'denied-syscall', detail: 'ended by SIGSYS' }] }
    }
    const how = signal ? `it was ended by ${signal}` : `it exited with code ${code ?? 'unknown'}`
    return failed(`The session ended, and its variables are gone: ${how}`, code)
  }
  if (asked === 'interrupted' && (told?.interrupted ?? false)) return cancelled('The cell was interrupted')
  if (!told) return { status: 'succeeded', signs: [] }
  const signs: Sign[] =
    told.error.kind === 'denied' ? [{ kind: 'denied-syscall', detail: told.error.message.slice(0, 300) }] : []
  return { status: 'failed', error: told.error, signs }
}

function failed(message: string, exitCode?: number | null): CellVerdict {
  const error = { kind: 'runtime' as const, message, ...(exitCode ? { exitCode } : {}) }
  return { status: 'failed', error, signs: [] }
}

function cancelled(message: string): CellVerdict {
  return { status: 'cancelled', error: { kind: 'cancelled', message }, signs: [] }
}

function limitKill(kind: 'timeout' | 'memory' | 'output', message: string): CellVerdict {
  return { status: 'failed', error: { kind, message }, signs: [{ kind: 'limit-kill', detail: message }] }
}

function sign(detail: string): Sign {
  return { kind: 'protocol', detail }
}
