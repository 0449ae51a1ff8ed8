import type { RunError } from '@coherex/contract'
import type { Ending } from '../launch/index.ts'
import type { Limits, Sign } from '../runtime.ts'

/** Why the host stopped listening to a run. */
export type Stop =
  | { why: 'done'; exitCode: number }
  | { why: 'ended' }
  /** `wantsMemory`: it had asked for more than it may have, and was still being given some of it. */
  | { why: 'timeout'; wantsMemory: boolean }
  | { why: 'cancelled' }
  | { why: 'flood' }
  /** The memory limit is below what an empty sandbox needs. */
  | { why: 'too-small' }
  | { why: 'broken'; reason: string }

export interface Verdict {
  status: 'succeeded' | 'failed' | 'cancelled'
  error?: RunError
  signs: Sign[]
}

const cpuLimitExit = 128 + 24
const badSystemCall = 128 + 31

/** Names the end of a run. What the kernel and the clock say weighs more than what the guest says. */
export function decideVerdict(
  stop: Stop,
  ending: Ending | undefined,
  told: RunError | undefined,
  limits: Limits,
): Verdict {
  if (stop.why === 'cancelled') {
    return { status: 'cancelled', error: { kind: 'cancelled', message: 'The run was cancelled' }, signs: [] }
  }
  const hasFailed = stop.why !== 'done' || told !== undefined
  // before the clock: on a machine short of memory, a process that is ended for it takes its time to go
  if (stop.why === 'too-small' || (hasFailed && ending?.outOfMemory))
    return limitKill('memory', `The run needed more than ${limits.memoryMb} MB of memory`)
  if (stop.why === 'timeout' && stop.wantsMemory) {
    const { memoryMb } = limits
    return limitKill(
      'memory',
      `The run asked for more than ${memoryMb} MB of memory; its time was over before it had them`,
    )
  }
  if (stop.why === 'timeout') return limitKill('timeout', `The run took longer than ${limits.timeoutMs} ms`)
  if (stop.why === 'flood') {
    const verdict = limitKill('output', `The run wrote far more than ${limits.outputBytes} bytes`)
    return { ...verdict, signs: [...verdict.signs, { kind: 'protocol', detail: 'output went on after its limit' }] }
  }
  if (stop.why === 'broken') {
    const error = { kind: 'runtime', message: 'The program broke its connection to the host' } as const
    return { status: 'failed', error, signs: [{ kind: 'protocol', detail: stop.reason }] }
  }
  if (ending?.signal === 'SIGXCPU' || (stop.why === 'done' && stop.exitCode === cpuLimitExit)) {
    return limitKill('timeout', `The run used more than ${limits.cpuMs} ms of CPU time`)
  }
  if (ending?.signal === 'SIGSYS' || (stop.why === 'done' && stop.exitCode === badSystemCall)) {
    const error = { kind: 'denied', message: 'The program made a system call that ends it' } as const
    return { status: 'failed', error, signs: [{ kind: 'denied-syscall', detail: 'ended by SIGSYS' }] }
  }
  if (stop.why === 'done') {
    if (!told) return { status: 'succeeded', signs: [] }
    const signs: Sign[] = told.kind === 'denied' ? [{ kind: 'denied-syscall', detail: told.message.slice(0, 300) }] : []
    return { status: 'failed', error: told, signs }
  }
  if (told) return { status: 'failed', error: told, signs: [] }
  if (ending?.isLost) {
    return { status: 'failed', error: { kind: 'internal', message: 'The sandbox ended unexpectedly' }, signs: [] }
  }
  // it left without a word: os._exit(0) is a success, a signal is not
  if (ending?.code === 0) return { status: 'succeeded', signs: [] }
  const message = ending?.signal ? `Ended by ${ending.signal}` : `Exited with code ${ending?.code ?? 'unknown'}`
  return { status: 'failed', error: { kind: 'runtime', message }, signs: [] }
}

function limitKill(kind: 'timeout' | 'memory' | 'output', message: string): Verdict {
  return { status: 'failed', error: { kind, message }, signs: [{ kind: 'limit-kill', detail: message }] }
}
