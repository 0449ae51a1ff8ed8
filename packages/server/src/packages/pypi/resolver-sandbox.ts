import { dirname } from 'node:path'
import { CoherexError } from '@coherex/contract'
import type { Sandbox, SandboxNetwork, SandboxSpec } from '../../runtimes/index.ts'

export interface ResolverSandboxOptions {
  open(spec: SandboxSpec): Promise<Sandbox>
  /** The directory that is shown at /opt/template. */
  shown?: string
  network?: SandboxNetwork
  signal: AbortSignal
  limits?: Partial<SandboxSpec['limits']>
}

export interface Said {
  code: number | null
  stdout: string
  stderr: string
}

const usual = { memoryMb: 768, processes: 96, openFiles: 1024, diskMb: 600, inodes: 60_000 }
const maxSaid = 200_000

/** A sandbox for one question of ours, gone afterwards. Nothing that it says is trusted. */
export async function withSandbox<Answer>(
  { open, shown, network, signal, limits }: ResolverSandboxOptions,
  work: (sandbox: Sandbox) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const sandbox = await open({
    limits: { ...usual, ...limits },
    domain: 'packages',
    env: {},
    ...(shown && { templateDir: shown }),
    ...(network && { network }),
  })
  const end = () => void sandbox.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work(sandbox), died(sandbox, signal)])
  } finally {
    signal.removeEventListener('abort', end)
    await sandbox.close()
  }
}

async function died(sandbox: Sandbox, signal: AbortSignal): Promise<never> {
  const { detail } = await sandbox.ended
  signal.throwIfAborted()
  throw new CoherexError('unavailable', `Cannot resolve packages: their sandbox ended early. ${detail}`)
}

export async function runInside(
  sandbox: Sandbox,
  argv: readonly string[],
  { env = {}, cwd, timeoutMs = 120_000 }: { env?: Record<string, string>; cwd?: string; timeoutMs?: number } = {},
): Promise<Said> {
  const command = `exec ${argv.map(quote).join(' ')}`
  const running = await sandbox.processes.start({ command, env, ...(cwd !== undefined && { cwd }) })
  const said = { stdout: '', stderr: '' }
  const readers = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  for (const { stream, text } of running.recentOutput) said[stream] += text
  running.onOutput((stream, chunk) => {
    if (said[stream].length < maxSaid) said[stream] += readers[stream].decode(chunk, { stream: true })
  })
  running.endInput()
  const timer = setTimeout(() => running.kill('SIGKILL'), timeoutMs)
  const { code } = await running.exited
  clearTimeout(timer)
  return { code, ...said }
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`
}

export async function writeInside(sandbox: Sandbox, path: string, text: string): Promise<void> {
  await sandbox.files.write(
    path,
    (async function* () {
      yield Buffer.from(text)
    })(),
  )
}

/** Undefined where there is no such file. */
export async function readInside(sandbox: Sandbox, path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await sandbox.files.stat(path)
  if (file?.type !== 'file') return undefined
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of await sandbox.files.read(path)) {
    size += (piece as Buffer).length
    if (size > maxBytes) {
      throw new CoherexError('too_large', `Cannot resolve packages: ${dirname(path)} has a file that is too large`)
    }
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}
