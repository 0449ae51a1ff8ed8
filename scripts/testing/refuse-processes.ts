import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect } from 'vitest'

const refused: string[] = []

// what a test catches would hide it: the file fails whatever the test makes of the refusal
afterAll(() => expect(refused, 'processes that a pure test started').toEqual([]))

const names = ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'] as const
const refusals = names.map((name) => {
  const refuse = (command: string) => {
    refused.push(String(command))
    throw new Error(`Cannot start "${command}": a pure test starts no process. See scripts/testing/test-needs.mjs`)
  }
  return [name, refuse] as const
})
Object.assign(childProcess, Object.fromEntries(refusals))
syncBuiltinESMExports()
