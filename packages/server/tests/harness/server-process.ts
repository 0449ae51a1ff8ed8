import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askLongestTick, watchArguments, type LongestTick } from './load/longest-tick.ts'

const program = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url))
const offlineArguments = ['--import', new URL('./no-internet.ts', import.meta.url).href]

export interface Ran {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}

export interface ServerProcess {
  pid: number
  url: string
  signInLink: string
  /** From the spawn to the line that says it is ready. */
  readyMs: number
  stderr(): string
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ran>
  /** Of a server that is watched: the longest turn of its event loop since it was last asked. */
  longestTick(): Promise<LongestTick>
}

interface ProcessOptions {
  uid?: number
  gid?: number
  /** Put before node and its arguments, such as `prlimit`. */
  prefix?: string[]
  isWatched?: boolean
  /** Reaches nothing but this machine. */
  isOffline?: boolean
}

/** A directory that other users can pass through, like the one `npm start` makes. */
export async function makeTestDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'coherex-data-'))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The real program in a process of its own, with no setting but those given. */
export async function startServerProcess(
  settings: Record<string, string>,
  options: ProcessOptions = {},
): Promise<ServerProcess> {
  const started = performance.now()
  const { child, ended, stdout, stderr } = launch('main.ts', [], settings, options)
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = stdout()
        .split('\n')
        .find((one) => one.startsWith('Coherex is ready'))
      if (found) resolve(found)
    })
    void ended.then((ran) => reject(new Error(`The server ended before it was ready: ${ran.stderr}`)))
  })
  const [, url = '', signInLink = ''] = /at (\S+) {2}Sign in: (\S+)/.exec(line) ?? []
  const readyMs = performance.now() - started
  return {
    pid: child.pid ?? 0,
    url,
    signInLink,
    readyMs,
    stderr,
    kill: (signal) => child.kill(signal),
    ended,
    longestTick: () => askLongestTick(child),
  }
}

/** Runs the server when it is expected to end by itself. */
export function runServerProcess(settings: Record<string, string>, options: ProcessOptions = {}): Promise<Ran> {
  return launch('main.ts', [], settings, options).ended
}

export function runOperate(args: string[], settings: Record<string, string>): Promise<Ran> {
  return launch('operate.ts', args, settings).ended
}

/** The process id of the embedded database in a data directory. */
export async function embeddedPid(dataDirectory: string): Promise<number> {
  return Number((await readFile(join(dataDirectory, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function launch(
  name: string,
  args: string[],
  settings: Record<string, string>,
  { prefix = [], isWatched = false, isOffline = false, ...user }: ProcessOptions = {},
): { child: ChildProcess; ended: Promise<Ran>; stdout(): string; stderr(): string } {
  const imports = [...(isWatched ? watchArguments : []), ...(isOffline ? offlineArguments : [])]
  const [command = '', ...rest] = [...prefix, process.execPath, ...imports, program(name), ...args]
  const child = spawn(command, rest, {
    ...user,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', PORT: '0', ...settings },
    stdio: isWatched ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
  })
  return { child, ended, stdout: () => output.stdout, stderr: () => output.stderr }
}
