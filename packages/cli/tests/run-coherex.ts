import { spawn } from 'node:child_process'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../src/main.ts')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Surroundings {
  env?: Record<string, string>
  stdin?: string
  cwd?: string
}

/** Runs the real program with an environment of its own. */
export async function runCoherex(args: string[], surroundings?: Surroundings): Promise<Ended> {
  return startCoherex(args, surroundings).ended
}

/** Like `runCoherex`, for a test that does something meanwhile. */
export function startCoherex(args: string[], { env = {}, stdin = '', cwd }: Surroundings = {}) {
  const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env['PATH'], ...env }, cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end(stdin)
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  const printed = new Promise<string>((resolve) => {
    child.stdout.once('data', () => resolve(stdout))
  })
  return { child, ended, printed }
}
