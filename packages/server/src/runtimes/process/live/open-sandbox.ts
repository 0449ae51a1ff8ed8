import type { Duplex } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import type { Sign } from '../../runtime.ts'
import type { Sandbox, SandboxEnding, SandboxSpec } from '../../sandbox.ts'
import { denialsSoFar, signOfDenials } from '../denied-calls.ts'
import { sessionCommand } from '../sessions/session-commands.ts'
import { Contexts } from './contexts.ts'
import { KeeperError } from './keeper-link.ts'
import { isCount, isRecord } from './keeper-messages.ts'
import { KeeperProcesses } from './keeper-processes.ts'
import type { ReadyKeeper } from './ready-keeper.ts'
import { createSandboxFiles } from './sandbox-files.ts'
import { createSandboxProcesses } from './sandbox-processes.ts'
import { Session } from './session.ts'
import { targetsOf, useSets } from './use-sets.ts'
import { watchProcessMemory } from './watch-process-memory.ts'

/** A sandbox with the seam for whoever gives it a way out. */
export interface LiveSandbox extends Sandbox {
  /** Listens inside, on loopback; each connection of a process in there is handed over. Resolves to the port. */
  listen(port: number, onConnection: (connection: Duplex) => void): Promise<number>
  /** What the home and /tmp hold. */
  disk(): Promise<{ usedBytes: number; usedInodes: number }>
}

const connectMs = 5_000
const maxSigns = 100
const smallestMb = 32
const fullShare = 0.9

/** Makes a sandbox of a keeper that nobody has used yet. */
export async function openSandbox(ready: ReadyKeeper, spec: SandboxSpec, python?: string): Promise<LiveSandbox> {
  const { launched, link } = ready
  const { limits } = spec
  const signs: Sign[] = []
  const listeners = new Map<number, (connection: Duplex) => void>()
  let why: SandboxEnding | undefined
  let lastListener = 0
  let ownMb = limits.memoryMb
  /** The kernel's count is gone with the control group. */
  let seenKills = 0
  /** It was the first process, or all of them where there are no control groups. */
  let wholeKills = 0

  const note = (sign: Sign) => {
    if (signs.length < maxSigns) signs.push(sign)
  }
  /** Told for the whole sandbox, in one sign. */
  const isHeard = (sign: Sign) => sign.kind === 'denied-syscall' && launched.denials().length > 0
  const breakOff = (detail: string) => {
    note({ kind: 'protocol', detail })
    why ??= { why: 'protocol', detail }
    void launched.kill()
  }
  const processes = new KeeperProcesses(link, (pid) => launched.endBeforeFirst(pid))
  const files = createSandboxFiles(link)
  const memory = watchProcessMemory(launched, limits.memoryMb)
  const onBusy = (isBusy: boolean) => memory.setBusy(isBusy)
  const started = createSandboxProcesses({ link, processes, onBusy })
  link.listen({
    onReady: () => breakOff('it says twice that it is ready'),
    onExited(process, exit) {
      if (!processes.exited(process, exit)) breakOff('a process ended that was never started')
    },
    onChanged(watch, changes) {
      if (!files.changed(watch, changes)) breakOff('it tells of changes that nobody watches')
    },
    onIncoming(listener, stream) {
      const take = listeners.get(listener)
      if (take) take(stream)
      else stream.destroy()
    },
    onBroken: breakOff,
  })
  const contexts = new Contexts({
    get memoryMb() {
      return ownMb
    },
    memoryKills: () => (seenKills = Math.max(seenKills, launched.oomKills())) + memory.kills + wholeKills,
    peakMemory: () => launched.memory()?.peak,
    denials: () => denialsSoFar(launched),
    // a few of them are always just ending
    isFull: () => (launched.processes() ?? 0) > fullShare * limits.processes,
    onBusy,
    async start(language) {
      const command = sessionCommand(language, limits, python)
      if (!command) throw new Error(`no session of ${language}`)
      const session = await Session.start({ link, processes, language, command })
      await session.begin(spec.env)
      return session
    },
  })

  const ended: Promise<SandboxEnding> = launched.ended.then((ending) => {
    memory.stop()
    const isOfMemory = !why && ending.outOfMemory && ending.signal === 'SIGKILL'
    if (isOfMemory) wholeKills++
    link.close()
    processes.close()
    if (why) return why
    if (isOfMemory) {
      return {
        why: 'memory',
        detail: `It needed more than ${ownMb} MB of memory and ${limits.diskMb} MB of files`,
      }
    }
    const how = ending.signal ? `ended by ${ending.signal}` : `exited with code ${ending.code ?? 'unknown'}`
    return { why: 'crashed', detail: `The first process of the sandbox was ${how}` }
  })

  if (limits.memoryMb < smallestMb || !launched.limit(limits)) {
    await launched.kill()
    throw new CoherexError(
      'invalid_input',
      `Cannot open a sandbox: ${limits.memoryMb} MB is less than an empty one needs`,
    )
  }
  const sets = spec.sets && spec.sets.length > 0 ? { sets: targetsOf(spec.sets) } : {}
  await link.ask({ act: 'begin', env: spec.env, openFiles: limits.openFiles, ...sets })

  return {
    async runCell(cell, options) {
      const outcome = await contexts.run(cell, options)
      for (const sign of outcome.signs) if (!isHeard(sign)) note(sign)
      return outcome
    },
    interrupt: async (context) => contexts.interrupt(context),
    reset: (context) => contexts.reset(context),
    sessions: () => contexts.list(),
    variables: (context) => contexts.variables(context),
    complete: (context, code) => contexts.complete(context, code),
    variable: (context, name, page) => contexts.variable(context, name, page),
    files,
    processes: started,
    usePackages: (sets) => useSets(link, sets),
    async connect(port) {
      const stream = link.stream({ endsTogether: true })
      const timer = setTimeout(() => stream.destroy(), connectMs)
      try {
        await link.ask({ act: 'connect', port }, [stream])
        return stream
      } catch (error) {
        if (!(error instanceof KeeperError)) throw error
        throw new CoherexError('not_found', `Nothing in the sandbox takes connections on port ${port}`)
      } finally {
        clearTimeout(timer)
      }
    },
    async listen(port, onConnection) {
      const listener = ++lastListener
      listeners.set(listener, onConnection)
      const told = await link.ask({ act: 'listen', listener, port })
      return isRecord(told) && isCount(told['port']) ? told['port'] : port
    },
    async disk() {
      const told = await link.ask({ act: 'disk' })
      const { usedBytes, usedInodes } = isRecord(told) ? told : {}
      return { usedBytes: isCount(usedBytes) ? usedBytes : 0, usedInodes: isCount(usedInodes) ? usedInodes : 0 }
    },
    memory: () => launched.memory(),
    limitMemory(memoryMb) {
      if (memoryMb < smallestMb || (launched.processMemory() ?? 0) > memoryMb * 1024 * 1024) return false
      if (!launched.limit({ ...limits, memoryMb })) return false
      memory.limit(memoryMb)
      ownMb = memoryMb
      return true
    },
    // what terminals and other processes did belongs to no cell
    signs: () => [...signs, ...signOfDenials(launched.denials())],
    ended,
    async close() {
      why ??= { why: 'closed', detail: 'It was closed' }
      await launched.kill()
      await ended
    },
  }
}
