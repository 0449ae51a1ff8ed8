// Runs on both sides of the pipe, as frame.ts does.
import type { GuestError, GuestResult, GuestStream } from './messages.ts'
import type { WireValue } from './value.ts'

/** What a session's driver is told. Interrupts come as SIGINT; ending a session is ending its process. */
export type ToSession =
  /** Once, first. */
  | { type: 'begin'; language: string; env: Record<string, string> }
  | {
      type: 'cell'
      id: number
      code: string
      input?: WireValue
      stdin?: string
      outputBytes: number
      /** Which capabilities this cell holds, and their methods. */
      capabilities: Record<string, string[]>
      /** Whether `stdin-request` will be answered; else the end of `stdin` is the end. */
      isInteractive: boolean
    }
  | { type: 'stdin'; id: number; text?: string }
  | { type: 'variables'; id: number }
  | { type: 'variable'; id: number; name: string; offset: number; limit: number }
  /** What could follow at the end of a text; of Python alone. */
  | { type: 'complete'; id: number; code: string }
  | { type: 'answer'; id: number; value: WireValue }
  | { type: 'answer'; id: number; error: { code: string; message: string } }

export interface SessionVariable {
  name: string
  type: string
  value: string
  size?: number
  shape?: number[]
}

/** What a session's driver tells: ready; per cell started, (output, display, call, stdin-request)*, result or error, cell-done. */
export type FromSession =
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'output'; stream: GuestStream; text: string }
  | { type: 'display'; data: Record<string, unknown> }
  | { type: 'cut' }
  | { type: 'call'; id: number; capability: string; method: string; args: unknown }
  | { type: 'stdin-request'; id: number; prompt: string; secret: boolean }
  | ({ type: 'result'; id: number } & GuestResult)
  | { type: 'error'; id: number; error: GuestError; interrupted?: boolean }
  | { type: 'cell-done'; id: number; truncated: boolean }
  | { type: 'variables'; id: number; items: SessionVariable[] }
  | { type: 'complete'; id: number; prefix: string; items: { name: string; kind: string }[] }
  | {
      type: 'variable'
      id: number
      variable?: SessionVariable & {
        table?: { columns: { name: string; type: string }[]; rows: unknown[][]; offset: number; total: number }
        text?: string
      }
    }
