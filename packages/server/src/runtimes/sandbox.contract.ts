// The tests every kind of sandbox that lives on passes. A runtime's own test file calls sandboxContract().
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { CoherexError, type Language, type OutputLine } from '@coherex/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Capabilities, CapabilityError } from '../capabilities/index.ts'
import type {
  Cell,
  CellOptions,
  CellOutcome,
  FileChange,
  Sandbox,
  SandboxLimits,
  SandboxProcess,
  SandboxSpec,
} from './sandbox.ts'

/** One cell per thing to prove, in a language that keeps state. */
export interface SessionSamples {
  language: Language
  /** Sets `x` to 41, prints nothing, has no result. */
  sets: string
  /** Prints `x` plus one, and a line break. */
  shows: string
  /** Prints "absent" and a line break when there is no `x`. */
  asks: string
  /** Prints "ready", then waits or computes for ever, and can be interrupted. */
  waits: string
  /** Prints "ready", then never ends and will not be interrupted. Left out where a language has no way to refuse. */
  refusesToStop?: string
  /** Ends its own interpreter at once, with code 3. */
  exits: string
  /** Fails. */
  fails: string
}

export interface SandboxSubject {
  open(spec: SandboxSpec): Promise<Sandbox>
  close(): Promise<void>
  /** What is left of closed sandboxes on the machine: processes, control groups, mounts. */
  leftovers(): string[]
}

export interface Told extends CellOutcome {
  output: OutputLine[]
  text: string
}

export const contractLimits: SandboxLimits = {
  memoryMb: 256,
  processes: 64,
  openFiles: 256,
  diskMb: 64,
  inodes: 2_000,
}

type Ask = Partial<Omit<Cell, 'code' | 'language'>> &
  Partial<Omit<CellOptions, 'limits'>> & { limits?: Partial<CellOptions['limits']> }

/** Runs a cell with the contract's defaults, in the context of its language unless told otherwise. */
export async function runCell(sandbox: Sandbox, language: Language, code: string, ask: Ask = {}): Promise<Told> {
  const { context = language, stdin, input, limits, signal, capabilities, onOutput, onStart, onInput } = ask
  const output: OutputLine[] = []
  const outcome = await sandbox.runCell(
    { context, language, code, ...(stdin !== undefined && { stdin }), ...(input !== undefined && { input }) },
    {
      limits: { timeoutMs: 30_000, outputBytes: 1_000_000, ...limits },
      signal: signal ?? new AbortController().signal,
      capabilities: capabilities ?? {},
      onOutput(line) {
        output.push(line)
        onOutput?.(line)
      },
      onStart: onStart ?? (() => {}),
      ...(onInput && { onInput }),
    },
  )
  return { ...outcome, output, text: output.map(textOf).join('') }
}

/** As a reader sees it: each call of a console is a line. */
function textOf(line: OutputLine): string {
  if (line.stream === 'display') return ''
  return line.stream === 'stdout' || line.stream === 'stderr' ? line.text : `${line.text}\n`
}

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Resolves when the cell has printed `text`, with what stands for the cell. */
export function untilPrinted(start: (onOutput: (line: OutputLine) => void) => Promise<Told>, text: string) {
  let printed = ''
  const seen = Promise.withResolvers<void>()
  const cell = start((line) => {
    if ('text' in line) printed += line.text
    if (printed.includes(text)) seen.resolve()
  })
  void cell.then(() => seen.reject(new Error(`it ended without printing ${text}: ${printed}`))).catch(() => {})
  return seen.promise.then(() => ({ cell }))
}

export const content = (...pieces: (string | Uint8Array)[]) =>
  (async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()

const python = (sandbox: Sandbox, code: string, ask?: Ask) => runCell(sandbox, 'python', code, ask)

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

    const failure = async (act: Promise<unknown>) => {
      const error = await act.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      return error instanceof CoherexError ? error.code : error
    }

    describe.each(samples)('a session of $language', ({ language, ...cells }) => {
      const run = (code: string, ask?: Ask) => runCell(sandbox, language, code, ask)

      test('[S1] keeps what a cell defined', async () => {
        const first = await run(cells.sets)
        expect(first).toMatchObject({ status: 'succeeded', text: '', sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
        expect(sandbox.sessions()).toEqual([{ context: language, language, status: 'idle', cells: 2 }])
      })

      test('[S1] contexts are apart', async () => {
        await run(cells.sets)
        expect((await run(cells.asks, { context: 'another' })).text).toBe('absent\n')
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[S2] a failure is told and leaves the state', async () => {
        await run(cells.sets)
        expect(await run(cells.fails)).toMatchObject({ status: 'failed', sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[S3] an interrupted cell keeps the state', async () => {
        await run(cells.sets)
        const { cell } = await untilPrinted((onOutput) => run(cells.waits, { onOutput }), 'ready')
        expect(await sandbox.interrupt(language)).toBe(true)
        expect(await cell).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' }, sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
        expect(await sandbox.interrupt(language)).toBe(false)
      })

      test('[S4] a cell past its time is stopped and keeps the state', async () => {
        await run(cells.sets)
        const told = await run(cells.waits, { limits: { timeoutMs: 500 } })
        expect(told).toMatchObject({ status: 'failed', error: { kind: 'timeout' }, sessionLost: false })
        expect((await run(cells.shows)).text).toBe('42\n')
      })

      test('[S4] a cancelled cell that will not stop loses its session', async (context) => {
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

      test('[S5] a session that ends says so, and starts again', async () => {
        await run(cells.sets)
        const told = await run(cells.exits)
        expect(told).toMatchObject({ status: 'failed', error: { kind: 'runtime' }, sessionLost: true })
        expect(told.error?.message).toMatch(/variables are gone: it exited with code 3/)
        expect((await run(cells.asks)).text).toBe('absent\n')
      })

      test('[S6] a reset leaves nothing of the session, and all files', async () => {
        await sandbox.files.write('kept.txt', content('kept'))
        await run(cells.sets)
        await sandbox.reset(language)
        expect(sandbox.sessions()).toEqual([])
        expect((await run(cells.asks)).text).toBe('absent\n')
        expect((await readAll(await sandbox.files.read('kept.txt'))).toString()).toBe('kept')
      })
    })

    test('[S1] contexts run at once, cells of one context in turn', async () => {
      const turns: string[] = []
      const cell = (context: string, label: string, code: string) =>
        python(sandbox, code, { context }).then(() => turns.push(label))
      await Promise.all([
        cell('a', 'slow', 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)'),
        cell('a', 'after slow', '1'),
        cell('b', 'quick', 'open("go", "w").close()'),
      ])
      expect(turns.slice(1)).toContain('after slow')
      expect(turns.indexOf('slow')).toBeLessThan(turns.indexOf('after slow'))
    })

    test('[S6] a reset ends the cell that runs and cancels those that wait', async () => {
      const { cell } = await untilPrinted(
        (onOutput) => python(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      const waiting = python(sandbox, '1')
      await sandbox.reset('python')
      expect(await cell).toMatchObject({ status: 'failed', sessionLost: true })
      expect(await waiting).toMatchObject({ status: 'cancelled', sessionLost: false })
      expect((await python(sandbox, '1 + 1')).result).toBe(2)
    })

    test('[S2] results, input, variables and displays are those of runs', async () => {
      expect((await python(sandbox, '{"a": [1, None, "zß水🍌"]}')).result).toEqual({ a: [1, null, 'zß水🍌'] })
      expect(
        (await python(sandbox, 'import coherex, os\n[coherex.input, os.environ["GREETING"]]', { input: 7 })).result,
      ).toEqual([7, 'hello'])
      expect((await python(sandbox, 'input("? ")', { stdin: 'typed\n' })).result).toBe('typed')
      const asked: unknown[] = []
      const told = await python(sandbox, 'input("name? ")', {
        onInput: async (request) => (asked.push(request), 'Ada'),
      })
      expect([told.result, asked]).toEqual(['Ada', [{ prompt: 'name? ', secret: false }]])
    })

    test('[S2] a context has one language', async () => {
      await python(sandbox, 'x = 1', { context: 'main' })
      const told = await runCell(sandbox, 'sql', 'select 1', { context: 'main' })
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'validation' }, sessionLost: false })
    })

    test('[S2] capabilities are those of the cell', async () => {
      const ECHO = {
        methods: {
          ping: async () => 'pong',
          refuse: () => Promise.reject(new CapabilityError('FORBIDDEN', 'no')),
        },
      } as unknown as Capabilities[string]
      const code =
        'import coherex\ndef code(act):\n    try: return act()\n    except coherex.CapabilityError as error: return error.code\n'
      const held = await python(sandbox, `${code}[coherex.ECHO.ping(), code(coherex.ECHO.refuse)]`, {
        capabilities: { ECHO },
      })
      expect(held.result).toEqual(['pong', 'FORBIDDEN'])
      const kept = 'try: coherex.ECHO.ping(); there = True\nexcept Exception: there = False\nthere'
      expect((await python(sandbox, kept)).result).toBe(false)
    })

    test('[S2] output is cut at its limit, and the next cell has all of its own', async () => {
      const told = await python(sandbox, 'for _ in range(50_000): print("x" * 99)\n"done"', {
        limits: { outputBytes: 10_000 },
      })
      expect(told).toMatchObject({ status: 'succeeded', result: 'done', truncated: true })
      expect(told.text.length).toBeLessThan(11_000)
      expect(await python(sandbox, 'print("y" * 5000)')).toMatchObject({
        truncated: false,
        text: `${'y'.repeat(5000)}\n`,
      })
    })

    test('[S7] files are written, listed, read, moved and removed', async () => {
      const { files } = sandbox
      const written = await files.write('data/deep/a.txt', content('hel', 'lo'))
      expect(written).toMatchObject({ path: 'data/deep/a.txt', type: 'file', size: 5 })
      await files.makeDirectory('empty/inner')
      expect((await files.list('')).map(({ path, type }) => [path, type]).toSorted()).toEqual([
        ['data', 'directory'],
        ['empty', 'directory'],
      ])
      expect((await files.list('', { recursive: true })).map(({ path }) => path).toSorted()).toEqual([
        'data',
        'data/deep',
        'data/deep/a.txt',
        'empty',
        'empty/inner',
      ])
      expect((await python(sandbox, 'open("data/deep/a.txt").read()')).result).toBe('hello')
      await python(sandbox, 'open("from-guest.txt", "w").write("zß")')
      expect((await readAll(await files.read('from-guest.txt'))).toString()).toBe('zß')

      await files.move('data/deep/a.txt', 'moved/b.txt')
      expect(await files.stat('data/deep/a.txt')).toBeUndefined()
      expect(await files.stat('moved/b.txt')).toMatchObject({ type: 'file', size: 5 })
      await files.remove('data')
      await files.remove('moved/b.txt')
      expect(await files.stat('data')).toBeUndefined()
      expect(await files.stat('')).toMatchObject({ path: '', type: 'directory' })
      expect(await failure(files.read('nothing.txt'))).toBe('not_found')
      expect(await failure(files.read('empty'))).toBe('conflict')
      expect(await failure(files.remove('nothing.txt'))).toBe('not_found')
    })

    test('[S7] a stamp changes with the content, even when the guest sets the time back', async () => {
      await sandbox.files.write('a.txt', content('one'))
      const before = await sandbox.files.stat('a.txt')
      await python(
        sandbox,
        'import os\ntimes = os.stat("a.txt")\nopen("a.txt", "w").write("two")\nos.utime("a.txt", ns=(times.st_atime_ns, times.st_mtime_ns))',
      )
      const after = await sandbox.files.stat('a.txt')
      expect(after?.modifiedAt).toBe(before?.modifiedAt)
      expect(after?.stamp).not.toBe(before?.stamp)
    })

    test('[S7] no path leaves the home', async () => {
      const { files } = sandbox
      const climbing = ['../x', '/etc/passwd', 'a/../../x', './a', 'a//b', 'a/', '..', 'a\0b', 'a\nb', 'x'.repeat(2000)]
      for (const path of climbing) {
        expect([path, await failure(files.read(path))]).toEqual([path, 'invalid_input'])
        expect([path, await failure(files.write(path, content('x')))]).toEqual([path, 'invalid_input'])
        expect([path, await failure(files.remove(path))]).toEqual([path, 'invalid_input'])
        expect([path, await failure(files.move('a', path))]).toEqual([path, 'invalid_input'])
      }
      expect(await failure(files.remove(''))).toBe('invalid_input')
    })

    test('[S7] no link is followed', async () => {
      const { files } = sandbox
      await python(
        sandbox,
        'import os\nos.symlink("/etc", "dir")\nos.symlink("/etc/passwd", "file")\nos.symlink("/tmp", "out")\nos.mkdir("real"); os.symlink("..", "real/up"); os.mkfifo("fifo")\nimport socket; socket.socket(socket.AF_UNIX).bind("socket")',
      )
      expect(
        (await files.list('', { recursive: true }))
          .map(({ path, type, linkTarget }) => [path, type, linkTarget])
          .toSorted(),
      ).toEqual([
        ['dir', 'link', '/etc'],
        ['file', 'link', '/etc/passwd'],
        ['out', 'link', '/tmp'],
        ['real', 'directory', undefined],
        ['real/up', 'link', '..'],
      ])
      expect(await failure(files.read('file'))).toBe('conflict')
      expect(await failure(files.read('dir/passwd'))).toBe('conflict')
      expect(await failure(files.list('dir'))).toBe('conflict')
      expect(await failure(files.write('out/planted', content('x')))).toBe('conflict')
      expect(await failure(files.move('real', 'out/planted'))).toBe('conflict')
      expect(await failure(files.read('fifo'))).toBe('conflict')
      expect(await files.stat('fifo')).toBeUndefined()
      // the link itself is replaced and removed, never what it points to
      await files.write('file', content('mine'))
      expect(await files.stat('file')).toMatchObject({ type: 'file', size: 4 })
      await files.remove('dir')
      await files.remove('real')
      expect(
        (await python(sandbox, 'import os; [os.path.exists("/etc/passwd"), os.path.exists("/tmp/planted")]')).result,
      ).toEqual([true, false])
    })

    test('[S7] large files stream through, whole', async () => {
      const piece = randomBytes(1024 * 1024)
      const pieces = 40
      let produced = 0
      const upload = (async function* () {
        for (; produced < pieces; produced++) yield piece
      })()
      await sandbox.files.write('large.bin', upload)
      expect(await sandbox.files.stat('large.bin')).toMatchObject({ size: pieces * piece.length })
      let read = 0
      for await (const chunk of await sandbox.files.read('large.bin')) {
        const data = chunk as Buffer
        const at = read % piece.length
        expect(data.equals(Buffer.concat([piece, piece]).subarray(at, at + data.length))).toBe(true)
        read += data.length
      }
      expect(read).toBe(pieces * piece.length)
    })

    test('[S7] a reader that stops is given little, and holds nothing up', async () => {
      await sandbox.files.write('large.bin', content(Buffer.alloc(8 * 1024 * 1024, 1)))
      const stuck = await sandbox.files.read('large.bin')
      await once(stuck, 'readable')
      await wait(100)
      expect(stuck.readableLength).toBeLessThanOrEqual(256 * 1024)
      expect((await python(sandbox, '1 + 1')).result).toBe(2)
      expect((await readAll(await sandbox.files.read('large.bin'))).length).toBe(8 * 1024 * 1024)
      stuck.destroy()
      expect((await python(sandbox, '2 + 2')).result).toBe(4)
    })

    test('[S7] an upload that breaks off leaves what was there', async () => {
      await sandbox.files.write('a.txt', content('before'))
      const broken = (async function* () {
        yield Buffer.alloc(100_000)
        throw new Error('the client left')
      })()
      await expect(sandbox.files.write('a.txt', broken)).rejects.toThrow('the client left')
      expect((await readAll(await sandbox.files.read('a.txt'))).toString()).toBe('before')
      expect((await python(sandbox, 'import os; os.listdir(".")')).result).toEqual(['a.txt'])
    })

    test('[S8] a full disk is told to both sides and is no end', async () => {
      const mb = Buffer.alloc(1024 * 1024)
      const tooMuch = (async function* () {
        for (let index = 0; index < 100; index++) yield mb
      })()
      expect(await failure(sandbox.files.write('big.bin', tooMuch))).toBe('quota_exceeded')
      const told = await python(
        sandbox,
        'import errno\ntry:\n    with open("mine.bin", "wb") as f:\n        while True: f.write(bytes(1 << 20))\nexcept OSError as e: code = errno.errorcode[e.errno]\ncode',
      )
      expect(told.result).toBe('ENOSPC')
      expect(await failure(sandbox.files.write('b.txt', content('b'.repeat(10_000))))).toBe('quota_exceeded')
      await sandbox.files.remove('mine.bin')
      await sandbox.files.write('b.txt', content('b'.repeat(10_000)))
      const names = await python(
        sandbox,
        'import itertools\ntry:\n    for n in itertools.count(): open(f"n{n}", "w").close()\nexcept OSError as e: code = errno.errorcode[e.errno]\ncode',
      )
      expect(names.result).toBe('ENOSPC')
    })

    test('[S9] changes are told, and none after it was stopped', async () => {
      const changes: FileChange[] = []
      const stop = await sandbox.files.watch('', (change) => changes.push(change))
      await python(sandbox, 'import os\nos.makedirs("new/deep")\nopen("new/deep/a.txt", "w").write("1")')
      await expect.poll(() => changes.some(({ path }) => path === 'new/deep/a.txt'), { timeout: 5_000 }).toBe(true)
      await python(sandbox, 'open("new/deep/b.txt", "w").write("1"); os.remove("new/deep/a.txt")')
      await expect.poll(() => changes.at(-1)).toEqual({ path: 'new/deep/a.txt', change: 'removed' })
      expect(changes).toContainEqual({ path: 'new/deep/b.txt', change: 'written' })
      stop()
      const told = changes.length
      await python(sandbox, 'open("later.txt", "w").write("1")')
      await sandbox.files.list('')
      await wait(100)
      expect(changes.length).toBe(told)
      expect(await failure(sandbox.files.watch('nothing', () => {}))).toBe('not_found')
    })

    test('[S9] a storm of changes is told in bounds', async () => {
      const changes: FileChange[] = []
      const stop = await sandbox.files.watch('', (change) => changes.push(change))
      await python(sandbox, 'for n in range(1500): open(f"f{n}", "w").close()')
      await expect.poll(() => changes.length).toBeGreaterThan(500)
      expect((await sandbox.files.list('')).length).toBe(1500)
      stop()
    })

    const outputOf = (process: SandboxProcess, stream: 'stdout' | 'stderr' = 'stdout') =>
      process.recentOutput.map((piece) => (piece.stream === stream ? piece.text : '')).join('')

    test('[S10] a process has output, input, a directory and an end', async () => {
      await sandbox.files.makeDirectory('sub')
      const started = await sandbox.processes.start({
        command: 'pwd; echo $GREETING $MORE; cat; echo bad >&2; exit 3',
        cwd: 'sub',
        env: { MORE: 'more' },
      })
      expect(sandbox.processes.list()).toEqual([started])
      started.write(Buffer.from('typed\n'))
      started.endInput()
      expect(await started.exited).toEqual({ code: 3, signal: null })
      expect(outputOf(started)).toBe('/home/guest/sub\nhello more\ntyped\n')
      expect(outputOf(started, 'stderr')).toBe('bad\n')
      expect(sandbox.processes.list()).toEqual([])
      expect(sandbox.processes.get(started.pid)).toBe(started)
      expect(await failure(sandbox.processes.start({ command: 'true', cwd: '../..' }))).toBe('invalid_input')
    })

    test('[S10] a signal ends a process with its children', async () => {
      const started = await sandbox.processes.start({
        command: 'trap "" TERM; sleep 1000 & echo up; wait; wait; sleep 1000',
      })
      await expect.poll(() => outputOf(started)).toBe('up\n')
      started.kill('SIGKILL')
      expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' })
      const counted = await python(
        sandbox,
        'import glob\nlen([p for p in glob.glob("/proc/[0-9]*/comm") if open(p).read() == "sleep\\n"])',
      )
      expect(counted.result).toBe(0)
      const polite = await sandbox.processes.start({ command: 'exec sleep 1000' })
      polite.kill('SIGTERM')
      expect(await polite.exited).toEqual({ code: null, signal: 'SIGTERM' })
    })

    test('[S10] output without end is read in bounds', async () => {
      const started = await sandbox.processes.start({ command: 'yes' })
      let seen = 0
      started.onOutput((_, chunk) => (seen += chunk.length))
      await expect.poll(() => seen).toBeGreaterThan(1_000_000)
      expect((await python(sandbox, '1 + 1')).result).toBe(2)
      expect(started.recentOutput.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(200_000)
      started.kill('SIGKILL')
      await started.exited
    })

    test('[S10] input that nobody reads is refused after a while', async () => {
      const started = await sandbox.processes.start({ command: 'exec sleep 1000' })
      const fill = () => {
        for (let index = 0; index < 1000; index++) started.write(Buffer.alloc(10_000))
      }
      expect(fill).toThrow('it does not read')
      started.kill('SIGKILL')
      await started.exited
    })

    test('[S10] a terminal has a size, echoes, and interrupts what runs in it', async () => {
      const terminal = await sandbox.processes.start({ command: '', terminal: { columns: 90, rows: 20 } })
      const type = (text: string) => terminal.write(Buffer.from(text))
      const shown = () => outputOf(terminal)
      type('tty; stty size; echo mark-$((40 + 2))\n')
      await expect.poll(shown, { timeout: 10_000 }).toContain('mark-42')
      expect(shown()).toContain('20 90')
      expect(shown()).toContain('/dev/pts/0')
      terminal.resize(120, 40)
      type('stty size; echo mark-$((40 + 3))\n')
      await expect.poll(shown, { timeout: 10_000 }).toContain('mark-43')
      expect(shown()).toContain('40 120')
      type('echo up-$((1 + 1)); sleep 1000\n')
      await expect.poll(shown, { timeout: 10_000 }).toContain('up-2')
      type('\u0003')
      type('echo mark-$((40 + 4))\n')
      await expect.poll(shown, { timeout: 10_000 }).toContain('mark-44')
      type('exit 5\n')
      expect(await terminal.exited).toEqual({ code: 5, signal: null })
    })

    test('[S11] a port inside is reached, both ways and in bulk', async () => {
      const echo = `import socket, threading
def serve(family, address, port):
    server = socket.socket(family); server.bind((address, port)); server.listen()
    print("up", flush=True)
    def talk(c):
        while data := c.recv(65536): c.sendall(data)
        c.close()
    while True: threading.Thread(target=talk, args=server.accept()[:1]).start()
threading.Thread(target=serve, args=(socket.AF_INET6, "::1", 8001)).start()
serve(socket.AF_INET, "127.0.0.1", 8000)`
      await sandbox.files.write('echo.py', content(echo))
      const server = await sandbox.processes.start({ command: 'exec python3 echo.py' })
      await expect.poll(() => outputOf(server), { timeout: 10_000 }).toBe('up\nup\n')
      const sent = randomBytes(3_000_000)
      for (const port of [8000, 8001]) {
        const connection = await sandbox.connect(port)
        const received: Buffer[] = []
        const all = new Promise<void>((resolve) => {
          let size = 0
          connection.on('data', (chunk: Buffer) => {
            received.push(chunk)
            size += chunk.length
            if (size === sent.length) resolve()
          })
        })
        connection.write(sent)
        await all
        connection.end()
        await once(connection, 'close')
        expect(Buffer.concat(received).equals(sent)).toBe(true)
      }
      expect(await failure(sandbox.connect(9))).toBe('not_found')
      server.kill('SIGKILL')
      await server.exited
      expect(await failure(sandbox.connect(8000))).toBe('not_found')
    })

    test('[S12] variables are told, one of them in full', async () => {
      await python(sandbox, 'n = 41\ntext = "x" * 5000\nitems = list(range(100))\ndef helper(): pass')
      const variables = await sandbox.variables('python')
      expect(variables.find(({ name }) => name === 'n')).toMatchObject({ type: 'int', value: '41' })
      expect(variables.every(({ value }) => value.length < 1000 && !value.includes('\n'))).toBe(true)
      const page = { offset: 0, limit: 10 }
      expect((await sandbox.variable('python', 'text', page))?.text?.length).toBeGreaterThan(1000)
      expect(await sandbox.variable('python', 'nothing', page)).toBeUndefined()
      expect(await sandbox.variables('nobody')).toEqual([])
      const { cell } = await untilPrinted(
        (onOutput) => python(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      expect(await failure(sandbox.variables('python'))).toBe('conflict')
      await sandbox.interrupt('python')
      await cell
    })

    test('[S13] a session that takes too much memory is lost, the sandbox and its other sessions are not', async () => {
      await python(sandbox, 'x = 41', { context: 'other' })
      const told = await python(sandbox, 'x = []\nwhile True: x.append(bytearray(5_000_000))')
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'memory' }, sessionLost: true })
      expect(await python(sandbox, 'x + 1', { context: 'other' })).toMatchObject({ status: 'succeeded', result: 42 })
      expect(await python(sandbox, '1 + 1')).toMatchObject({ status: 'succeeded', result: 2 })
      expect(sandbox.signs().some(({ kind }) => kind === 'limit-kill')).toBe(true)
    })

    test('[S13] files do not count as memory', async () => {
      const half = Buffer.alloc(30 * 1024 * 1024, 7)
      await sandbox.files.write('a.bin', content(half))
      await sandbox.files.write('b.bin', content(half))
      const told = await python(sandbox, 'x = bytearray(150_000_000)\nlen(x)')
      expect(told).toMatchObject({ status: 'succeeded', result: 150_000_000 })
    })

    test('[S14] what runs in a sandbox ends with it, and is told', async () => {
      const { cell } = await untilPrinted(
        (onOutput) => python(sandbox, 'print("ready")\nwhile True: pass', { onOutput }),
        'ready',
      )
      const started = await sandbox.processes.start({ command: 'setsid sleep 1000 & exec sleep 1000' })
      await sandbox.files.watch('', () => {})
      await sandbox.close()
      expect(await cell).toMatchObject({ status: 'failed', sessionLost: true })
      expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' })
      expect(await sandbox.ended).toMatchObject({ why: 'closed' })
      expect(await failure(sandbox.files.list(''))).toBe('unavailable')
      expect(await failure(sandbox.connect(80))).toBe('unavailable')
      expect(subject.leftovers()).toEqual([])
    })

    test('[S15] sandboxes are apart', async () => {
      const other = await subject.open(spec)
      await sandbox.files.write('mine.txt', content('mine'))
      await python(
        sandbox,
        'import socket\ns = socket.socket(); s.bind(("127.0.0.1", 7000)); s.listen()\nopen("/tmp/mine", "w").close()',
      )
      expect(await other.files.list('')).toEqual([])
      expect(await failure(other.connect(7000))).toBe('not_found')
      const looked = await python(
        other,
        'import os, glob\n[os.path.exists("/tmp/mine"), len(glob.glob("/proc/[0-9]*"))]',
      )
      expect(looked.result).toEqual([false, 2])
      await other.close()
    })
  })
}
