import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import type { Cgroup } from './cgroups.ts'
import type { Ending, Launched, LaunchSpec } from './launcher.ts'
import { watchMemory } from './watch-memory.ts'

export interface Entry {
  /** Arguments of enter.sh and the program behind them. */
  arguments: string[]
  /** Who to be; undefined stays who the server is. */
  user: { uid: number; gid: number } | undefined
  cgroup: Cgroup | undefined
  limits: LaunchSpec['limits']
  /** Descriptors of the server that would reach the sandbox. */
  strayDescriptors: number[]
  /** Called when no process is left. */
  release(): void
}

type Pipes = [stdin: Writable, stdout: Readable, stderr: Readable, channel: Duplex, gate: Writable, report: Readable]

/** Starts one sandbox and waits until its namespaces exist, which is when it can be killed precisely. */
export async function startSandbox(entry: Entry): Promise<Launched> {
  const [command = '', ...args] = [
    ...closeFirst(entry.strayDescriptors),
    ...['/usr/bin/unshare', '--map-root-user', '--mount', '/bin/sh', ...entry.arguments],
  ]
  const child = spawn(command, args, {
    ...entry.user,
    env: {},
    cwd: '/',
    // a session of its own: no controlling terminal, and a Ctrl-C meant for the server stops here
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  const [stdin, stdout, stderr, channel, gate, report] = child.stdio as unknown as Pipes
  // a sandbox that dies breaks its pipes: its end is told by `ended`, not by these
  for (const stream of child.stdio) stream?.on('error', () => {})

  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
  const { pid } = child
  if (pid === undefined) {
    await entry.cgroup?.remove()
    entry.release()
    throw new CoherexError('unavailable', 'Cannot start a sandbox: /usr/bin/unshare could not be started')
  }

  let innerPid: number | undefined
  let hasExited = false
  let lastMemory: { current: number; peak: number } | undefined
  const watcher = entry.cgroup
    ? undefined
    : watchMemory(
        () => innerPid,
        entry.limits.memoryMb,
        () => killNow(),
      )

  const killNow = () => {
    if (hasExited) return
    try {
      // the death of a namespace's first process takes all others along, and bwrap outside waits for it
      process.kill(innerPid ?? pid, 'SIGKILL')
    } catch {
      // gone between the check and the call
    }
  }

  const ended: Promise<Ending> = exited.then(async ({ code, signal }) => {
    hasExited = true
    const outOfMemory = (entry.cgroup?.oomKills() ?? 0) > 0 || (watcher?.exceeded() ?? false)
    lastMemory = entry.cgroup?.memory() ?? watcher?.memory()
    watcher?.stop()
    await entry.cgroup?.remove()
    entry.release()
    return { ...decodeExit(code, signal), outOfMemory }
  })

  try {
    entry.cgroup?.join(pid)
    gate.end('go\n')
    innerPid = await readChildPid(report, exited)
  } catch (cause) {
    killNow()
    await ended
    throw new CoherexError('unavailable', 'Cannot start a sandbox: it could not be put under its limits', { cause })
  }
  if (innerPid === undefined) {
    await ended
    throw new CoherexError('unavailable', 'Cannot start a sandbox: its namespaces could not be made', {
      cause: new Error(await readAll(stderr)),
    })
  }

  return {
    pid,
    stdin,
    stdout,
    stderr,
    channel: { read: channel, write: channel },
    memory: () => lastMemory ?? entry.cgroup?.memory() ?? watcher?.memory(),
    limit: ({ memoryMb, processes }) => {
      if (hasExited) return false
      watcher?.limit(memoryMb)
      return entry.cgroup?.limit({ memoryMb, processes }) ?? true
    },
    // bwrap outside, bwrap inside and the program itself
    processes: () => (hasExited ? undefined : entry.cgroup && Math.max(0, entry.cgroup.processes() - 3)),
    async kill() {
      killNow()
      await ended
    },
    ended,
  }
}

// only bash can close descriptors above 9; without stray ones the step is left out
function closeFirst(descriptors: number[]): string[] {
  if (descriptors.length === 0) return []
  const closing = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ')
  return ['/bin/bash', '--norc', '--noprofile', '-c', `exec ${closing}; exec "$@"`, 'bash']
}

/** bwrap reports `{ "child-pid": n }` before the program starts; undefined when it died first. */
async function readChildPid(report: Readable, exited: Promise<unknown>): Promise<number | undefined> {
  let text = ''
  const reported = new Promise<number | undefined>((resolve) => {
    report.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const pid = /"child-pid": (\d+)/.exec(text)?.[1]
      if (pid) resolve(Number(pid))
    })
    report.on('close', () => resolve(undefined))
  })
  return Promise.race([reported, exited.then(() => undefined)])
}

// bwrap passes a signal of its program on as 128 + number
function decodeExit(
  code: number | null,
  signal: NodeJS.Signals | null,
): { code: number | null; signal: string | null } {
  if (signal !== null || code === null || code <= 128) return { code, signal }
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  return name ? { code: null, signal: name } : { code, signal }
}

async function readAll(stream: Readable): Promise<string> {
  let text = ''
  try {
    for await (const chunk of stream) text += String(chunk)
  } catch {
    // the pipe broke: what arrived is what there is
  }
  return text
}
