import { CoherexError } from '@coherex/contract'
import type { ProcessSpec, SandboxProcess, SandboxProcesses } from '../../sandbox.ts'
import { isInside } from '../produced-files.ts'
import { KeeperError, type KeeperLink } from './keeper-link.ts'
import type { Exit, KeeperProcesses, StartedProcess } from './keeper-processes.ts'
import type { KeeperStream } from './keeper-stream.ts'
import { paceOutput } from './pace-output.ts'

type Stream = 'stdout' | 'stderr'

const recentBytes = 64 * 1024
// those that ended are remembered for whoever asks how
const maxEnded = 100
const flushMs = 500
const maxUnreadBytes = 4 * 1024 * 1024

export interface ProcessTable extends SandboxProcesses {
  readonly running: number
}

/** Processes that somebody started beside the sessions. They live on when nobody listens. */
export function createSandboxProcesses(options: {
  link: KeeperLink
  processes: KeeperProcesses
  onBusy(isBusy: boolean): void
}): ProcessTable {
  const { link, processes, onBusy } = options
  const known = new Map<number, SandboxProcess>()
  const running = new Set<number>()

  return {
    get running() {
      return running.size
    },
    async start(spec) {
      const cwd = spec.cwd ?? ''
      if (cwd !== '' && !isInside(cwd)) {
        throw new CoherexError(
          'invalid_input',
          `Cannot start a process in "${cwd.slice(0, 200)}": it is no path in the sandbox`,
        )
      }
      const { terminal } = spec
      const streams = terminal
        ? [link.stream()]
        : [link.stream({ isReadable: false }), link.stream({ isWritable: false }), link.stream({ isWritable: false })]
      const argv = ['/bin/bash', ...(terminal ? ['-i'] : []), ...(spec.command === '' ? [] : ['-c', spec.command])]
      const env = { ...(terminal && { TERM: 'xterm-256color' }), ...spec.env }
      let started: StartedProcess
      try {
        const stdio = terminal ? ({ stdio: 'terminal', ...size(terminal) } as const) : ({ stdio: 'pipes' } as const)
        started = await processes.start({ argv, env, cwd, ...stdio }, streams)
      } catch (error) {
        if (!(error instanceof KeeperError)) throw error
        const why =
          error.code === 'EAGAIN' ? 'the sandbox has no room for another one' : `the sandbox said ${error.code}`
        throw new CoherexError(
          error.code === 'EAGAIN' ? 'quota_exceeded' : 'conflict',
          `Cannot start a process: ${why}`,
        )
      }
      const { pid } = started
      running.add(pid)
      onBusy(true)
      const process = present(spec, started, streams, () => {
        running.delete(pid)
        onBusy(false)
        forgetOld()
      })
      known.set(pid, process)
      return process
    },
    list: () => [...known].flatMap(([pid, process]) => (running.has(pid) ? [process] : [])),
    get: (pid) => known.get(pid),
  }

  function forgetOld(): void {
    const ended = [...known.keys()].filter((pid) => !running.has(pid))
    for (const pid of ended.slice(0, Math.max(0, ended.length - maxEnded))) known.delete(pid)
  }
}

function present(
  spec: ProcessSpec,
  started: StartedProcess,
  streams: KeeperStream[],
  onExited: () => void,
): SandboxProcess {
  const listeners = new Set<(stream: Stream, chunk: Uint8Array) => void>()
  const recent: { stream: Stream; chunk: Buffer }[] = []
  let held = 0
  const [input] = streams
  const outputs: [Stream, KeeperStream | undefined][] = spec.terminal
    ? [['stdout', input]]
    : [
        ['stdout', streams[1]],
        ['stderr', streams[2]],
      ]
  const take = (stream: Stream, chunk: Buffer) => {
    recent.push({ stream, chunk })
    held += chunk.length
    while (held > recentBytes && recent.length > 1) held -= recent.shift()?.chunk.length ?? 0
    for (const listener of listeners) listener(stream, chunk)
  }
  const read = outputs.flatMap(([name, stream]) => (stream ? [paceOutput(stream, (chunk) => take(name, chunk))] : []))
  const exited = started.exited.then(async (exit): Promise<Exit> => {
    // its last words are on their way, unless something it started holds on to its output
    await Promise.race([Promise.all(read), new Promise((resolve) => setTimeout(resolve, flushMs).unref())])
    // nobody is left to read it
    if (!spec.terminal) input?.destroy()
    onExited()
    return exit
  })

  return {
    pid: started.pid,
    command: spec.command,
    startedAt: new Date(),
    isTerminal: spec.terminal !== undefined,
    get recentOutput() {
      return recent.map(({ stream, chunk }) => ({ stream, text: chunk.toString('utf8') }))
    },
    onOutput(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    write(data) {
      if (input && input.writableLength > maxUnreadBytes) {
        throw new CoherexError(
          'quota_exceeded',
          'Cannot write to the process: it does not read what was written before',
        )
      }
      input?.write(data)
    },
    endInput: () => void input?.end(),
    resize: (columns, rows) => started.resize(...(Object.values(size({ columns, rows })) as [number, number])),
    kill: (signal) => (signal === 'SIGKILL' ? started.killWhole() : started.signal(signal)),
    exited,
  }
}

// what a terminal can be, whatever was asked for
function size({ columns, rows }: { columns: number; rows: number }): { columns: number; rows: number } {
  const bound = (value: number) => Math.min(1000, Math.max(1, Math.floor(value) || 1))
  return { columns: bound(columns), rows: bound(rows) }
}
