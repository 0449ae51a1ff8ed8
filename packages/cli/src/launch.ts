import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CoherexError } from '@coherex/contract'

/** Runs the server's own program for operators, with our terminal, and gives its exit code. */
export async function launchOperator(
  project: string,
  args: string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const node = join(project, 'node_modules/.bin/node')
  if (!existsSync(node))
    throw new CoherexError('invalid_input', `Run npm ci in ${project} first: its packages are not installed`)
  const child = spawn(node, [join(project, 'scripts/operate.mjs'), ...args], {
    cwd: project,
    env: environment,
    stdio: 'inherit',
  })
  // Ctrl-C reaches the child by itself; we wait for its word
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  const pass = () => void child.kill('SIGTERM')
  process.on('SIGTERM', pass)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    process.off('SIGINT', ignore)
    process.off('SIGTERM', pass)
  }
}

export interface Ran {
  /** Undefined when the program is not there. */
  code: number | undefined
  output: string
}

/** Runs a program to learn about this machine. Root tries as an unprivileged user, because sandboxes never run as root. */
export async function probe([program = '', ...args]: string[], options: { unprivileged?: boolean } = {}): Promise<Ran> {
  const nobody = 65_534
  const user = options.unprivileged && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', timeout: 10_000, ...user })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', (status) => resolve(status ?? 1))
  })
  return { code, output: output.trim() }
}
