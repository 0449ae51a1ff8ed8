import { spawn } from 'node:child_process'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../src/main.ts')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the real program with an environment of its own. */
export async function runCoherex(
  args: string[],
  { env = {}, stdin = '', cwd }: { env?: Record<string, string>; stdin?: string; cwd?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env['PATH'], ...env }, cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end(stdin)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
