import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createCapabilities } from '../create-capabilities.ts'
import { createMemoryFileSpace } from '../files/memory-file-space.ts'
import { describeBash } from './bash.contract.ts'
import { encodeFrame } from './frame.ts'
import { createShellPool } from './shell-pool.ts'
import { type LaunchShell, shellLaunchSpec } from './shell-process.ts'
import type { ShellResult } from './shell.ts'

/** The shell's program as a plain process, for machines without sandboxes: the same pipe, the same kill. */
const launchPlain: LaunchShell = async ({ argv, binds }) => {
  const onHost = (text: string) =>
    binds.reduce((path, { guest, host }) => (path.startsWith(guest) ? path.replace(guest, host) : path), text)
  const [program = '', ...args] = argv.filter((arg) => !/^--(permission|allow-)/.test(arg)).map(onHost)
  return startPlain(program, args)
}

function startPlain(program: string, args: string[]) {
  const child = spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  const ended = new Promise<{ outOfMemory: boolean }>((resolve) =>
    child.once('exit', () => resolve({ outOfMemory: false })),
  )
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, kill, ended }
}

describeBash('a plain process', async () => ({ launch: launchPlain, close: async () => {} }))

const spec = shellLaunchSpec({ node: process.execPath })
const signal = new AbortController().signal

async function execOn(script: string, command = 'true', options: object = {}): Promise<ShellResult> {
  const pool = createShellPool({ launch: async () => startPlain(process.execPath, ['-e', script]), spec, spares: 0 })
  const { capabilities, close } = createCapabilities({ files: createMemoryFileSpace(), bash: { pool } })
  const exec = capabilities['BASH']?.methods['exec']
  try {
    return (await exec?.([command, options], signal)) as ShellResult
  } finally {
    await close()
    await pool.close()
  }
}

const frame = (message: unknown) =>
  `process.stdout.write(Buffer.from('${encodeFrame(message).toString('base64')}', 'base64'));`
const ready = frame({ type: 'ready' })

it('a shell that is stuck is killed a second after its time', async () => {
  const result = await execOn(`${ready} process.stdin.once('data', () => { for (;;); })`, 'true', { timeoutMs: 200 })
  expect(result).toMatchObject({ exitCode: 124, timedOut: true })
  expect(result.durationMs).toBeLessThan(10_000)
})

it('a shell that dies of its memory is a result', async () => {
  const bomb = `${ready} process.stdin.once('data', () => process.abort())`
  expect(await execOn(bomb)).toMatchObject({ exitCode: 137, timedOut: false })
})

it.each([
  ['says what no shell says', frame({ type: 'evil', id: 0 })],
  [
    'calls what was not granted a thousand times',
    `for (let i = 0; i < 1000; i++) { ${frame({ type: 'call', id: 0, capability: 'FETCH', method: 'fetch', args: [] })} }`,
  ],
  ['asks for another capability', frame({ type: 'call', id: 0, capability: 'VARS', method: 'all', args: [] })],
  ['announces a frame of 4 GB', `process.stdout.write(Buffer.from([255,255,255,255]));`],
  ['sends what is not JSON', `process.stdout.write(Buffer.from([0,0,0,1,65]));`],
])('a broken shell that %s is killed', async (_, says) => {
  const script = `${ready} process.stdin.once('data', () => { ${says} }); setTimeout(() => {}, 60000)`
  expect(await execOn(script)).toMatchObject({ exitCode: 137 })
})

it.each([
  ['constructor', 'FILES'],
  ['__proto__', 'FILES'],
  ['nosuch', 'FILES'],
  ['fetch', 'FETCH'],
])('a broken shell gets no method %s of %s', async (method, capability) => {
  const call = frame({ type: 'call', id: 7, capability, method, args: [] })
  const script = `${ready} let n = 0; process.stdin.on('data', (data) => { if (n++ === 0) { ${call} } else {
    const text = data.subarray(4).toString(); const body = Buffer.from(JSON.stringify({ type: 'result', id: 0, stdout: text, stderr: '', exitCode: 0, truncated: false }));
    const head = Buffer.alloc(4); head.writeUInt32BE(body.length); process.stdout.write(Buffer.concat([head, body])) } })`
  expect(JSON.parse((await execOn(script)).stdout)).toMatchObject({ id: 7, error: { code: 'NOT_GRANTED' } })
})

it('a shell that cannot start is a refusal the guest can read', async () => {
  await expect(execOn('process.exit(1)')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const pool = createShellPool({ launch: () => Promise.reject(new Error('/secret/path is missing')), spec })
  const { capabilities } = createCapabilities({ files: createMemoryFileSpace(), bash: { pool } })
  const error = await capabilities['BASH']?.methods['exec']?.(['true'], signal).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'UNAVAILABLE' })
  expect(String(error)).not.toContain('secret')
})

/** A shell that is ready, and a process that is none. */
function startPretended() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const { promise: ended, resolve } = Promise.withResolvers<{ outOfMemory: boolean }>()
  stdout.write(encodeFrame({ type: 'ready' }))
  const kill = async () => resolve({ outOfMemory: false })
  return { stdin, stdout, stderr, kill, ended }
}

it('a spare that died while it waited is given to nobody', async () => {
  const started: ReturnType<typeof startPretended>[] = []
  const launch = async () => {
    const shell = startPretended()
    started.push(shell)
    return shell
  }
  const pool = createShellPool({ launch, spec, spares: 1 })
  await pool.take()
  // nothing outside this process is waited for
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  expect(started).toHaveLength(2)
  await started[1]?.kill()
  await setImmediate()
  expect((await pool.take()).isAlive()).toBe(true)
  await pool.close()
})

it('a shell that comes up when its run has ended is killed', async () => {
  const started = Promise.withResolvers<ReturnType<typeof startPlain>>()
  const asked = Promise.withResolvers<void>()
  const launch = async () => {
    asked.resolve()
    return started.promise
  }
  const pool = createShellPool({ launch, spec, spares: 0 })
  const { capabilities, close } = createCapabilities({ files: createMemoryFileSpace(), bash: { pool } })
  const exec = capabilities['BASH']?.methods['exec']?.(['true'], signal)
  await asked.promise
  await close()
  const shell = startPlain(process.execPath, ['-e', `${ready} setTimeout(() => {}, 60000)`])
  started.resolve(shell)
  await expect(exec).rejects.toMatchObject({ code: 'CANCELLED' })
  await shell.ended
  await pool.close()
})
