import { routes, type Run, type RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import { watchStretch } from '../../harness/load/machine-stretch.ts'
import { isLong } from '../../harness/long-tests.ts'
import { eventually } from '../eventually.ts'
import type { HostileCase } from '../hostile-case.ts'
import { readMemory } from '../server-memory.ts'
import type { World } from '../world.ts'
import { printed } from './namespace-escape.ts'

const js = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({
  language: 'javascript',
  runtime: 'isolate',
  code,
  ...more,
})
const bash = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'bash', code, ...more })
const python = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'python', code, ...more })

const short = { timeoutMs: 500 }
// they sleep until they are cancelled
const sleepersLimits = { timeoutMs: 300_000 }

/** Runs each as the attacker, two at a time, and answers how they ended. */
async function each({ run }: World, requests: RunRequest[]): Promise<Run[]> {
  const ended: Run[] = []
  const waiting = [...requests]
  await Promise.all(
    [1, 2].map(async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) ended.push(await run(next))
    }),
  )
  return ended
}

const kindsOf = (runs: Run[]) => new Set(runs.map((run) => run.error?.kind ?? 'none'))

export const resources: HostileCase[] = [
  {
    id: 'R01',
    title: 'loops of every kind end at their limit, and others hardly notice',
    async attack(world) {
      const loops = each(
        world,
        [
          'for (;;);',
          '(async () => { for (;;) await 0 })()',
          'const again = () => queueMicrotask(again); again()',
          'Promise.prototype.then = function () { for (;;); }; await Promise.resolve().then(() => 1)',
          'export default () => ({ toJSON() { for (;;); } })',
          'console.log({ [Symbol.for("nodejs.util.inspect.custom")]() { for (;;); } }); for (;;);',
        ].map((code) => js(code, { limits: short })),
      )
      // the two loops are no excuse: they are what must not be noticed
      const machine = watchStretch({ ownThreads: 2 })
      const other = await world.victim(routes.runs.create, { body: { language: 'javascript', code: '1 + 1' } })
      const stretch = machine.stop()
      expect(other.result).toBe(2)
      expect(other.queuedMs + other.durationMs).toBeLessThan(2000 * stretch)
      expect(kindsOf(await loops)).toEqual(new Set(['timeout']))
    },
    async control({ run }) {
      expect((await run(js('let n = 0; for (; n < 1e6; n++); n'))).result).toBe(1_000_000)
    },
  },
  {
    id: 'R01-b',
    title: 'loops in processes, and sleeps, end at their limit',
    async attack(world) {
      const ended = await each(world, [
        bash('while :; do :; done', { limits: short }),
        bash('sleep 100', { limits: short }),
        python('while True: pass', { limits: short }),
        python('import time\ntime.sleep(100)', { limits: short }),
        { language: 'node', code: 'for (;;);', limits: { timeoutMs: 900 } },
        { language: 'typescript', typecheck: true, limits: { timeoutMs: 1500 }, code: typeBomb },
      ])
      expect(kindsOf(ended.filter(({ language }) => language !== 'typescript'))).toEqual(new Set(['timeout']))
    },
  },
  {
    id: 'R02',
    title: 'builtins that cannot be interrupted are ended from outside',
    async attack(world) {
      const ended = await each(
        world,
        [
          '(2n ** (2n ** 28n)).toString()',
          '[].sort.call({ length: 2 ** 32 })',
          'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
          '"x".repeat(2 ** 28).replace(/x*y/g, "")',
          'Array(2 ** 32 - 1).join("").length; for (;;) JSON.stringify(Array(1e7))',
        ].map((code) => js(code, { limits: { timeoutMs: 600, memoryMb: 256 } })),
      )
      for (const one of ended) expect(['timeout', 'memory', 'runtime']).toContain(one.error?.kind)
    },
    async control({ run }) {
      expect((await run(js('(2n ** 64n).toString()'))).result).toBe('18446744073709551616')
    },
  },
  {
    id: 'R02-b',
    title: 'the same in Python: huge powers, huge sorts, waits in C',
    async attack(world) {
      const ended = await each(world, [
        python('x = 3 ** (10 ** 9)', { limits: short }),
        python('sorted(range(10**8), key=lambda n: -n)', { limits: { timeoutMs: 700, memoryMb: 128 } }),
        python('import sys\nsys.set_int_max_str_digits(0)\nstr(7 ** 3000000)', { limits: short }),
        python('import threading\nthreading.Lock().acquire(); threading.Event().wait()', { limits: short }),
      ])
      for (const one of ended) expect(['timeout', 'memory']).toContain(one.error?.kind)
    },
  },
  {
    id: 'R04',
    title: 'catastrophic regular expressions end at the limit of their run',
    async attack(world) {
      const ended = await each(world, [
        js('/^(a+)+$/.test("a".repeat(40) + "!")', { limits: short }),
        js('/^(a|aa)+$/.test("a".repeat(60) + "!")', { limits: short }),
        python('import re\nre.match(r"^(a+)+$", "a" * 40 + "!")', { limits: short }),
      ])
      expect(kindsOf(ended)).toEqual(new Set(['timeout']))
    },
    async control({ run }) {
      expect((await run(js('/^(a+)+$/.test("a".repeat(40))'))).result).toBe(true)
    },
  },
  {
    id: 'R04-b',
    title: 'patterns and texts that the server itself reads cannot hold it',
    async attack({ run, send }) {
      const name = 'a'.repeat(100)
      const write = `export default async (env) => { await env.FILES.write(${JSON.stringify(name)}, 'x') }`
      for (const keep of [
        ['{a,b}'.repeat(100)],
        [`${'+(a|+(a|aa))'.repeat(40)}b`],
        [`${'**/'.repeat(300)}x`],
        Array.from({ length: 100 }, () => `${'*a'.repeat(500)}b`),
        [`${'[a-z]'.repeat(100)}`],
      ]) {
        const ended = await run({ language: 'javascript', code: write, keep })
        expect({ status: ended.status, files: ended.files }).toEqual({ status: 'succeeded', files: [] })
        await run(bash(`echo x > ${name}`, { keep, limits: { timeoutMs: 3000 } }))
      }
      await run(python(`${'\n'.repeat(1_000_000)}1`, { limits: { timeoutMs: 3000 } }))
      await run(python(`${'import\n'.repeat(300_000)}`, { limits: { timeoutMs: 3000 } }))
      for (const code of [
        '=/['.repeat(500_000),
        '`${'.repeat(300_000),
        '/*'.repeat(500_000),
        'import"'.repeat(300_000),
        `"${'\\'.repeat(1_000_000)}`,
        'import '.repeat(300_000),
      ])
        await run({ language: 'javascript', code, limits: { timeoutMs: 3000 } })
      expect((await send(`/api/v1/runs?search=${encodeURIComponent('%_'.repeat(100))}`)).status).toBe(200)
      expect((await send(`/api/v1/runs?search=${encodeURIComponent(`\\${'(a+)+'.repeat(30)}`)}`)).status).toBe(200)
    },
    async control({ run }) {
      const ended = await run({
        language: 'javascript',
        code: `export default async (env) => { await env.FILES.write('out/a.txt', 'x'); await env.FILES.write('b', 'x') }`,
        keep: ['**/*.txt'],
      })
      expect(ended.files).toEqual([{ path: 'out/a.txt', size: 1 }])
    },
  },
  {
    id: 'R05',
    title: 'memory bombs in processes are told as memory',
    async attack(world) {
      // each of them is past its memory long before
      const limits = { memoryMb: 64, timeoutMs: 60_000 }
      const ended = await each(world, [
        python('x = "a" * 10**10', { limits }),
        python('x = []\nwhile True: x.append(bytearray(10**6))', { limits }),
        python(
          'import mmap\nm = []\nwhile True:\n    one = mmap.mmap(-1, 10**7)\n    one.write(b"x" * 10**7)\n    m.append(one)',
          { limits },
        ),
        python(
          'import os\nfor _ in range(20):\n    if os.fork() == 0:\n        x = bytearray(2 * 10**7)\n        os._exit(0)\nx = bytearray(10**9)',
          { limits },
        ),
        bash('x=a; while :; do x=$x$x; done', { limits }),
        {
          language: 'node',
          code: 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))',
          limits: { memoryMb: 96, timeoutMs: 60_000 },
        },
      ])
      for (const one of ended)
        expect([one.language, one.error?.kind]).toEqual([one.language, expect.stringMatching(/^(memory|runtime)$/)])
      expect(ended.filter((one) => one.error?.kind === 'memory').length).toBeGreaterThanOrEqual(4)
      for (const one of ended) expect(one.peakMemoryMb ?? 0).toBeLessThan(110)
    },
    async control({ run }) {
      expect((await run(python('len(bytearray(10**7))', { limits: { memoryMb: 64 } }))).result).toBe(10_000_000)
    },
  },
  {
    id: 'R05-b',
    title: 'memory bombs in an isolate, typed arrays, strings and results included',
    async attack(world) {
      const limits = { memoryMb: 64, timeoutMs: 6000 }
      const ended = await each(
        world,
        [
          'const all = []; for (;;) all.push(new Array(1000).fill(all.length))',
          'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))',
          'let s = "x"; for (;;) s += s + s.length',
          'const all = []; for (;;) all.push(10n ** 10000n)',
          'export default () => Array.from({ length: 1e8 }, (_, at) => ({ at }))',
          'export default async (env) => { for (let at = 0; ; at++) await env.FILES.write("f" + at, "x".repeat(5e6)) }',
          'export default async (env) => Promise.all(Array.from({ length: 50 }, () => env.ECHO.echo("x".repeat(9e5))))',
        ].map((code) => js(code, { limits })),
      )
      for (const one of ended.filter((run) => run.status !== 'succeeded'))
        expect(['memory', 'timeout', 'runtime', 'output', 'denied']).toContain(one.error?.kind)
    },
  },
  {
    id: 'R05-c',
    title: 'shared memory counts as disk, and disk as memory',
    async attack(world) {
      const ended = await each(world, [
        bash('head -c 200M /dev/zero > /dev/shm/x; echo code $?', { limits: { memoryMb: 512, timeoutMs: 8000 } }),
        python('open("/tmp/x", "wb").write(bytes(10**8))', { limits: { memoryMb: 512, timeoutMs: 8000 } }),
      ])
      for (const one of ended) expect(one.status === 'failed' || printed(one).includes('No space left')).toBe(true)
    },
  },
  {
    id: 'R05-d',
    title: 'what the kernel keeps for a program counts as its memory or has an end of its own',
    async attack(world) {
      const limits = { memoryMb: 64, timeoutMs: 5000 }
      const libc = 'import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n'
      const fill = (make: string) =>
        `import fcntl, os, socket\nheld = []\nwhile True:\n    end = ${make}\n    os.set_blocking(end, False)\n    try:\n        while True: os.write(end, bytes(65536))\n    except BlockingIOError: pass`
      const pipe = '(held.append(os.pipe()), fcntl.fcntl(held[-1][1], 1031, 1 << 20), held[-1][1])[-1]'
      const socket =
        '(held.append(socket.socketpair()), held[-1][1].setsockopt(1, socket.SO_SNDBUF, 10**9), held[-1][1].fileno())[-1]'
      const bombs = await each(
        world,
        [
          'import os\nheld = []\nwhile True:\n    held.append(os.memfd_create("x"))\n    os.write(held[-1], bytes(10_000_000))',
          fill(socket),
          fill(pipe),
          'import mmap\nheld = []\nwhile True: held.append(mmap.mmap(-1, 4096))',
        ].map((code) => python(code, { limits, keep: [] })),
      )
      // pipes may meet a limit of the kernel for each user first
      for (const one of bombs) {
        expect(['memory', 'runtime']).toContain(one.error?.kind)
        expect(one.peakMemoryMb ?? 0).toBeLessThan(80)
      }
      expect(bombs.filter((one) => one.error?.kind === 'memory').length).toBeGreaterThanOrEqual(3)
      const counted = await each(
        world,
        [
          `${libc}n = 0\ntimer = ctypes.c_void_p()\nwhile n < 100_000 and libc.timer_create(0, None, ctypes.byref(timer)) == 0: n += 1\nn`,
          `${libc}n = 0\nwhile n < 100_000 and libc.inotify_init1(0) >= 0: n += 1\nn`,
          `${libc}n = 0\nwhile n < 100_000 and libc.shmget(n + 1, 4096, 0o1666) >= 0: n += 1\nn`,
          `import array, socket\nn = 0\ntry:\n    while n < 100_000:\n        a, b = socket.socketpair()\n        a.setblocking(False)\n        try:\n            while True:\n                a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [b.fileno()] * 200))])\n                n += 200\n        except BlockingIOError: pass\nexcept OSError: pass\nn`,
        ].map((code) => python(code, { limits, keep: [] })),
      )
      for (const { result, error } of counted) expect(result, JSON.stringify(error)).toBeLessThan(10_000)
    },
  },
  {
    id: 'R07',
    title: 'a full disk is the guest’s own',
    async attack(world) {
      const before = world.diskBytes()
      const ended = await each(world, [
        bash('dd if=/dev/zero of=big bs=1M count=300 2>&1; ls -l big', {
          limits: { timeoutMs: 10_000, memoryMb: 256 },
          keep: [],
        }),
        bash('for n in $(seq 1 20000); do : > f$n || break; done 2>&1 | tail -1', {
          limits: { timeoutMs: 15_000 },
          keep: [],
        }),
        bash('truncate -s 1T sparse 2>&1; echo code $?', { keep: [] }),
      ])
      const [disk, inodes, sparse] = [/dd/, /seq/, /truncate/].map((_, at) => ended.map(printed)[at] ?? '')
      expect(ended.map(printed).join('\n')).toMatch(/No space left|File too large/)
      expect(`${disk}${inodes}${sparse}`).not.toContain('code 0')
      expect(world.diskBytes() - before).toBeLessThan(300_000_000)
    },
    async control({ run }) {
      expect(printed(await run(bash('head -c 1M /dev/zero > small && wc -c < small', { keep: [] })))).toBe('1048576\n')
    },
  },
  {
    id: 'R07-b',
    title: 'an isolate’s files and those of its shell are bounded as well',
    async attack({ run }) {
      const { result } = await run(
        js(
          `export default async (env) => {
  const codes = []
  for (let at = 0; at < 40; at++) await env.FILES.write('big' + at, 'x'.repeat(4e6)).catch((error) => codes.push(error.code))
  for (let at = 0; at < 40; at++) await env.FILES.delete('big' + at).catch(() => 0)
  for (let at = 0; at < 10100 && codes.length < 60; at += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => env.FILES.write('s' + (at + n), '').catch((error) => codes.push(error.code))))
  const shell = await env.BASH.exec('for n in 1 2 3; do echo x > y$n; done; yes | head -c 1000 | wc -c')
  return [[...new Set(codes)], codes.length > 0]
}`,
          { keep: [], limits: { timeoutMs: 120_000, memoryMb: 256 } },
        ),
      )
      expect(result).toEqual([['ENOSPC'], true])
    },
  },
  {
    id: 'R08',
    title: 'floods of output are cut, and the server’s memory stays',
    async attack(world) {
      const before = readMemory(world.server.pid)
      const ended = await each(world, [
        bash('yes', { limits: { timeoutMs: 1500, outputBytes: 100_000 } }),
        bash('head -c 300M /dev/zero', { limits: { timeoutMs: 6000 } }),
        bash("head -c 100M /dev/zero | tr '\\0' x", { limits: { timeoutMs: 6000 } }),
        python('import sys\nfor _ in range(10**6): sys.stdout.write("a\\n")', {
          limits: { timeoutMs: 60_000, outputBytes: 100_000 },
        }),
        python('while True: print("x" * 1000, flush=True)', { limits: { timeoutMs: 1500, outputBytes: 100_000 } }),
        // so many short lines take their time, so this one flood has an end
        js('for (let at = 0; at < 4e4; at++) console.log(at)', { limits: { timeoutMs: 60_000, outputBytes: 100_000 } }),
        js('console.log("x".repeat(5e6)); for (;;) console.error("more")', {
          limits: { timeoutMs: 2000, memoryMb: 512 },
        }),
        js('for (;;) display("x".repeat(1e4))', { limits: { timeoutMs: 1500, outputBytes: 100_000 } }),
      ])
      for (const one of ended) {
        if (one.error?.kind !== 'memory') {
          expect([one.language, one.truncated]).toEqual([one.language, true])
          expect(printed(one)).toMatch(/\[output cut at \d+ bytes\]/)
        }
        const bytes = one.output.reduce(
          (sum, line) => sum + ('text' in line ? line.text.length : JSON.stringify(line.data).length),
          0,
        )
        expect(bytes).toBeLessThanOrEqual(1_000_100)
      }
      await eventually(
        () => readMemory(world.server.pid) - before,
        (grown) => grown < 150,
        15_000,
      )
    },
    async control({ run }) {
      const { output, truncated } = await run(bash('seq 1 1000'))
      expect({
        lines: output
          .map((line) => ('text' in line ? line.text : ''))
          .join('')
          .split('\n').length,
        truncated,
      }).toEqual({ lines: 1001, truncated: false })
    },
  },
  {
    id: 'R08-b',
    title: 'pieces of no length, one byte each, and frames that never end are bounded too',
    async attack(world) {
      const frame = `import os, struct\nbody = b'{"type":"output","stream":"stdout","text":"%s"}'\nframe = struct.pack('>I', len(body)) + body\n`
      const ended = await each(world, [
        python(`${frame.replace('%s', '')}many = frame * 1000\nwhile True: os.write(3, many)`, {
          limits: { timeoutMs: 900 },
        }),
        python(`${frame.replace('%s', 'a')}many = frame * 1000\nwhile True: os.write(3, many)`, {
          limits: { timeoutMs: 900 },
        }),
        python(`import os\nos.write(3, b'\\x00\\xff\\xff\\xff')\nwhile True: os.write(3, b'x' * 65536)`, {
          limits: { timeoutMs: 900 },
        }),
        js('for (;;) console.log("")', { limits: { timeoutMs: 900 } }),
      ])
      for (const one of ended) expect(one.output.length).toBeLessThanOrEqual(20_001)
      expect(kindsOf(ended)).not.toContain('none')
    },
  },
  {
    id: 'R08-c',
    title: 'megabytes of what no database keeps hold nobody up',
    async attack(world) {
      const limits = { outputBytes: 10_000_000, timeoutMs: 60_000 }
      const zeros = await world.run(bash('head -c 8000000 /dev/zero', { limits }))
      // never the texts themselves: to tell how megabytes differ takes gigabytes
      expect(printed(zeros) === '\ufffd'.repeat(8_000_000), JSON.stringify(zeros.error)).toBe(true)
      const { result, error } = await world.run(python('"\\0a" * 600_000', { limits }))
      expect(result === '\ufffda'.repeat(600_000), JSON.stringify(error)).toBe(true)
    },
  },
  {
    id: 'R10',
    title: 'floods of timers and calls are denied',
    async attack(world) {
      const ended = await each(
        world,
        [
          'for (let at = 0; at < 1e6; at++) setTimeout(() => {}, 1e6)',
          'for (let at = 0; at < 1e6; at++) setInterval(() => {}, 1e6)',
          'await Promise.all(Array.from({ length: 1e4 }, () => env.BASH.exec("sleep 1")))',
          'await Promise.all(Array.from({ length: 200 }, () => env.FETCH.fetch("http://127.0.0.1:1/")))',
        ].map((code) =>
          js(code, {
            limits: { timeoutMs: 60_000 },
            network: { allow: [`http://127.0.0.1:${world.canaries.door.port}/`] },
          }),
        ),
      )
      expect(kindsOf(ended)).toEqual(new Set(['denied']))
    },
    async control({ run }) {
      const { result } = await run(
        js(`let fired = 0
await Promise.all(Array.from({ length: 1000 }, () => new Promise((resolve) => setTimeout(() => resolve(fired++), 1))))
export default async (env) => [fired, (await Promise.all(Array.from({ length: 50 }, (_, at) => env.ECHO.echo(at)))).length]`),
      )
      expect(result).toEqual([1000, 50])
    },
  },
  {
    id: 'R10-b',
    title: 'promises, microtasks and intervals without number end in time or memory',
    async attack(world) {
      const ended = await each(
        world,
        [
          'const all = []; for (;;) all.push(new Promise(() => {}))',
          'const spread = () => { queueMicrotask(spread); queueMicrotask(spread) }; spread()',
          'setInterval(() => { for (let at = 0; at < 1e5; at++) Promise.resolve(at) }, 0); await new Promise(() => {})',
        ].map((code) => js(code, { limits: { timeoutMs: 1500, memoryMb: 64 } })),
      )
      for (const one of ended) expect(['timeout', 'memory', 'runtime']).toContain(one.error?.kind)
    },
  },
  {
    id: 'R11',
    title: 'answers that inflate are cut at their limit',
    async attack({ run, canaries }) {
      const door = `http://127.0.0.1:${canaries.door.port}/`
      const { result } = await run(
        js(
          `export default async (env) => {
  const seen = []
  for (const path of ['bomb/gzip', 'bomb/br', 'double-bomb']) for (const maxBytes of [undefined, 10_000_000, 1e12])
    seen.push(await env.FETCH.fetch('${door}' + path, { encoding: 'bytes', ...(maxBytes && { maxBytes }) }).then((answer) => answer.body.length <= (maxBytes ? 1e7 : 1e6) && answer.truncated, (error) => error.code))
  return seen
}`,
          { network: { allow: [door] }, limits: { memoryMb: 256, timeoutMs: 120_000 } },
        ),
      )
      for (const one of result as unknown[])
        expect([true, 'FETCH_FAILED', 'INVALID_ARGUMENT', 'LIMIT_EXCEEDED']).toContain(one)
    },
    async control({ run, canaries }) {
      const door = `http://127.0.0.1:${canaries.door.port}/`
      const { result } = await run(
        js(`export default async (env) => (await env.FETCH.fetch('${door}')).body`, { network: { allow: [door] } }),
      )
      expect(result).toBe('plain')
    },
  },
  {
    id: 'R11-b',
    title: 'the same through Python, Bash and the shell',
    async attack({ run, canaries }) {
      const door = `http://127.0.0.1:${canaries.door.port}/`
      const { result } = await run(
        python(
          `import coherex\nanswer = coherex.FETCH.fetch('${door}bomb/gzip', encoding='bytes', max_bytes=10_000_000)\n[len(answer['body']) <= 10_000_000, answer['truncated']]`,
          { network: { allow: [door] }, limits: { timeoutMs: 120_000 } },
        ),
      )
      expect(result).toEqual([true, true])
      await run(
        js(`export default async (env) => env.BASH.exec('curl -s ${door}bomb/gzip | wc -c')`, {
          network: { allow: [door] },
        }),
      )
    },
  },
  {
    id: 'R13',
    title: 'deep recursion and parser bombs fail their run only',
    async attack(world) {
      const ended = await each(world, [
        js('(function f() { f() })()'),
        js('eval("(".repeat(5e5))'),
        js('JSON.parse("[".repeat(1e5) + "]".repeat(1e5))'),
        js('new RegExp("(".repeat(1e5) + ")".repeat(1e5)); 1'),
        js(`x = ${'('.repeat(100_000)}`),
        js(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
        js(`let a = ${'!'.repeat(200_000)}1`),
        { language: 'typescript', code: `let a: ${'Array<'.repeat(50_000)}1${'>'.repeat(50_000)}` },
        python('def f(): f()\nf()'),
        python(`${'('.repeat(10_000)}${')'.repeat(10_000)}`),
        python('import json\njson.loads("[" * 100000)'),
        python('x = []\nfor _ in range(10**5): x = [x]\nx'),
        bash('f() { f; }; f', { limits: { timeoutMs: 3000, memoryMb: 64 } }),
      ])
      for (const one of ended)
        expect(['none', 'runtime', 'syntax', 'memory', 'output', 'timeout']).toContain(one.error?.kind ?? 'none')
    },
    async control({ run }) {
      expect((await run(js('(function f(n) { return n ? f(n - 1) : 7 })(1000)'))).result).toBe(7)
    },
  },
  {
    id: 'R13-b',
    title: 'bodies that are deep, long or wide are refused before they cost anything',
    async attack({ send }) {
      const post = (body: string) =>
        send('/api/v1/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const withInput = (input: string) => `{"language":"javascript","code":"1","input":${input}}`
      expect((await post(withInput('['.repeat(200_000) + ']'.repeat(200_000)))).status).toBe(400)
      expect((await post(withInput('{"a":'.repeat(500_000) + '1' + '}'.repeat(500_000)))).status).toBe(400)
      expect((await post('['.repeat(5_000_000))).status).toBe(400)
      expect((await post(withInput(`[${'[],'.repeat(2_000_000)}1]`))).status).toBe(400)
      const names = Array.from({ length: 600_000 }, (_, at) => `"k${at}":1`).join()
      expect((await post(withInput(`{${names}}`))).status).toBe(400)
      expect(
        (
          await post(
            `{"language":"javascript","code":"1","files":{${Array.from({ length: 501 }, (_, at) => `"f${at}":""`).join()}}}`,
          )
        ).status,
      ).toBe(400)
      expect((await post(`{"code":"${'x'.repeat(11_000_000)}"}`)).status).toBe(413)
      expect(
        (
          await post(
            JSON.stringify({ language: 'javascript', code: 'let a = 1;'.repeat(480_000), limits: { timeoutMs: 5000 } }),
          )
        ).status,
      ).toBe(200)
    },
    async control({ send }) {
      const body = `{"language":"javascript","code":"export default (env, input) => JSON.stringify(input).length","input":${'['.repeat(90)}${']'.repeat(90)}}`
      const { text } = await send('/api/v1/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect(JSON.parse(text)).toMatchObject({ status: 'succeeded', result: 180 })
    },
  },
  {
    id: 'R13-c',
    title: 'results of very many parts or names end their run only, and are no attack',
    async attack(world) {
      const ended = await each(world, [
        js('Object.fromEntries(Array.from({ length: 200000 }, (_, at) => ["k" + at, 1]))'),
        js('Array.from({ length: 200000 }, (_, at) => ({ ["k" + at]: 1 }))'),
        js('Array(1_500_000).fill(1)'),
        python('{f"k{at}": 1 for at in range(600000)}'),
        python('[{f"k{at}": 1} for at in range(300000)]'),
        python('[1] * 1_500_000'),
        python('[[]] * 700_000'),
      ])
      for (const one of ended) expect([one.error?.kind, one.signs]).toEqual(['output', []])
      // who leaves the library out is not heard
      const forged = await world.run(
        python(
          'import os, struct\nbody = b\'{"type":"result","value":{\' + b",".join(b\'"k%d":1\' % at for at in range(600000)) + b"}}"\nview = memoryview(struct.pack(">I", len(body)) + body)\nwhile view: view = view[os.write(3, view):]',
        ),
      )
      expect([forged.status, forged.signs.map(({ kind }) => kind)]).toEqual(['failed', ['protocol']])
    },
    async control({ run }) {
      const many = await run(python('{f"k{at}": 1 for at in range(19000)}'))
      expect(Object.keys(many.result as object).length).toBe(19_000)
    },
  },
  {
    id: 'R13-d',
    title: 'errors that are long, deep, wide or strange are told in bounds',
    async attack(world) {
      const ended = await each(
        world,
        [
          js('throw new Error("x".repeat(1e8))'),
          js('const error = new Error("a"); error.stack = "y".repeat(3e7); throw error'),
          js('const error = new Error("a"); error.name = "z".repeat(1e7); throw error'),
          js('Error.stackTraceLimit = Infinity; (function f() { f() })()'),
          js(
            'let error; for (let at = 0; at < 1e5; at++) error = new Error(String(at), { cause: error }); throw error',
          ),
          js('const error = new Error("a"); error.cause = error; throw error'),
          js('throw new AggregateError(Array.from({ length: 1e5 }, () => new Error("x")), "many")'),
          js('throw Object.create(null)'),
          js('throw new Proxy({}, { get() { throw 1 } })'),
          js('throw "\\0\\ud800"'),
          python('raise Exception("x" * 10**8)'),
          python('e = None\nfor at in range(10**5):\n    f = Exception(at)\n    f.__cause__ = e\n    e = f\nraise e'),
          python('class E(Exception):\n    def __str__(self): raise self\nraise E()'),
          python('raise ExceptionGroup("many", [Exception(at) for at in range(10**5)])'),
          python('raise Exception("\\0\\ud800")'),
          { language: 'node', code: 'throw new Error("x".repeat(1e8))' } as RunRequest,
        ].map((request) => ({ ...request, limits: { memoryMb: 512, timeoutMs: 60_000 } })),
      )
      expect(kindsOf(ended)).toEqual(new Set(['runtime']))
      for (const { error } of ended) expect(JSON.stringify(error).length).toBeLessThan(200_000)
    },
  },
  {
    id: 'R14',
    title: 'a team with hundreds of sleeping runs leaves room for another',
    async attack(world) {
      await monopolise(world, bash('sleep 300', { limits: sleepersLimits }))
    },
    async control({ attacker }) {
      // without the sleepers the attacker's own next run starts at once as well
      const machine = watchStretch()
      const { queuedMs } = await attacker(routes.runs.create, { body: bash('true') })
      expect(queuedMs).toBeLessThan(2000 * machine.stop())
    },
  },
  {
    id: 'R14-b',
    title: 'nor do sleeping isolates take every child',
    async attack(world) {
      await monopolise(world, {
        language: 'javascript',
        code: 'await new Promise((resolve) => setTimeout(resolve, 300_000))',
        limits: sleepersLimits,
      })
    },
  },
  {
    id: 'R14-c',
    title: 'large programs that wait do not fill the server',
    async attack({ attacker }) {
      const start = (body: RunRequest) => attacker(routes.runs.create, { query: { wait: 'false' }, body })
      const sleeper = bash('sleep 300', { limits: sleepersLimits })
      const sleepers = await Promise.all(Array.from({ length: 17 }, () => start(sleeper)))
      const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, 'x'.repeat(900_000)]))
      const sent = await Promise.allSettled(Array.from({ length: 12 }, () => start(bash('true', { files }))))
      const taken = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      await Promise.all([...sleepers, ...taken].map(({ id }) => attacker(routes.runs.cancel, { params: { id } })))
      expect(taken).toHaveLength(7)
      for (const one of sent)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'quota_exceeded' })
    },
  },
]

const typeBomb = `type F<T extends unknown[]> = T extends [infer A, ...infer R] ? [A, ...F<R>, ...F<R>] : []
type U = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'
type X = \`\${U}\${U}\${U}\${U}\${U}\${U}\`
let a: F<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]>
let b: X; let c: { [K in X]: { [L in X]: K } }`

/** Fills the attacker's queue, measures another team's wait, and clears up. */
async function monopolise({ attacker, victim }: World, sleeper: RunRequest): Promise<void> {
  const count = isLong ? 600 : 80
  const sent = await Promise.allSettled(
    Array.from({ length: count }, () => attacker(routes.runs.create, { query: { wait: 'false' }, body: sleeper })),
  )
  const ids = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
  // 500 wait and 16 run; what does not fit is refused before it is accepted
  for (const one of sent) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'quota_exceeded' })
  try {
    // sent at once they come in any order: the last that was sent may be among the sixteen that began
    const runs = await Promise.all(ids.map((id) => attacker(routes.runs.get, { params: { id } })))
    const waiting = runs.filter(({ status }) => status === 'queued')
    expect(waiting.length).toBeGreaterThanOrEqual(ids.length - 16)
    for (const one of waiting) expect(one.position).toEqual(expect.any(Number))
    const waits: number[] = []
    // the sleepers themselves need no core
    const machine = watchStretch()
    for (const body of [bash('true'), python('1'), js('1'), bash('true'), js('2')]) {
      const ended = await victim(routes.runs.create, { body })
      expect(ended.status).toBe('succeeded')
      waits.push(Date.parse(ended.endedAt ?? '') - Date.parse(ended.createdAt))
    }
    expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(1000 * machine.stop())
  } finally {
    await Promise.all(ids.map((id) => attacker(routes.runs.cancel, { params: { id } })))
  }
}
