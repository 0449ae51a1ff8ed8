import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

type Sync = 'spawnSync' | 'execFileSync' | 'execSync'
interface Options {
  stdio?: unknown
}

/**
 * A child that shares our descriptors 1 and 2 writes into pipes that only we empty, and we cannot while we wait for it. So what such a
 * child would inherit is taken from it, and written when it has ended.
 */
export function forwardSyncChildren(): void {
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] satisfies Sync[]) {
    const original = childProcess[name] as (...args: unknown[]) => unknown
    const replaced = (...args: unknown[]) => {
      const at = args.findIndex((arg, index) => index > 0 && isOptions(arg))
      const options = args[at] as Options | undefined
      const inherited = inheritedOf(options?.stdio)
      if (inherited.length === 0) return original(...args)
      const stdio = [0, 1, 2].map((number) => (inherited.includes(number) ? 'pipe' : stdioAt(options?.stdio, number)))
      const given = args.with(at, {
        ...options,
        stdio: [inherited.includes(0) ? 'ignore' : stdio[0], ...stdio.slice(1)],
      })
      try {
        const told = original(...given)
        if (name === 'spawnSync') writeInherited(told, inherited)
        else if (inherited.includes(1)) process.stdout.write(told as Buffer)
        return told
      } catch (error) {
        if (name !== 'spawnSync') writeInherited(error, inherited)
        throw error
      }
    }
    Object.assign(childProcess, { [name]: replaced })
  }
  syncBuiltinESMExports()
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inheritedOf(stdio: unknown): number[] {
  if (stdio === 'inherit') return [0, 1, 2]
  return [0, 1, 2].filter((number) => {
    const one = stdioAt(stdio, number)
    return (
      one === 'inherit' || (number > 0 && (one === number || one === (number === 1 ? process.stdout : process.stderr)))
    )
  })
}

function stdioAt(stdio: unknown, number: number): unknown {
  return Array.isArray(stdio) ? (stdio as unknown[])[number] : (stdio ?? 'pipe')
}

function writeInherited(told: unknown, inherited: number[]): void {
  const { stdout, stderr } = told as { stdout?: Buffer; stderr?: Buffer }
  if (inherited.includes(1) && stdout) process.stdout.write(stdout)
  if (inherited.includes(2) && stderr) process.stderr.write(stderr)
}
