// The tests every kind of sandbox that lives on passes. A runtime's own test file calls sandboxContract().
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Capabilities, CapabilityError, type CapabilityMethod } from '../capabilities/index.ts'
import {
  content,
  contractLimits,
  failureOf,
  readAll,
  runCell,
  runPython,
  untilPrinted,
  type Ask,
  type SandboxSubject,
  type SessionSamples,
} from './sandbox-cells.ts'
import { sandboxFilesContract } from './sandbox-files.contract.ts'
import { sandboxProcessesContract } from './sandbox-processes.contract.ts'
import type { Sandbox, SandboxSpec } from './sandbox.ts'

export function sandboxContract(name: string, samples: SessionSamples[], create: () => Promise<SandboxSubject>): void {
  describe(`${name}: the contract of sandboxes that live on`, () => {
    let subject: SandboxSubject
    let sandbox: Sandbox
    const spec: SandboxSpec = { limits: contractLimits, domain: 'contract', env: { GREETING: 'hello' } }

    beforeAll(async () => {
      subject = await create()
    })
    afterAll(async () => {
      await subject.close()
      expect(subject.leftovers()).toEqual([])
    })
    beforeEach(async () => {
      sandbox = await subject.open(spec)
    })
    afterEach(async () => {
      await sandbox.close()
    })

    describe.each(samples)('a session of $language', ({ language, ...cells }) => {
      const run = (code: string, ask?: Ask) => runCell(sandbox, language, code, ask)

      test('[sandbox.1] keeps what a cell defined', async () => {
        const first = await run(cells.sets)
        expect(first).toMatchObject({ status: 'succeeded', text: '', sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
        expect(sandbox.sessions()).toEqual([{ context: language, language, status: 'idle', cells: 2 }])
      })

      test('[sandbox.1] contexts are apart', async () => {
        await run(cells.sets)
        expect((await run(cells.asks, { context: 'another' })).text).toBe('absent\n')
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[sandbox.2] a failure is told and leaves the state', async () => {
        await run(cells.sets)
        expect(await run(cells.fails)).toMatchObject({ status: 'failed', sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[sandbox.3] an interrupted cell keeps the state', async () => {
        await run(cells.sets)
        const { cell } = await untilPrinted((onOutput) => run(cells.waits, { onOutput }), 'ready')
        expect(await sandbox.interrupt(language)).toBe(true)
        expect(await cell).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' }, sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
        expect(await sandbox.interrupt(language)).toBe(false)
      })

      test('[sandbox.4] a cell past its time is stopped and keeps the state', async () => {
        await run(cells.sets)
        const told = await run(cells.waits, { limits: { timeoutMs: 500 } })
        expect(told).toMatchObject({ status: 'failed', error: { kind: 'timeout' }, sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[sandbox.4] a cancelled cell that will not stop loses its session', async (context) => {
        const { refusesToStop } = cells
        if (refusesToStop === undefined) return context.skip('every cell of it stops')
        await run(cells.sets)
        const controller = new AbortController()
        const { signal } = controller
        const { cell } = await untilPrinted((onOutput) => run(refusesToStop, { onOutput, signal }), 'ready')
        controller.abort()
        expect(await cell).toMatchObject({ status: 'cancelled', sessionLost: true })
        expect((await run(cells.asks)).text).toBe('absent\n')
      })

      test('[sandbox.5] a session that ends says so, and starts again', async () => {
        await run(cells.sets)
        const told = await run(cells.exits)
        expect(told).toMatchObject({ status: 'failed', error: { kind: 'runtime' }, sessionLost: true })
        expect(told.error?.message).toMatch(/variables are gone: it exited with code 3/)
        expect((await run(cells.asks)).text).toBe('absent\n')
      })

      test('[sandbox.6] a reset leaves nothing of the session, and all files', async () => {
        await sandbox.files.write('kept.txt', content('kept'))
        await run(cells.sets)
        await sandbox.reset(language)
        expect(sandbox.sessions()).toEqual([])
        expect((await run(cells.asks)).text).toBe('absent\n')
        expect((await readAll(await sandbox.files.read('kept.txt'))).toString()).toBe('kept')
      })
    })

    test('[sandbox.1] contexts run at once, cells of one context in turn', async () => {
      const turns: string[] = []
      const cell = (context: string, label: string, code: string) =>
        runPython(sandbox, code, { context }).then(() => turns.push(label))
      await Promise.all([
        cell('a', 'slow', 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)'),
        cell('a', 'after slow', '1'),
        cell('b', 'quick', 'open("go", "w").close()'),
      ])
      expect(turns.slice(1)).toContain('after slow')
      expect(turns.indexOf('slow')).toBeLessThan(turns.indexOf('after slow'))
    })

    test('[sandbox.6] a reset ends the cell that runs and cancels those that wait', async () => {
      const { cell } = await untilPrinted(
        (onOutput) => runPython(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      const waiting = runPython(sandbox, '1')
      await sandbox.reset('python')
      expect(await cell).toMatchObject({ status: 'failed', sessionLost: true })
      expect(await waiting).toMatchObject({ status: 'cancelled', sessionLost: false })
      expect((await runPython(sandbox, '1 + 1')).result).toBe(2)
    })

    test('[sandbox.2] results, input, variables and displays are those of runs', async () => {
      expect((await runPython(sandbox, '{"a": [1, None, "zß水🍌"]}')).result).toEqual({ a: [1, null, 'zß水🍌'] })
      expect(
        (await runPython(sandbox, 'import coherex, os\n[coherex.input, os.environ["GREETING"]]', { input: 7 })).result,
      ).toEqual([7, 'hello'])
      expect((await runPython(sandbox, 'input("? ")', { stdin: 'typed\n' })).result).toBe('typed')
      const asked: unknown[] = []
      const told = await runPython(sandbox, 'input("name? ")', {
        onInput: async (request) => (asked.push(request), 'Ada'),
      })
      expect([told.result, asked]).toEqual(['Ada', [{ prompt: 'name? ', secret: false }]])
    })

    test('[sandbox.2] a context has one language', async () => {
      await runPython(sandbox, 'x = 1', { context: 'main' })
      const told = await runCell(sandbox, 'sql', 'select 1', { context: 'main' })
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'validation' }, sessionLost: false })
    })

    test('[sandbox.2] capabilities are those of the cell', async () => {
      const ECHO = {
        methods: {
          ping: async () => 'pong',
          refuse: () => Promise.reject(new CapabilityError('FORBIDDEN', 'no')),
        },
      } as unknown as Capabilities[string]
      const code =
        'import coherex\ndef code(act):\n    try: return act()\n    except coherex.CapabilityError as error: return error.code\n'
      const held = await runPython(sandbox, `${code}[coherex.ECHO.ping(), code(coherex.ECHO.refuse)]`, {
        capabilities: { ECHO },
      })
      expect(held.result).toEqual(['pong', 'FORBIDDEN'])
      const kept = 'try: coherex.ECHO.ping(); there = True\nexcept Exception: there = False\nthere'
      expect((await runPython(sandbox, kept)).result).toBe(false)
    })

    test('[sandbox.2] a capability hears when each of its answers was taken', async () => {
      const taken: unknown[] = []
      const read: CapabilityMethod = async ([name], _, leaving) => {
        void leaving?.then(() => taken.push(name))
        return 'x'.repeat(1_000_000)
      }
      const code = 'import coherex\n[len(coherex.LARGE.read(name)) for name in ("first", "second")]'
      const { result } = await runPython(sandbox, code, { capabilities: { LARGE: { methods: { read } } } })
      expect(result).toEqual([1_000_000, 1_000_000])
      await expect.poll(() => taken).toEqual(['first', 'second'])
    })

    test('[sandbox.2] output is cut at its limit, and the next cell has all of its own', async () => {
      const told = await runPython(sandbox, 'for _ in range(50_000): print("x" * 99)\n"done"', {
        limits: { outputBytes: 10_000 },
      })
      expect(told).toMatchObject({ status: 'succeeded', result: 'done', truncated: true })
      expect(told.text.length).toBeLessThan(11_000)
      expect(await runPython(sandbox, 'print("y" * 5000)')).toMatchObject({
        truncated: false,
        text: `${'y'.repeat(5000)}\n`,
      })
    })

    sandboxFilesContract(() => sandbox)
    sandboxProcessesContract(() => sandbox)

    test('[sandbox.12] variables are told, one of them in full', async () => {
      await runPython(sandbox, 'n = 41\ntext = "x" * 5000\nitems = list(range(100))\ndef helper(): pass')
      const variables = await sandbox.variables('python')
      expect(variables.find(({ name }) => name === 'n')).toMatchObject({ type: 'int', value: '41' })
      expect(variables.every(({ value }) => value.length < 1000 && !value.includes('\n'))).toBe(true)
      const page = { offset: 0, limit: 10 }
      expect((await sandbox.variable('python', 'text', page))?.text?.length).toBeGreaterThan(1000)
      expect(await sandbox.variable('python', 'nothing', page)).toBeUndefined()
      expect(await sandbox.variables('nobody')).toEqual([])
      expect(await sandbox.complete('nobody', 'n')).toEqual({ prefix: '', items: [] })
      const { cell } = await untilPrinted(
        (onOutput) => runPython(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      expect(await failureOf(sandbox.variables('python'))).toBe('conflict')
      await sandbox.interrupt('python')
      await cell
    })

    test('[sandbox.13] [launcher.16] a session that takes too much memory is lost, the sandbox and its other sessions are not', async () => {
      await runPython(sandbox, 'x = 41', { context: 'other' })
      const told = await runPython(sandbox, 'x = []\nwhile True: x.append(bytearray(5_000_000))')
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'memory' }, sessionLost: true })
      expect(await runPython(sandbox, 'x + 1', { context: 'other' })).toMatchObject({ status: 'succeeded', result: 42 })
      expect(await runPython(sandbox, '1 + 1')).toMatchObject({ status: 'succeeded', result: 2 })
      expect(sandbox.signs().some(({ kind }) => kind === 'limit-kill')).toBe(true)
    })

    test('[sandbox.13] files do not count as memory', async () => {
      const half = Buffer.alloc(30 * 1024 * 1024, 7)
      await sandbox.files.write('a.bin', content(half))
      await sandbox.files.write('b.bin', content(half))
      const told = await runPython(sandbox, 'x = bytearray(150_000_000)\nlen(x)')
      expect(told).toMatchObject({ status: 'succeeded', result: 150_000_000 })
    })

    test('[sandbox.14] what runs in a sandbox ends with it, and is told', async () => {
      const { cell } = await untilPrinted(
        (onOutput) => runPython(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      const started = await sandbox.processes.start({ command: 'setsid sleep 1000 & exec sleep 1000' })
      await sandbox.files.watch('', () => {})
      await sandbox.close()
      expect(await cell).toMatchObject({ status: 'failed', sessionLost: true })
      expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' })
      expect(await sandbox.ended).toMatchObject({ why: 'closed' })
      expect(await failureOf(sandbox.files.list(''))).toBe('unavailable')
      expect(await failureOf(sandbox.connect(80))).toBe('unavailable')
      expect(subject.leftovers()).toEqual([])
    })

    test('[sandbox.15] sandboxes are apart', async () => {
      const other = await subject.open(spec)
      await sandbox.files.write('mine.txt', content('mine'))
      await runPython(
        sandbox,
        'import socket\ns = socket.socket(); s.bind(("127.0.0.1", 7000)); s.listen()\nopen("/tmp/mine", "w").close()',
      )
      expect(await other.files.list('')).toEqual([])
      expect(await failureOf(other.connect(7000))).toBe('not_found')
      const looked = await runPython(
        other,
        'import os, glob\n[os.path.exists("/tmp/mine"), len(glob.glob("/proc/[0-9]*"))]',
      )
      expect(looked.result).toEqual([false, 2])
      await other.close()
    })
  })
}
