import { setTimeout as wait } from 'node:timers/promises'
import { CoherexError, type PackageLanguage, type RunError } from '@coherex/contract'
import { createAnswers, methodsOf } from '../answer-call.ts'
import { createOutputLimit } from '../limit-output.ts'
import { setsInside } from '../package-set.ts'
import { type GuestMessage, type GuestResult, type StartProgram, toResult, toWire } from '../protocol/index.ts'
import type { Outcome, Program, RunOptions, Sign } from '../runtime.ts'
import { denialsSoFar, signOfDenials } from './denied-calls.ts'
import type { GuestCommand } from './guest-command.ts'
import { networkEnvironment } from './network-environment.ts'
import type { ReadySandbox } from './pools/ready-sandbox.ts'
import { createProducedFiles } from './produced-files.ts'
import { sendFiles } from './send-files.ts'
import { GuestStreams } from './streams/guest-streams.ts'
import { decideVerdict, type Stop } from './verdict.ts'

/** What the Python driver needs beyond the shared protocol. */
interface ProcessStart extends StartProgram {
  openFiles: number
  cpuSeconds: number
  memoryMb: number
  nodeCommand: string[]
  command?: GuestCommand
  /** Packages of the program, at their place inside. */
  set?: { language: PackageLanguage; path: string; modules: readonly string[] }
  /** Whether connections to its proxy are to be carried to the host. */
  hasNetwork: boolean
}

export interface SandboxRun {
  sandbox: ReadySandbox
  program: Program
  options: RunOptions
  nodeCommand: string[]
  /** Packages that a Node program imports: paths in the sandbox, by specifier. */
  bundles?: Record<string, string> | undefined
  /** For a language that the driver does not run itself. */
  command?: GuestCommand | undefined
  /** Takes over the end of a sandbox whose run is already told. */
  onRetired(retirement: Promise<void>): void
}

const exitGraceMs = 1_000
// what a program takes in its last second that is still being given memory; in its first one every program takes some
const growthMs = 1_000
const growthBytes = 8 * 1024 * 1024
const drainMs = 100
// for processes that were told to end, or had nothing left to do, as the program did
const leavingMs = 100
// where pip puts things: not into the home, whose files are the program's result
const userPackages = '/tmp/.local'
// what an honest guest holds back itself; beyond it the guest is not an honest one
const floodBytes = 4 * 1024 * 1024
const floodPieces = 1_000_000

/** Runs one program in a sandbox that waits for it, and ends the sandbox whatever happens. */
export async function runInSandbox(run: SandboxRun): Promise<Outcome> {
  const { sandbox, program, options, nodeCommand, bundles, command } = run
  const { launched, connection } = sandbox
  const { limits, signal, capabilities, network } = options
  const { set } = program
  const stopCalls = new AbortController()
  const answer = createAnswers(capabilities, stopCalls.signal)
  const files = createProducedFiles({ maxBytes: limits.diskMb * 1024 * 1024, maxFiles: limits.inodes })
  let startedAt = performance.now()
  const sinceStart = () => Math.round((performance.now() - startedAt) * 10) / 10
  const output = createOutputLimit(limits.outputBytes, options.onOutput, sinceStart)
  let result: GuestResult = {}
  let told: RunError | undefined
  let pieces = 0
  let received = 0
  let hasStarted = false
  let filesLeftOut = 0
  let streams: GuestStreams | undefined
  // the process that carries the program's connections
  const carriers = network ? 1 : 0

  const stop = await new Promise<Stop>((resolve) => {
    let heldBefore: number | undefined
    const nearEnd = setTimeout(
      () => (heldBefore = limits.timeoutMs < 2 * growthMs ? undefined : launched.processMemory()),
      Math.max(0, limits.timeoutMs - growthMs),
    )
    const timer = setTimeout(() => {
      const held = launched.processMemory()
      const asked = launched.askedMemory() ?? 0
      const isGrowing = held !== undefined && heldBefore !== undefined && held - heldBefore > growthBytes
      // engines ask for far more than they ever touch: only who holds half of it already was on the way to all of it
      const limit = limits.memoryMb * 1024 * 1024
      resolve({ why: 'timeout', wantsMemory: isGrowing && asked > limit && held > limit / 2 })
    }, limits.timeoutMs)
    const onAbort = () => resolve({ why: 'cancelled' })
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = (stop: Stop) => {
      clearTimeout(timer)
      clearTimeout(nearEnd)
      signal.removeEventListener('abort', onAbort)
      resolve(stop)
    }
    const take = (message: GuestMessage) => {
      switch (message.type) {
        case 'ready':
          return
        case 'started':
          if (hasStarted) return
          hasStarted = true
          startedAt = performance.now()
          return options.onStart()
        case 'output':
          received += message.text.length
          if (++pieces > floodPieces || received > limits.outputBytes + floodBytes) return settle({ why: 'flood' })
          return output.text(message.stream, message.text)
        case 'display':
          received += JSON.stringify(message.data).length
          if (++pieces > floodPieces || received > limits.outputBytes + floodBytes) return settle({ why: 'flood' })
          return output.display(message.data)
        case 'cut':
          return output.cutByGuest()
        case 'call': {
          const { promise: taken, resolve: onTaken } = Promise.withResolvers<void>()
          return void answer(message, taken).then((reply) => sendReply(reply, onTaken))
        }
        case 'result':
          result = message
          return
        case 'error':
          told = message.error
          return
        case 'file':
          return files.piece(message.path, message.base64, message.last)
        case 'link':
          return files.link(message.path, message.target)
        case 'done':
          filesLeftOut = message.filesLeftOut
          if (message.truncated) output.cutByGuest()
          return settle({ why: 'done', exitCode: message.exitCode })
      }
    }
    const sendReply = (reply: Awaited<ReturnType<typeof answer>>, onTaken: () => void) => {
      try {
        connection.send(reply, onTaken)
      } catch {
        // larger than a frame: the guest is told instead of left waiting
        const error = { code: 'LIMIT_EXCEEDED', message: 'The answer is too large for one call' }
        connection.send({ type: 'answer', id: reply.id, error }, onTaken)
      }
    }
    connection.listen({
      onMessage: take,
      onBroken: (reason) => settle({ why: 'broken', reason }),
      onClosed: () => settle({ why: 'ended' }),
    })
    // its last words may still be in the pipe, whose end comes first then
    void launched.ended.then(() => setTimeout(() => settle({ why: 'ended' }), drainMs))
    if (network) {
      // free: what the program reads as its input is a file that the driver makes
      streams = new GuestStreams(launched.stdin, {
        onConnection: (connection) => network.accept(connection),
        onBroken: (reason) => settle({ why: 'broken', reason }),
      })
    }
    if (signal.aborted) onAbort()
    else if (launched.limit({ ...limits, processes: limits.processes + carriers })) sendProgram()
    else settle({ why: 'too-small' })
  })

  function sendProgram(): void {
    if (!sandbox.hasModule) sendFiles(connection, program)
    const start: ProcessStart = {
      language: program.language,
      code: program.code,
      entry: program.entry,
      ...(program.input !== undefined && { input: toWire(program.input) }),
      ...(program.stdin !== undefined && { stdin: program.stdin }),
      env: network ? { ...networkEnvironment, PYTHONUSERBASE: userPackages, ...program.env } : program.env,
      packages: program.packages,
      ...(bundles && { bundles }),
      readOnly: program.readOnly,
      capabilities: methodsOf(capabilities),
      outputBytes: limits.outputBytes,
      ...(options.keep && { keep: options.keep }),
      filesOut: { maxBytes: limits.diskMb * 1024 * 1024, maxFiles: limits.inodes },
      openFiles: limits.openFiles,
      cpuSeconds: Math.ceil(limits.cpuMs / 1000),
      memoryMb: limits.memoryMb,
      hasNetwork: network !== undefined,
      nodeCommand,
      ...(program.args && { args: program.args }),
      ...(command && { command }),
      ...(set && { set: { language: set.language, path: `${setsInside}/${set.folder}`, modules: set.modules } }),
    }
    connection.send({ type: 'start', program: start })
  }

  const durationMs = sinceStart()
  connection.listen(undefined)
  stopCalls.abort()
  streams?.close()
  const memory = launched.memory()
  const countLeftOver = () => (launched.processes() ?? 0) - carriers
  let leftOver = stop.why === 'done' ? countLeftOver() : 0
  const oomKills = stop.why === 'done' ? launched.oomKills() : 0
  // a pipe closes just before its process ends, and only the process knows its exit code
  if (stop.why === 'ended') await Promise.race([launched.ended, wait(exitGraceMs, undefined, { ref: false })])
  if (leftOver > 0) {
    // where one of them ends all the rest, they were there
    const hasEnded = await Promise.race([launched.ended.then(() => true), wait(leavingMs, false)])
    if (!hasEnded) leftOver = countLeftOver()
  }
  const retirement = launched.kill()
  run.onRetired(retirement)
  // only a failure needs the kernel's word on why; a success is told at once
  const needsEnding = stop.why !== 'done' || told !== undefined
  const ending = needsEnding ? await launched.ended : undefined
  const denied = signOfDenials(await denialsSoFar(launched))

  // no code of the guest has run: a sandbox that died while it waited is no fault of the program
  if (!hasStarted && stop.why === 'ended' && !ending?.outOfMemory) {
    throw new CoherexError('unavailable', 'Cannot run the program: its sandbox died before it began')
  }
  const verdict = decideVerdict(stop, ending, told, limits)
  const signs: Sign[] = [...verdict.signs, ...denied]
  if (leftOver > 0) {
    signs.push({ kind: 'unexpected-process', detail: `processes that outlived the program: ${leftOver}` })
  }
  if (oomKills > 0 && verdict.error?.kind !== 'memory') {
    signs.push({ kind: 'limit-kill', detail: `processes ended for lack of memory: ${oomKills}` })
  }
  if (files.refused > 0) signs.push({ kind: 'protocol', detail: `${files.refused} files were refused` })
  const peak = Math.max(memory?.peak ?? 0, needsEnding ? (launched.memory()?.peak ?? 0) : 0)
  return {
    status: verdict.status,
    ...(verdict.status === 'succeeded' && toResult(result)),
    ...(verdict.error && { error: verdict.error }),
    files: stop.why === 'done' ? files.files : [],
    truncated: output.truncated || filesLeftOut > 0,
    durationMs,
    peakMemoryMb: memory ? Math.round((peak / 1024 / 1024) * 10) / 10 : null,
    signs,
    ...(stop.why === 'done' && { exitCode: stop.exitCode }),
    ...(stop.why === 'ended' && ending?.code != null && { exitCode: ending.code }),
  }
}
