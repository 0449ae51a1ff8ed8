import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaults, createFixture, type Fixture } from './process-fixture.ts'
import { startReadySandbox } from './ready-sandbox.ts'
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

const run = (sandbox: Awaited<ReturnType<typeof start>>, limits = defaults) =>
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
    },
    nodeCommand: [],
    onRetired() {},
  })

test('[P15] a sandbox that died while it waited is the host’s failure, not the program’s', async () => {
  const sandbox = await start(`send(b'{"type":"ready"}'); os.read(3, 1)`)
  await sandbox.launched.kill()
  await expect(run(sandbox)).rejects.toMatchObject({ code: 'unavailable' })
})

test('[P15] a driver that does not come up is told with its complaint as the cause', async () => {
  const starting = start('raise SystemExit("broken driver")')
  await expect(starting).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'broken driver' } })
})

test('[P4] a program that closes the pipe and stays is ended', async () => {
  const sandbox = await start(
    `send(b'{"type":"ready"}'); os.read(3, 1); send(b'{"type":"started"}'); os.close(3)\nwhile True: pass`,
  )
  expect(await run(sandbox)).toMatchObject({
    status: 'failed',
    error: { kind: 'runtime', message: 'Ended by SIGKILL' },
  })
})

test('[L9] a memory limit below what is in use already is a memory verdict', async () => {
  const sandbox = await start(`x = b"x" * 100_000_000; send(b'{"type":"ready"}'); os.read(3, 1)`)
  const outcome = await run(sandbox, { ...defaults, memoryMb: 10 })
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'memory' } })
})
