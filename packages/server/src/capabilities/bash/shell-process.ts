import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { CapabilityError } from '../capability.ts'
import { createFrameReader, encodeFrame } from './frame.ts'
import type { HostMessage } from './shell-messages.ts'

/** What the launcher is asked for. The room above owns launchers; this one only says what it needs of them. */
export interface ShellLaunchSpec {
  argv: string[]
  binds: { host: string; guest: string }[]
  env: Record<string, string>
  home: string
  readOnly: boolean
  limits: { memoryMb: number; processes: number; openFiles: number; diskMb: number; inodes: number }
  seccomp: 'guest'
}

export interface LaunchedShell {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  kill(): Promise<void>
  readonly ended: Promise<{ outOfMemory: boolean }>
}

/** Starts the shell's program where it can do no harm and can be killed. */
export type LaunchShell = (spec: ShellLaunchSpec) => Promise<LaunchedShell>

/** A shell that said it is ready. */
export interface ShellProcess {
  send(message: HostMessage): void
  /** One listener; `undefined` is something that no shell says. */
  listen(onMessage: (message: unknown) => void): void
  kill(): Promise<void>
  readonly ended: Promise<{ outOfMemory: boolean }>
  isAlive(): boolean
}

// The largest file of a scratch space in base64, with what is around it.
const maxFrameBytes = 32_000_000
const startMs = 15_000
const root = '/opt/coherex'

export function shellLaunchSpec({ node, memoryMb = 384 }: { node: string; memoryMb?: number }): ShellLaunchSpec {
  const library = fileURLToPath(import.meta.resolve('just-bash'))
  const marker = `${join('node_modules', 'just-bash')}`
  const modules = library.slice(0, library.lastIndexOf(marker) + 'node_modules'.length)
  return {
    argv: [
      `${root}/node`,
      '--permission',
      `--allow-fs-read=${root}`,
      '--allow-worker',
      '--no-warnings',
      `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
      `${root}/bash/guest/main.ts`,
    ],
    binds: [
      { host: node, guest: `${root}/node` },
      { host: modules, guest: `${root}/node_modules` },
      { host: import.meta.dirname, guest: `${root}/bash` },
      // says that the sources are modules
      { host: join(dirname(dirname(dirname(import.meta.dirname))), 'package.json'), guest: `${root}/package.json` },
    ],
    env: {},
    home: '/home/guest',
    readOnly: true,
    limits: { memoryMb, processes: 48, openFiles: 256, diskMb: 1, inodes: 64 },
    seccomp: 'guest',
  }
}

export async function startShellProcess(launch: LaunchShell, spec: ShellLaunchSpec): Promise<ShellProcess> {
  const launched = await launch(spec)
  let isAlive = true
  let onMessage: (message: unknown) => void = () => {}
  const ended = launched.ended.finally(() => {
    isAlive = false
  })
  // what Node says when it dies is of no use to a guest and may name paths
  launched.stderr.resume()
  const ready = new Promise<boolean>((resolve) => {
    onMessage = (message) => resolve((message as { type?: unknown } | null)?.type === 'ready')
    void ended.then(() => resolve(false))
    setTimeout(() => resolve(false), startMs).unref()
  })
  const read = createFrameReader(maxFrameBytes, (message) => onMessage(message))
  launched.stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      // not a shell any more: whoever waits hears of it through `ended`
      void launched.kill()
    }
  })
  if (!(await ready)) {
    await launched.kill()
    throw new CapabilityError('UNAVAILABLE', 'Cannot start the shell: its process ended before it was ready')
  }
  return {
    send: (message) => {
      if (isAlive) launched.stdin.write(encodeFrame(message))
    },
    listen(listener) {
      onMessage = listener
    },
    kill: () => launched.kill(),
    ended,
    isAlive: () => isAlive,
  }
}
