import type { Receipt, RuntimeName } from '@coherex/contract'
import { describe, expect, test } from 'vitest'
import { createRouter, type RouterOptions } from './router.ts'
import type { Outcome, Program, Runtime } from './runtime.ts'
import type { Sandbox, SandboxSpec } from './sandbox.ts'

const program: Program = {
  language: 'javascript',
  code: '',
  entry: 'main.js',
  files: {},
  env: {},
  packages: [],
  typecheck: false,
  readOnly: false,
}
const outcome: Outcome = {
  status: 'succeeded',
  files: [],
  truncated: false,
  durationMs: 1,
  peakMemoryMb: null,
  signs: [],
}

function runtime(name: RuntimeName, change: Partial<Runtime> = {}): Runtime {
  return {
    name,
    health: () => ({ available: true }),
    refuses: () => undefined,
    run: async (_, { onStart }) => {
      onStart()
      return { ...outcome, result: name }
    },
    warm: async () => undefined,
    close: async () => undefined,
    ...change,
  }
}

function options(receipts: Receipt[], only?: RuntimeName): RouterOptions {
  return {
    limits: { timeoutMs: 1, cpuMs: 1, memoryMb: 1, outputBytes: 1, processes: 1, openFiles: 1, diskMb: 1, inodes: 1 },
    signal: new AbortController().signal,
    capabilities: {},
    domain: 'd',
    onOutput: () => undefined,
    onStart: () => undefined,
    onRoute: (receipt) => receipts.push(receipt),
    only,
  }
}

describe('createRouter()', () => {
  test('takes the first runtime that fits and says why the others were passed over', async () => {
    const receipts: Receipt[] = []
    const router = createRouter([
      runtime('isolate', { refuses: () => 'it needs node:net' }),
      runtime('wasm', { health: () => ({ available: false, reason: 'not installed' }) }),
      runtime('process'),
      runtime('e2b'),
    ])
    expect(await router.run(program, options(receipts))).toMatchObject({ result: 'process' })
    expect(receipts).toEqual([
      {
        name: 'process',
        reason: 'the cheapest runtime that takes javascript',
        passedOver: [
          { name: 'isolate', reason: 'it needs node:net' },
          { name: 'wasm', reason: 'not installed' },
        ],
      },
    ])
  })

  test('does what the caller asks for, or says that it cannot', async () => {
    const receipts: Receipt[] = []
    const router = createRouter([runtime('isolate'), runtime('process')])
    expect(await router.run(program, options(receipts, 'process'))).toMatchObject({ result: 'process' })
    expect(receipts[0]).toMatchObject({ name: 'process', reason: 'the caller asked for it' })
    expect(() => router.choose(program, 'e2b')).toThrow('Cannot run javascript on the runtime "e2b" here')
  })

  test('names the field without which something would take the program', () => {
    const isolate = runtime('isolate', { refuses: ({ packages }) => packages.find((name) => name !== 'zod') })
    const process = runtime('process', {
      refuses: ({ packages, typecheck }) => (typecheck && 'no types') || packages[0],
    })
    const whatOf = (router: ReturnType<typeof createRouter>, change: Partial<Program>, only?: RuntimeName) => {
      try {
        return router.choose({ ...program, ...change }, only).runtime.name
      } catch (error) {
        const { code, details = [{}] } = error as { code: string; details?: [{ field?: string }] }
        return [code, details[0].field]
      }
    }
    const both = createRouter([isolate, process])
    expect(whatOf(both, { packages: ['zod'] })).toBe('isolate')
    expect(whatOf(both, { packages: ['left-pad'] })).toEqual(['invalid_input', 'packages'])
    expect(whatOf(both, { packages: ['left-pad'], typecheck: true })).toEqual(['invalid_input', 'packages'])
    expect(whatOf(both, { typecheck: true }, 'process')).toEqual(['invalid_input', 'runtime'])
    expect(whatOf(createRouter([process]), { typecheck: true })).toEqual(['invalid_input', 'typecheck'])
    const down = { ...process, health: () => ({ available: false, reason: 'no bubblewrap' }) }
    expect(whatOf(createRouter([down]), { typecheck: true, packages: ['zod'] })).toEqual(['unavailable', undefined])
  })

  test('goes on to the next runtime when one fails to start, and says so', async () => {
    const receipts: Receipt[] = []
    const failing = runtime('isolate', { run: () => Promise.reject(new Error('no')) })
    const router = createRouter([failing, runtime('process')])
    expect(await router.run(program, options(receipts))).toMatchObject({ result: 'process' })
    expect(receipts[1]).toEqual({
      name: 'process',
      reason: 'the runtimes before it failed to start',
      passedOver: [{ name: 'isolate', reason: 'failed to start' }],
    })
  })

  test('goes on to no other runtime than the one that was asked for', async () => {
    const failing = runtime('isolate', { run: () => Promise.reject(new Error('no')) })
    const router = createRouter([failing, runtime('process')])
    await expect(router.run(program, options([], 'isolate'))).rejects.toThrow('no')
  })

  test('never runs code twice once it has begun', async () => {
    let tries = 0
    const dying = runtime('isolate', {
      run: (_, { onStart }) => {
        onStart()
        tries++
        return Promise.reject(new Error('died'))
      },
    })
    const next = runtime('process', {
      run: () => {
        tries++
        return Promise.resolve(outcome)
      },
    })
    await expect(createRouter([dying, next]).run(program, options([]))).rejects.toThrow('died')
    expect(tries).toBe(1)
  })

  test('opens a sandbox on the first healthy runtime whose sandboxes live on, and says why', async () => {
    const sandbox = {} as Sandbox
    const spec = {} as SandboxSpec
    const router = createRouter([
      runtime('isolate'),
      runtime('wasm', { open: async () => sandbox, health: () => ({ available: false, reason: 'not installed' }) }),
      runtime('process', { open: async (asked) => (expect(asked).toBe(spec), sandbox) }),
    ])
    expect(await router.open(spec)).toEqual({
      sandbox,
      receipt: {
        name: 'process',
        reason: 'the cheapest runtime whose sandboxes live on',
        passedOver: [
          { name: 'isolate', reason: 'its sandboxes live for one run' },
          { name: 'wasm', reason: 'not installed' },
        ],
      },
    })
    await expect(router.open(spec, 'isolate')).rejects.toThrow(
      'Cannot open a sandbox here: isolate: its sandboxes live for one run; wasm: the caller asked for isolate',
    )
  })
})
