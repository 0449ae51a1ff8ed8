import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import type { CapabilityMethod } from '../../capabilities/index.ts'
import type { SandboxNetwork } from '../runtime.ts'
import { startReadySandbox } from './pools/ready-sandbox.ts'
import { defaults, createFixture, type Fixture } from './process-fixture.ts'
import { runInSandbox } from './run-in-sandbox.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(0x70041000, { poolSize: 0 })
})
afterAll(() => fixture.close())

/** A driver of a few lines, in place of the real one. */
const start = (code: string) =>
  startReadySandbox(fixture.launcher, {
    argv: [
      '/usr/bin/python3',
      '-I',
      '-c',
      `import os\nsend = lambda t: os.write(3, len(t).to_bytes(4, "big") + t)\n${code}`,
    ],
    ...{ binds: [], env: {}, home: '/home/guest', readOnly: false, limits: defaults, seccomp: 'guest' },
  })

const run = (sandbox: Awaited<ReturnType<typeof start>>, limits = defaults, network?: SandboxNetwork) =>
  runInSandbox({
    sandbox,
    program: {
      language: 'python',
      code: '',
      entry: 'a',
      files: {},
      env: {},
      packages: [],
      typecheck: false,
      readOnly: false,
    },
    options: {
      ...{ limits, signal: new AbortController().signal, capabilities: {}, domain: 'test' },
      onOutput() {},
      onStart() {},
      ...(network && { network }),
    },
    nodeCommand: [],
    onRetired() {},
  })

test('[process.15] a sandbox that died while it waited is the host’s failure, not the program’s', async () => {
  const sandbox = await start(`send(b'{"type":"ready"}'); os.read(3, 1)`)
  await sandbox.launched.kill()
  await expect(run(sandbox)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a capability hears when each of its answers was taken', async () => {
  const taken: unknown[] = []
  const read: CapabilityMethod = async ([name], _, leaving) => {
    void leaving?.then(() => taken.push(name))
    return 'x'.repeat(4_000_000)
  }
  const code = 'import coherex\n[len(coherex.LARGE.read(name)) for name in ("first", "second")]'
  const { result } = await fixture.python(code, { capabilities: { LARGE: { methods: { read } } } })
  expect(result).toEqual([4_000_000, 4_000_000])
  await expect.poll(() => taken).toEqual(['first', 'second'])
})

test('[process.15] a driver that does not come up is told with its complaint as the cause', async () => {
  const starting = start('raise SystemExit("broken driver")')
  await expect(starting).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'broken driver' } })
})

test('[process.4] a program that closes the pipe and stays is ended', async () => {
  const sandbox = await start(
    `send(b'{"type":"ready"}'); os.read(3, 1); send(b'{"type":"started"}'); os.close(3)\nwhile True: pass`,
  )
  expect(await run(sandbox)).toMatchObject({
    status: 'failed',
    error: { kind: 'runtime', message: 'Ended by SIGKILL' },
  })
})

test('[process.16] a driver that goes on printing long after the limit is ended', async () => {
  const sandbox = await start(`send(b'{"type":"ready"}'); os.read(3, 1); send(b'{"type":"started"}')
os.set_blocking(3, True)
piece = b'{"type":"output","stream":"stdout","text":"' + b"x" * 60_000 + b'"}'
while True:
    frame = len(piece).to_bytes(4, "big") + piece
    while frame: frame = frame[os.write(3, frame):]`)
  expect(await run(sandbox)).toMatchObject({
    status: 'failed',
    error: { kind: 'output' },
    truncated: true,
    signs: [{ kind: 'limit-kill' }, { kind: 'protocol' }],
  })
})

test('[launcher.9] a memory limit below what is in use already is a memory verdict', async () => {
  const sandbox = await start(`x = b"x" * 100_000_000; send(b'{"type":"ready"}'); os.read(3, 1)`)
  const outcome = await run(sandbox, { ...defaults, memoryMb: 10 })
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'memory' } })
})

test('[process.23] a guest that speaks nonsense on the link of its connections has broken its own run', async () => {
  const accepted: Duplex[] = []
  const network = { accept: (connection: Duplex) => void accepted.push(connection.on('error', () => {})) }
  const attempts = [
    `os.write(0, b"GET / HTTP/1.1\\r\\n\\r\\n")`,
    `os.write(0, bytes([1, 0, 0, 0, 1, 0, 0]) * 2)`,
    `os.set_blocking(0, True); os.write(0, bytes([1, 0, 0, 0, 1, 0, 0]) + (bytes([2, 0, 0, 0, 1, 128, 0]) + bytes(32768)) * 3)`,
  ]
  for (const attempt of attempts) {
    const sandbox = await start(
      `send(b'{"type":"ready"}'); os.read(3, 1); send(b'{"type":"started"}')\n${attempt}\nwhile True: os.read(0, 65536)`,
    )
    expect(await run(sandbox, defaults, network), attempt).toMatchObject({
      status: 'failed',
      error: { kind: 'runtime', message: 'The program broke its connection to the host' },
      signs: [{ kind: 'protocol' }],
    })
  }
  expect(accepted.every((connection) => connection.destroyed)).toBe(true)
})

test('[process.23] a guest that floods its link is held up, and the server is not', async () => {
  const turns = watchTicks()
  const network = { accept: (connection: Duplex) => void connection.on('error', () => {}).end('no') }
  // opens and resets without end, and never reads what comes back
  const sandbox = await start(`send(b'{"type":"ready"}'); os.read(3, 1); send(b'{"type":"started"}')
import struct
os.set_blocking(0, True)
number = 0
while True:
    frames = b"".join(struct.pack(">BIH", 1, n, 0) + struct.pack(">BIH", 4, n, 0) for n in range(number + 1, number + 5001))
    number += 5000
    while frames: frames = frames[os.write(0, frames):]`)
  const outcome = await run(sandbox, { ...defaults, timeoutMs: 1_500 }, network)
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
  expect(turns.stop()).toBeLessThan(250)
})

test('[process.11] a program whose time is over while it takes more memory than it may have is told so', async ({
  skip,
}) => {
  skip(fixture.launcher.weakness() !== undefined, 'needs control groups')
  // asked for at once and given page by page, as slowly as a machine short of memory does
  const take = (megabytes: number) =>
    `import mmap, time\nheld = mmap.mmap(-1, ${megabytes} << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\nfor at in range(0, len(held), 4096):\n    held[at] = 1\n    if at % (1 << 20) == 0: time.sleep(0.02)`
  const told = await Promise.all(
    [300, 230].map((megabytes) => fixture.python(take(megabytes), { limits: { memoryMb: 256, timeoutMs: 4_000 } })),
  )
  expect(told.map(({ error }) => error?.kind)).toEqual(['memory', 'timeout'])
  expect(told[0]?.error?.message).toMatch(/^The run asked for more than 256 MB of memory/)
})
