import type { RunError } from '@coherex/contract'
import { createAnswers } from '../answer-call.ts'
import type { Ending } from '../launch/index.ts'
import { createOutputLimit } from '../limit-output.ts'
import type { GuestMessage } from '../protocol/index.ts'
import type { Outcome, ProducedFile, RunOptions, Sign } from '../runtime.ts'
import type { IsolateChild } from './isolate-child.ts'
import { doneCodes, isBrief, type IsolateStart } from './messages.ts'

const watchMs = 50
// a child that works for so long after its ending, and hands nothing over, is kept busy by code that was left running
const stragglerMs = 80
// one that does not even work waits for a core, but nobody waits for it longer than this
const longestSilenceMs = 5000
// one for all: making an error with a stack for each run costs more than the rest of its end
const runEnded = new Error('The run has ended')
const maxHeldBytes = 64 * 1024 * 1024
const fileChunkBytes = 1024 * 1024

interface Ended {
  outcome: Outcome
  isReusable: boolean
}

/** One run in one child, watched from outside: what the child says about limits is not what decides them. */
export async function runInChild(
  child: IsolateChild,
  start: IsolateStart,
  files: Record<string, string | Uint8Array>,
  options: RunOptions,
): Promise<Ended> {
  const { limits, signal } = options
  const began = performance.now()
  // made when the guest first calls, which most never do
  let calls: Calls | undefined
  const output = createOutputLimit(limits.outputBytes, options.onOutput, () =>
    Math.round(performance.now() - startedAt),
  )
  const produced: ProducedFile[] = []
  const signs: Sign[] = []
  let parts: Buffer[] = []
  let startedAt = began
  let hasStarted = false
  let result: { value?: unknown } | undefined
  let error: RunError | undefined
  let peak = 0
  let handedOver = 0
  let wasKept = false as boolean
  let straggler: NodeJS.Timeout | undefined
  let firstCpu: { ms: number; at: number } | undefined
  let finish: (isReusable: boolean) => void = () => {}
  const finished = new Promise<boolean>((resolve) => (finish = resolve))

  const condemn = (verdict: RunError, sign?: Sign) => {
    error ??= verdict
    if (sign && error === verdict) signs.push(sign)
    // nothing of it counts any more, and SIGKILL is the only end that a guest cannot put off
    child.listen(undefined)
    void child.kill()
    finish(false)
  }
  const limitKill = (verdict: RunError) => condemn(verdict, { kind: 'limit-kill', detail: verdict.message })

  const isStartHeld = isBrief(start, Object.keys(files).length)
  const begin = () => {
    if (hasStarted) return
    hasStarted = true
    startedAt = performance.now()
    options.onStart()
  }

  // its files and its last word follow as soon as it has a core, which on a busy machine is later than on another
  const awaitDone = () => {
    let seen: { handedOver: number; cpuMs: number; at: number } | undefined
    const look = () => {
      const cpuMs = child.cpuMs()
      if (cpuMs === undefined) return finish(false)
      const now = performance.now()
      if (seen?.handedOver !== handedOver) seen = { handedOver, cpuMs, at: now }
      else if (cpuMs - seen.cpuMs >= stragglerMs || now - seen.at > longestSilenceMs) finish(false)
    }
    straggler ??= setInterval(look, watchMs)
  }

  const receive = (message: GuestMessage | undefined) => {
    switch (message?.type) {
      case 'started':
        return begin()
      case 'output':
        return output.text(message.stream, message.text)
      case 'display':
        return output.display(message.data)
      case 'cut':
        return output.cutByGuest()
      case 'call': {
        calls ??= openCalls(options)
        const { answer, gone } = calls
        const { promise: taken, resolve: onTaken } = Promise.withResolvers<void>()
        return void answer(message, taken).then((given) =>
          gone.signal.aborted ? onTaken() : sendAnswer(given, onTaken),
        )
      }
      case 'result':
        result ??= message
        return awaitDone()
      case 'error':
        error ??= message.error
        if (message.error.kind === 'memory') signs.push({ kind: 'limit-kill', detail: message.error.message })
        return awaitDone()
      case 'file': {
        handedOver++
        parts.push(Buffer.from(message.base64, 'base64'))
        if (!message.last) return
        produced.push({ path: message.path, bytes: Buffer.concat(parts) })
        parts = []
        return
      }
      case 'done':
        if (message.truncated) output.cutByGuest()
        wasKept = message.exitCode === doneCodes.kept
        return finish(message.exitCode === doneCodes.reusable || wasKept)
      default:
        return condemn(
          { kind: 'runtime', message: 'The program broke its connection to the host' },
          { kind: 'protocol', detail: 'a message that is none' },
        )
    }
  }
  const sendAnswer = (given: Awaited<ReturnType<Calls['answer']>>, onTaken: () => void) => {
    try {
      child.send(given, onTaken)
    } catch {
      const error = { code: 'LIMIT_EXCEEDED', message: 'The answer is too large to be passed on' }
      child.send({ type: 'answer', id: given.id, error }, onTaken)
    }
  }

  const watch = () => {
    // so short a program was read long ago: it runs without a word
    if (isStartHeld) begin()
    peak = Math.max(peak, child.memory() ?? 0)
    const ms = child.cpuMs()
    if (ms === undefined) return
    // what was used before the first look is at most the time since the start
    firstCpu ??= { ms, at: performance.now() - began }
    if (ms - firstCpu.ms + firstCpu.at > limits.cpuMs && ms > firstCpu.ms) {
      limitKill({ kind: 'timeout', message: `The program used more than ${limits.cpuMs} ms of CPU time` })
    }
  }
  const watcher = setInterval(watch, watchMs)
  const timeout = setTimeout(() => {
    // what has ended in time did not run longer
    if (result || error) finish(false)
    else limitKill({ kind: 'timeout', message: `The program ran longer than ${limits.timeoutMs} ms` })
  }, limits.timeoutMs)
  const cancel = () => condemn({ kind: 'cancelled', message: 'The run was cancelled' })
  signal.addEventListener('abort', cancel, { once: true })
  void child.ended.then((ending) => {
    error ??= judgeDeath(ending, hasStarted || isStartHeld, start, child.lastWords)
    if (error.kind === 'memory') signs.push({ kind: 'limit-kill', detail: error.message })
    if (ending.signal === 'SIGSYS')
      signs.push({ kind: 'denied-syscall', detail: 'The sandbox ended the program for a forbidden system call' })
    finish(false)
  })

  child.listen(receive)
  child.isReady = false
  child.limitMemory(start.memoryMb)
  try {
    sendFiles(child, files)
    child.send({ type: 'start', program: start })
  } catch {
    condemn({ kind: 'validation', message: 'The program is too large to be sent to a sandbox' })
  }
  if (signal.aborted) cancel()

  const isDone = await finished
  clearInterval(watcher)
  clearTimeout(timeout)
  clearInterval(straggler)
  signal.removeEventListener('abort', cancel)
  calls?.gone.abort(runEnded)
  child.listen(undefined)
  const held = child.memory() ?? 0
  peak = Math.max(peak, held)
  // what a process keeps after a run would count against the next one
  const isReusable = isDone && held < maxHeldBytes
  const status = error?.kind === 'cancelled' ? 'cancelled' : error ? 'failed' : 'succeeded'
  const outcome: Outcome = {
    status,
    ...(!error && result && 'value' in result && { result: result.value }),
    ...(error && { error }),
    files: produced,
    truncated: output.truncated,
    durationMs: performance.now() - began,
    peakMemoryMb: Math.ceil(peak / 1024 / 1024),
    signs,
    ...(wasKept && { kept: true }),
  }
  return { outcome, isReusable }
}

type Calls = ReturnType<typeof openCalls>

function openCalls({ capabilities, signal }: RunOptions) {
  const gone = new AbortController()
  return { gone, answer: createAnswers(capabilities, AbortSignal.any([signal, gone.signal])) }
}

function sendFiles(child: IsolateChild, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    const bytes =
      typeof content === 'string'
        ? Buffer.from(content)
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    for (let from = 0; from === 0 || from < bytes.length; from += fileChunkBytes) {
      const chunk = bytes.subarray(from, from + fileChunkBytes)
      child.send({ type: 'file', path, base64: chunk.toString('base64'), last: from + fileChunkBytes >= bytes.length })
    }
  }
}

/** The child died by itself; why is read from how. */
function judgeDeath(
  { signal, outOfMemory }: Ending,
  hasStarted: boolean,
  start: IsolateStart,
  lastWords: string,
): RunError {
  const memory: RunError = { kind: 'memory', message: `The program needed more than ${start.memoryMb} MB` }
  if (outOfMemory) return memory
  if (!hasStarted && (signal === 'SIGSEGV' || signal === 'SIGBUS' || signal === 'SIGABRT')) {
    return { kind: 'syntax', message: 'The code cannot be parsed: it is nested too deeply' }
  }
  // V8 ends its process itself when an allocation fails that it cannot do without
  if (/out of memory|allocation failed|invalid table size|invalid array length/i.test(lastWords)) return memory
  if (signal === 'SIGSYS') return { kind: 'denied', message: 'The program was ended for a forbidden system call' }
  if (
    signal === 'SIGSEGV' ||
    signal === 'SIGBUS' ||
    signal === 'SIGABRT' ||
    signal === 'SIGTRAP' ||
    signal === 'SIGILL'
  )
    return { kind: 'runtime', message: 'The program crashed the JavaScript engine' }
  return { kind: 'internal', message: 'The sandbox ended unexpectedly' }
}
