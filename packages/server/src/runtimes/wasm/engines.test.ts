// No package of Debian or npm brings WasmEdge or wasmtime: a stand-in takes their place and tells how it was called.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture } from '../process/process-fixture.ts'
import { runProgram } from '../runtime.contract.ts'
import { findEngine } from './engines.ts'
import { createWasmRuntime } from './wasm-runtime.ts'

let folder: string
let bin: string

beforeAll(() => {
  // an engine has the same place inside, and not every TMPDIR can be made there
  folder = mkdtempSync('/tmp/coherex-engine-')
  bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const directory of [folder, bin]) chmodSync(directory, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

function standIn(name: string, script: string): string {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  chmodSync(path, 0o755)
  return path
}

describe('findEngine()', () => {
  test('[wasm.6] takes Node where the machine has nothing else', () => {
    expect(findEngine(undefined, [join(folder, 'empty')]).name).toBe('node')
    expect(findEngine(join(folder, 'not-there'), [join(folder, 'empty')]).name).toBe('node')
  })

  test('[wasm.6] prefers what the operator named, then WasmEdge, then wasmtime', () => {
    standIn('wasmtime', 'true')
    expect(findEngine(undefined, [bin]).name).toBe('wasmtime')
    const edge = standIn('wasmedge', 'true')
    expect(findEngine(undefined, [bin]).name).toBe('wasmedge')
    expect(findEngine(edge, []).name).toBe('wasmedge')
  })
})

test.each(['wasmtime', 'wasmedge'] as const)(
  '%s is told its limits, directories, variables and arguments',
  async (name) => {
    rmSync(join(bin, 'wasmedge'), { force: true })
    standIn(
      name,
      'for one; do printf "%s\\n" "$one"; done; echo "wasm trap: unreachable" >&2; echo "execution failed: unreachable, Code: 0x40a" >&2; exit 3',
    )
    const engine = findEngine(undefined, [bin])
    const fixture = await createFixture(0x70080000 + (process.pid % 100) * 1000, { binds: engine.binds, poolSize: 1 })
    try {
      const runtime = createWasmRuntime({ sandboxes: fixture.runtime, engine })
      const { text, error } = await runProgram(
        runtime,
        { language: 'wasm', code: 'AGFzbQEAAAA=', entry: 'main.wasm' },
        { env: { A: 'b c' }, args: ['--x', 'y z'], limits: { memoryMb: 64 } },
      )
      const lines = text.split('\n')
      expect(lines).toEqual(expect.arrayContaining(['A=b c', '--x', 'y z', 'main.wasm']))
      expect(lines).toContain(name === 'wasmtime' ? `max-memory-size=${64 * 1024 * 1024}` : String(64 * 16))
      expect(lines).toContain(name === 'wasmtime' ? '/home/guest::/' : '/:/home/guest')
      expect(error).toMatchObject({ kind: 'runtime', message: 'unreachable' })
    } finally {
      await fixture.close()
    }
  },
)
