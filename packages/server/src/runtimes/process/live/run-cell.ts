import type { RunError } from '@coherex/contract'
import { createAnswers, methodsOf } from '../../answer-call.ts'
import { createOutputLimit } from '../../limit-output.ts'
import { type GuestResult, toResult } from '../../protocol/messages.ts'
import type { FromSession } from '../../protocol/session-messages.ts'
import { toWire } from '../../protocol/value.ts'
import type { Sign } from '../../runtime.ts'
import type { Cell, CellOptions, CellOutcome } from '../../sandbox.ts'
import { signOfDenials } from '../denied-calls.ts'
import { afterSteps } from './after-steps.ts'
import { type Asked, decideCellVerdict, type CellStop } from './cell-verdict.ts'
import type { Session } from './session.ts'

export interface CellRun {
  id: number
  session: Session
  cell: Cell
  options: CellOptions
  /** Of the whole sandbox. */
  memoryMb: number
  /** Processes of the sandbox that were ended for lack of memory so far. */
  memoryKills(): number
  peakMemory(): number | undefined
  /** Telling system calls that the sandbox was denied so far. */
  denials(): Promise<readonly string[]>
  /** Takes the function that stops this cell when somebody asks to. */
  onRunning(interrupt: () => void): void
}

// an interrupted cell has so long to say so before its interpreter is ended, and its variables with it
const grace = { steps: 7, stepMs: 100 }
const repeatMs = 500
// what an honest session holds back itself; beyond it the session is not an honest one
const floodBytes = 4 * 1024 * 1024
const floodPieces = 1_000_000

/** Runs one cell in a session that is idle. The session survives unless the cell ends it or will not stop. */
export async function runCell(run: CellRun): Promise<CellOutcome> {
  const { id, session, cell, options } = run
  const { limits, signal, capabilities } = options
  const stopCalls = new AbortController()
  const answer = createAnswers(capabilities, stopCalls.signal)
  let startedAt = performance.now()
  const sinceStart = () => Math.round((performance.now() - startedAt) * 10) / 10
  const output = createOutputLimit(limits.outputBytes, options.onOutput, sinceStart)
  const isScript = cell.language === 'javascript' || cell.language === 'typescript' || cell.language === 'node'
  const killsBefore = run.memoryKills()
  const denialsBefore = (await run.denials()).length
  let result: GuestResult = {}
  let told: { error: RunError; interrupted: boolean } | undefined
  let asked: Asked | undefined
  let hasStarted = false
  let received = 0
  let pieces = 0

  const stop = await new Promise<CellStop>((resolve) => {
    let stopGrace: (() => void) | undefined
    let again: NodeJS.Timeout | undefined
    const ask = (why: Asked) => {
      asked ??= why
      session.interrupt()
      // Node loses a signal that comes as a script hands over to what it awaits; other languages get it once, to clean up
      if (isScript) again ??= setInterval(() => session.interrupt(), repeatMs)
      // whoever interrupts wants the state kept; time and cancelling do not wait for it
      if (why !== 'interrupted') stopGrace ??= afterSteps(grace.steps, grace.stepMs, () => session.kill())
    }
    const timer = setTimeout(() => ask('timeout'), limits.timeoutMs)
    const onAbort = () => ask('cancelled')
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = (stop: CellStop) => {
      clearTimeout(timer)
      stopGrace?.()
      clearInterval(again)
      signal.removeEventListener('abort', onAbort)
      resolve(stop)
    }
    const flood = () => {
      session.kill()
      settle({ why: 'flood' })
    }
    const count = (bytes: number) => {
      received += bytes
      return ++pieces > floodPieces || received > limits.outputBytes + floodBytes
    }
    const take = (message: FromSession) => {
      switch (message.type) {
        case 'started':
          if (hasStarted || message.id !== id) return
          hasStarted = true
          startedAt = performance.now()
          return options.onStart()
        case 'output':
          return count(message.text.length) ? flood() : output.text(message.stream, message.text)
        case 'display':
          return count(JSON.stringify(message.data).length) ? flood() : output.display(message.data)
        case 'cut':
          return output.cutByGuest()
        case 'call': {
          const { promise: taken, resolve: onTaken } = Promise.withResolvers<void>()
          return void answer(message, taken).then((reply) => sendReply(reply, onTaken))
        }
        case 'stdin-request':
          if (count(message.prompt.length)) return flood()
          return void askForInput(message)
        case 'result':
          if (message.id === id) result = message
          return
        case 'error':
          if (message.id === id) told = { error: message.error, interrupted: message.interrupted ?? false }
          return
        case 'cell-done':
          if (message.id !== id) return
          if (message.truncated) output.cutByGuest()
          return settle({ why: 'done' })
        case 'ready':
        case 'variables':
        case 'complete':
        case 'variable':
          // answers to questions that were given up
          return
      }
    }
    const sendReply = (reply: Awaited<ReturnType<typeof answer>>, onTaken: () => void) => {
      try {
        session.send(reply, onTaken)
      } catch {
        // larger than a frame: the guest is told instead of left waiting
        const error = { code: 'LIMIT_EXCEEDED', message: 'The answer is too large for one call' }
        session.send({ type: 'answer', id: reply.id, error }, onTaken)
      }
    }
    const askForInput = async (request: Extract<FromSession, { type: 'stdin-request' }>) => {
      const { prompt, secret } = request
      // whoever was to type may have left: that is the end of the input
      const text = await options.onInput?.({ prompt, secret }).catch(() => undefined)
      session.send({ type: 'stdin', id: request.id, ...(text !== undefined && { text }) })
    }
    session.listen({ onMessage: take, onBroken: (reason) => settle({ why: 'broken', reason }) })
    void session.ended.then((exit) => settle({ why: 'ended', exit }))
    run.onRunning(() => ask('interrupted'))
    session.send({
      type: 'cell',
      id,
      code: cell.code,
      ...(cell.input !== undefined && { input: toWire(cell.input) }),
      ...(cell.stdin !== undefined && { stdin: cell.stdin }),
      outputBytes: limits.outputBytes,
      capabilities: methodsOf(capabilities),
      isInteractive: options.onInput !== undefined,
    })
    if (signal.aborted) onAbort()
  })

  const durationMs = sinceStart()
  session.listen(undefined)
  stopCalls.abort()
  const sessionLost = stop.why !== 'done'
  if (sessionLost) await session.ended
  const memoryKills = run.memoryKills() - killsBefore
  const verdict = decideCellVerdict({ stop, asked, told, memoryKills, limits, memoryMb: run.memoryMb })
  // with other work in the sandbox at the same time, some may be that work's
  const denied = (await run.denials()).slice(denialsBefore)
  const signs: Sign[] = [...verdict.signs, ...signOfDenials(denied)]
  if (memoryKills > 0 && verdict.error?.kind !== 'memory') {
    signs.push({ kind: 'limit-kill', detail: `processes ended for lack of memory: ${memoryKills}` })
  }
  const peak = run.peakMemory()
  return {
    status: verdict.status,
    ...(verdict.status === 'succeeded' && toResult(result)),
    ...(verdict.error && { error: verdict.error }),
    truncated: output.truncated,
    durationMs,
    peakMemoryMb: peak === undefined ? null : Math.round((peak / 1024 / 1024) * 10) / 10,
    signs,
    sessionLost,
  }
}
