import { z } from 'zod'
import { type Capabilities, CapabilityError } from '../capability.ts'
import type { ShellLimits } from './shell-messages.ts'
import type { ShellPool } from './shell-pool.ts'
import type { ShellProcess } from './shell-process.ts'

export interface ShellRequest {
  command: string
  cwd: string
  env: Record<string, string>
  stdin: string
  limits: ShellLimits
}

export interface ShellResult {
  stdout: string
  stderr: string
  exitCode: number
  durationMs: number
  timedOut: boolean
  truncated: boolean
}

/** The shell of one run: a process that is started at the first command, replaced when it had to be killed, and ended with the run. */
export interface Shell {
  exec(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>
  close(): Promise<void>
}

const fromShell = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('call'),
    id: z.number().int(),
    capability: z.enum(['FILES', 'FETCH']),
    method: z.string(),
    args: z.array(z.unknown()),
  }),
  z.object({
    type: z.literal('result'),
    id: z.number().int(),
    stdout: z.string(),
    stderr: z.string(),
    exitCode: z.number().int(),
    truncated: z.boolean(),
  }),
])

// The shell ends itself at its time; one that does not is stuck, and only a kill helps.
const graceMs = 1_000
const maxCalls = 256

// one for all: making an error with a stack for each run costs more than the rest of its end
const ended = new Error('The run has ended')

export function createShell(pool: ShellPool, held: Capabilities): Shell {
  const runEnd = new AbortController()
  let shell: ShellProcess | undefined
  let nextId = 0
  let last: Promise<unknown> = Promise.resolve()

  async function process(): Promise<ShellProcess> {
    if (shell?.isAlive()) return shell
    shell = await pool.take()
    if (runEnd.signal.aborted) await shell.kill()
    return shell
  }

  async function execNow(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const cancelled = () => new CapabilityError('CANCELLED', 'Cannot finish the command: the run was ended')
    const isCancelled = () => signal.aborted || runEnd.signal.aborted
    if (isCancelled()) throw cancelled()
    const current = await process()
    // while its process was started
    if (isCancelled()) throw cancelled()
    const id = nextId++
    const started = performance.now()
    let open = 0
    let isLate = false
    const { promise, resolve } = Promise.withResolvers<Omit<ShellResult, 'durationMs' | 'timedOut'> | 'gone'>()
    current.listen((given) => {
      const message = fromShell.safeParse(given)
      if (!message.success || (message.data.type === 'call' && ++open > maxCalls)) return void current.kill()
      if (message.data.type === 'call') return void answer(current, message.data).finally(() => open--)
      const { type: _, id: answered, ...result } = message.data
      if (answered === id) resolve(result)
    })
    void current.ended.then(() => resolve('gone'))
    const timer = setTimeout(() => {
      isLate = true
      void current.kill()
    }, request.limits.timeoutMs + graceMs)
    const kill = () => void current.kill()
    signal.addEventListener('abort', kill, { once: true })
    current.send({ type: 'exec', id, ...request, network: held['FETCH'] !== undefined })
    const result = await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    if (isCancelled()) throw cancelled()
    const durationMs = Math.round(performance.now() - started)
    if (result !== 'gone') {
      const timedOut = result.exitCode === 124 && durationMs >= request.limits.timeoutMs
      return { ...pick(result), durationMs, timedOut }
    }
    const why = isLate ? 'it took too long and was killed' : 'it was killed for its memory'
    return {
      stdout: '',
      stderr: `bash: ${why}\n`,
      exitCode: isLate ? 124 : 137,
      durationMs,
      timedOut: isLate,
      truncated: false,
    }
  }

  async function answer(
    to: ShellProcess,
    call: { id: number; capability: string; method: string; args: unknown[] },
  ): Promise<void> {
    const methods = held[call.capability]?.methods ?? {}
    try {
      const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined
      if (!method) throw new CapabilityError('NOT_GRANTED', `Cannot call ${call.capability}: it was not granted`)
      to.send({ type: 'answer', id: call.id, value: (await method(call.args, runEnd.signal)) ?? null })
    } catch (error) {
      const known = error instanceof CapabilityError
      to.send({
        type: 'answer',
        id: call.id,
        error: { code: known ? error.code : 'INTERNAL', message: known ? error.message : 'The host failed' },
      })
    }
  }

  return {
    exec(request, signal) {
      // one after the other: a kill for one command must not take another with it
      const turn = last.then(() => execNow(request, signal))
      last = turn.catch(() => {})
      return turn
    },
    async close() {
      runEnd.abort(ended)
      await shell?.kill()
    },
  }
}

function pick({ stdout, stderr, exitCode, truncated }: Omit<ShellResult, 'durationMs' | 'timedOut'>) {
  return { stdout, stderr, exitCode, truncated }
}
