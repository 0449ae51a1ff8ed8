import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { livingProcesses } from '../../../tests/harness/load/living-processes.ts'
import { createLauncher, type Ending, type Launched, type Launcher, type LaunchSpec } from './index.ts'
import { syscalls } from './seccomp/syscalls.ts'

const limits = { memoryMb: 128, processes: 32, openFiles: 128, diskMb: 8, inodes: 200 }
const isRoot = process.getuid?.() === 0
// of this process alone, so that another run of these tests on the machine is not taken for leftovers
const uidBase = 0x58000000 + (process.pid % 0x2000) * 0x4000
let stateDir: string
let launcher: Launcher

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'coherex-launch-'))
  chmodSync(stateDir, 0o755)
  launcher = await createLauncher({ stateDir, uidBase })
  expect(launcher.unavailable()).toBeUndefined()
})

afterAll(async () => {
  await launcher.close()
  expect(readdirSync(stateDir)).toEqual([])
  rmSync(stateDir, { recursive: true })
})

function bashSpec(code: string, change: Partial<LaunchSpec> = {}): LaunchSpec {
  const env = { PATH: '/usr/bin:/bin', GREETING: 'hello' }
  return {
    argv: ['/bin/bash', '-c', code],
    binds: [],
    env,
    home: '/home/guest',
    readOnly: false,
    limits,
    seccomp: 'guest',
    ...change,
  }
}

async function collect(launched: Launched): Promise<Ending & { text: string }> {
  let text = ''
  launched.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  launched.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  const closed = Promise.all(
    // one that brought nothing may be over already
    [launched.stdout, launched.stderr]
      .filter((stream) => !stream.closed)
      .map((stream) => new Promise((resolve) => stream.once('close', resolve))),
  )
  const ending = await launched.ended
  await closed
  return { ...ending, text }
}

const run = async (code: string, change?: Partial<LaunchSpec>) => collect(await launcher.launch(bashSpec(code, change)))

// two streams come in any order, one in its own
const inOrder = 'exec 2>&1'

// says at once that it got no more of them; a shell waits for some to end
const manyProcesses = `perl -e 'for (1..60) { my $id = fork; defined $id or die "$!\\n"; $id or sleep 600 }' 2>&1`

/** Waits for a line, so that a test acts when the guest is where it should be. */
function sawLine(launched: Launched, line: string): Promise<void> {
  let text = ''
  return new Promise((resolve) => {
    launched.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.split('\n').includes(line)) resolve()
    })
  })
}

/** What the children of a shell used, by the second line of its `times`. */
function childrenSeconds(text: string): number {
  const [, minutes, seconds] = /(\d+)m([\d.]+)s \d+m[\d.]+s\s*$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(seconds)
}

const uidOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

test('[launcher.9] sandboxes together use no more than the launcher may give them', async () => {
  const capped = await createLauncher({ stateDir, uidBase: uidBase + 5000, memoryMb: 96 })
  try {
    if (capped.weakness()) return expect(capped.usedMb()).toBeUndefined()
    const code = `python3 -c "import time; held = bytearray(60_000_000); print('held', flush=True); time.sleep(60)"`
    const wide = { ...limits, memoryMb: 512 }
    const first = await capped.launch(bashSpec(code, { limits: wide }))
    await new Promise((resolve) => first.stdout.once('data', resolve))
    expect(capped.usedMb()).toBeGreaterThan(55)
    // each is far within its own limit
    const second = await capped.launch(bashSpec(code, { limits: wide }))
    const kills = () => first.oomKills() + second.oomKills()
    await expect.poll(kills, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(capped.usedMb()).toBeLessThanOrEqual(96)
    await Promise.all([first.kill(), second.kill()])
  } finally {
    await capped.close()
    // the process has one group, and others are in it
    await (await createLauncher({ stateDir, uidBase: uidBase + 5000, memoryMb: 1_000_000 })).close()
  }
})

describe('what a sandbox is', () => {
  test('[launcher.1] its launcher is no root, and each has a user of its own', async () => {
    const both = await Promise.all([launcher.launch(bashSpec('sleep 60')), launcher.launch(bashSpec('sleep 60'))])
    const uids = both.map(({ pid }) => uidOf(pid))
    expect(uids.every((uid) => uid !== 0)).toBe(true)
    if (isRoot) expect(new Set(uids).size).toBe(2)
    await Promise.all(both.map((launched) => launched.kill()))
  })

  test('[launcher.2] its environment is what the spec names, that of its first process is empty', async () => {
    const { text } = await run('tr "\\0" "\\n" < /proc/1/environ; echo --; env | sort | grep -vE "^(_|SHLVL)="')
    expect(text).toBe('--\nGREETING=hello\nPATH=/usr/bin:/bin\nPWD=/home/guest\n')
  })

  test('[launcher.2] the command line of its first process tells nothing of the host', async () => {
    const { text } = await run('tr "\\0" "\\n" < /proc/1/cmdline')
    expect(text).not.toContain(stateDir)
    expect(text).not.toContain('hello')
    expect(text).toContain('--args')
  })

  test('[launcher.3] it holds the descriptors 0 to 3 and no other', async () => {
    const { text } = await run('ls /proc/self/fd; for f in /proc/1/fd/*; do readlink $f; done')
    const [self, first] = [text.split('\n').slice(0, 5), text.split('\n').slice(5)]
    // the fifth is the listing's own
    expect(self).toEqual(['0', '1', '2', '3', '4'])
    expect(first.filter((target) => target.startsWith('/'))).toEqual([])
  })

  test('[launcher.6] it shares no namespace with the host', async () => {
    const names = ['user', 'pid', 'net', 'mnt', 'ipc', 'uts', 'cgroup']
    const { text } = await run(`for n in ${names.join(' ')}; do readlink /proc/self/ns/$n; done`)
    const inside = text.trim().split('\n')
    expect(inside).toHaveLength(names.length)
    for (const [index, name] of names.entries()) expect(inside[index]).not.toBe(readlinkSync(`/proc/self/ns/${name}`))
  })

  test('[launcher.6] no capability, no new privilege, a seccomp filter: for the program and for its first process', async () => {
    const { text } = await run('cat /proc/self/status /proc/1/status')
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}:\\s+(\\S+)$`, 'gm'))].map((found) => found[1])
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(values(set)).toEqual(['0000000000000000', '0000000000000000'])
    }
    expect(values('NoNewPrivs')).toEqual(['1', '1'])
    expect(values('Seccomp')).toEqual(['2', '2'])
  })

  test('[launcher.6] it has a session of its own and no terminal', async () => {
    const { text } = await run('tty; cut -d" " -f6,7 /proc/self/stat; : < /dev/tty')
    expect(text).toMatch(/not a tty/)
    expect(text).toMatch(/^[1-9]\d* 0$/m)
    expect(text).toMatch(/\/dev\/tty: No such file/)
  })

  test('[launcher.5] what an isolate never asks for ends it, and the same program is only refused as a guest', async () => {
    const code = `import ctypes, os\nctypes.CDLL(None).syscall(${syscalls.ptrace[process.arch === 'arm64' ? 1 : 0]}, 0, 0, 0, 0)\nos.write(1, b"went on")`
    const argv = ['/usr/bin/python3', '-I', '-S', '-c', code]
    expect(await run('', { argv, seccomp: 'isolate' })).toMatchObject({ signal: 'SIGSYS', text: '' })
    expect(await run('', { argv })).toMatchObject({ code: 0, text: 'went on' })
  })

  test('[launcher.7] only its home and /tmp can be written', async () => {
    const { text } = await run(
      'for d in / /usr /etc /dev /proc /proc/sys/kernel /home /var /opt /bin; do touch $d/x 2>/dev/null && echo "wrote $d"; done; touch ~/x /home/guest/x /tmp/x /dev/shm/y && echo ok',
    )
    expect(text).toBe('ok\n')
  })

  test('[launcher.7] its /etc holds nothing of the host but public data', async () => {
    const { text } = await run('cat /etc/passwd; ls -A /etc; ls /root /home /work /sys /run 2>&1 | grep -v "No such"')
    expect(text).toMatch(/^guest:x:1000:1000:/)
    expect(text).not.toMatch(/shadow|ssh|root:/)
  })

  test('[launcher.7] with readOnly nothing can be written anywhere', async () => {
    const { text } = await run('touch /home/guest/x /tmp/x 2>&1 | grep -c Read-only', { readOnly: true })
    expect(text).toBe('2\n')
  })

  test('[launcher.7] binds are there, read-only', async () => {
    const shown = join(stateDir, 'shown')
    writeFileSync(shown, 'from the host', { mode: 0o666 })
    const binds = [{ host: shown, guest: '/opt/shown' }]
    const { text } = await run(`${inOrder}; cat /opt/shown; : > /opt/shown`, { binds })
    expect(text).toMatch(/^from the host.*Read-only/s)
    rmSync(shown)
  })

  test('[launcher.3] descriptor 3 carries bytes both ways', async () => {
    const launched = await launcher.launch(bashSpec('read -r line <&3; echo "got $line" >&3'))
    launched.channel.write.write('ping\n')
    const answer = await new Promise<string>((resolve) =>
      launched.channel.read.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8'))),
    )
    expect(answer).toBe('got ping\n')
    expect(await launched.ended).toEqual({ code: 0, signal: null, outOfMemory: false })
  })
})

describe('limits', () => {
  test('[launcher.8] the disk ends at its size, for home and /tmp together', async () => {
    const { text } = await run(
      `${inOrder}; head -c 6M /dev/zero > a; head -c 6M /dev/zero > /tmp/b; stat -c %s a /tmp/b`,
    )
    const [, first, second] = /(\d+)\n(\d+)\n$/.exec(text) ?? []
    expect(text).toMatch(/No space left/)
    expect(Number(first) + Number(second)).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(Number(first)).toBe(6 * 1024 * 1024)
  })

  test('[launcher.8] inodes end at their number', async () => {
    const { text } = await run('for i in $(seq 300); do : > f$i || break; done 2>&1; ls | wc -l')
    expect(text).toMatch(/No space left/)
    expect(Number(text.trim().split('\n').at(-1))).toBeLessThan(200)
  })

  test('[launcher.8] a sparse file cannot pretend to be larger than the disk', async () => {
    const { text } = await run('truncate -s 1T sparse; stat -c %s sparse')
    expect(text).not.toMatch(/1099511627776/)
  })

  test('[launcher.9] memory over the limit is told as such', async () => {
    const launched = await launcher.launch(bashSpec('head -c 1G /dev/zero | tail'))
    const ending = await launched.ended
    expect(ending.outOfMemory).toBe(true)
    expect(launched.memory()?.peak).toBeGreaterThan(100 * 1024 * 1024)
  })

  test('[launcher.9] of what holds memory no second process is ended while the first is', async () => {
    const hold = (bytes: number) =>
      `python3 -c 'x = bytearray(${bytes}); print(len(x), flush=True); open(3).readline(); print("alive")'`
    const launched = await launcher.launch(bashSpec(`${hold(60_000_000)} & ${hold(20_000_000)} & wait`))
    await Promise.all([sawLine(launched, '60000000'), sawLine(launched, '20000000')])
    const before = launched.processes()
    let ended = 0
    while (launched.processes() === before) ended += launched.killLargest(50_000_000) ? 1 : 0
    expect(ended).toBe(1)
    const isAlive = sawLine(launched, 'alive')
    launched.channel.write.write('go\n')
    await isAlive
    await launched.ended
  })

  test('[launcher.9] a limit can be set anew before the program starts', async () => {
    const launched = await launcher.launch(bashSpec('read -r go <&3; head -c 60M /dev/zero | tail | wc -c'))
    expect(launched.limit({ memoryMb: 40, processes: 8 })).toBe(true)
    launched.channel.write.write('go\n')
    expect((await launched.ended).outOfMemory).toBe(true)
  })

  test('[launcher.9] nor are there more processes than the new limit says', async () => {
    const forkTwenty = `import os, time
os.read(3, 1)
for n in range(20):
    if os.fork() == 0: time.sleep(30)
print('all')`
    const forked = async (processes: number) => {
      const launched = await launcher.launch(bashSpec('', { argv: ['/usr/bin/python3', '-c', forkTwenty] }))
      expect(launched.limit({ memoryMb: 128, processes })).toBe(true)
      launched.channel.write.write('go\n')
      return (await collect(launched)).text
    }
    expect(await forked(8)).toMatch(/Resource temporarily unavailable/)
    expect(await forked(32)).toBe('all\n')
  })

  test('[launcher.9] processes end at their number', async () => {
    const { text } = await run(manyProcesses)
    expect(text).toMatch(/Resource temporarily unavailable/)
  })

  test('[launcher.9] a sandbox of many processes gets no more of the cores than one of few', async ({ skip }) => {
    const unified = '/sys/fs/cgroup/cgroup.subtree_control'
    const mayShare = existsSync(unified)
      ? readFileSync(unified, 'utf8').split(/\s/).includes('cpu')
      : existsSync('/sys/fs/cgroup/cpu/cgroup.procs')
    skip(!isRoot || !mayShare, 'control groups of this machine share no cores')
    // the kernel may share by session, and whoever wants more makes many
    const spin = `setsid --wait bash -c 'end=$((SECONDS + 4)); while ((SECONDS < end)); do :; done'`
    const many = await launcher.launch(
      bashSpec(`for i in $(seq 40); do ${spin} & done; echo begun; wait; times`, {
        limits: { ...limits, processes: 100 },
      }),
    )
    const manyEnded = collect(many)
    await sawLine(many, 'begun')
    const few = await run(`${spin}; times`)
    // 1 to 40 where processes are counted; a third where sandboxes are, since one process cannot be on two cores
    expect(childrenSeconds(few.text)).toBeGreaterThan(childrenSeconds((await manyEnded).text) / 8)
  })

  test('[launcher.9] no core dump, few open files', async () => {
    const { text } = await run('ulimit -c; ulimit -Hc; ulimit -Hn')
    expect(text).toBe('0\n0\n128\n')
  })
})

describe('the end', () => {
  test('[launcher.10] kill() ends all that runs, whatever it did to stay', async () => {
    const launched = await launcher.launch(
      bashSpec(
        'trap "" TERM HUP INT; setsid nohup sleep 999 & (setsid bash -c "trap : TERM; while :; do sleep 999; done" &) ; echo up; wait',
      ),
    )
    await sawLine(launched, 'up')
    const uid = uidOf(launched.pid)
    expect(launched.processes()).toBeGreaterThan(0)
    if (isRoot) expect(livingProcesses(uid).length).toBeGreaterThan(3)
    await launched.kill()
    expect(existsSync(`/proc/${launched.pid}`)).toBe(false)
    if (isRoot) expect(livingProcesses(uid)).toEqual([])
  })

  test('[launcher.10] a program that leaves takes its daemons along', async () => {
    const launched = await launcher.launch(bashSpec('setsid nohup sleep 999 >/dev/null 2>&1 & read -r go <&3; exit 5'))
    const uid = uidOf(launched.pid)
    launched.channel.write.write('go\n')
    expect(await launched.ended).toEqual({ code: 5, signal: null, outOfMemory: false })
    if (isRoot) expect(livingProcesses(uid)).toEqual([])
  })

  test('[launcher.10] programs that end at once were started all the same', async () => {
    const spec = bashSpec('', { argv: ['/bin/false'] })
    const many = Array.from({ length: 40 }, async () => (await launcher.launch(spec)).ended)
    expect(new Set((await Promise.all(many)).map(({ code }) => code))).toEqual(new Set([1]))
  })

  test('[launcher.10] a signal is told by name', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ code: null, signal: 'SIGSEGV' })
  })

  test('[launcher.10] when the process that starts sandboxes dies, they die, and the next one starts', async () => {
    const launched = await launcher.launch(bashSpec('sleep 999'))
    const uid = uidOf(launched.pid)
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${launched.pid}/status`, 'utf8'))?.[1])
    expect(parent).not.toBe(process.pid)
    process.kill(parent, 'SIGKILL')
    expect(await launched.ended).toMatchObject({ signal: 'SIGKILL', isLost: true })
    if (isRoot) await expect.poll(() => livingProcesses(uid)).toEqual([])
    expect((await run('echo again')).text).toBe('again\n')
  })

  test('[launcher.11] a killed server leaves nothing that runs, and sweep() removes the rest', async () => {
    const script = join(stateDir, 'server.ts')
    const [base, users] = [uidBase + 5000, 100]
    const index = join(import.meta.dirname, 'index.ts')
    writeFileSync(
      script,
      `import { createLauncher } from ${JSON.stringify(index)}
      const launcher = await createLauncher({ stateDir: ${JSON.stringify(stateDir)}, uidBase: ${base} })
      const launch = () => launcher.launch(${JSON.stringify(bashSpec('setsid sleep 999 & echo ready; sleep 999'))})
      const { stdout, pid } = await launch()
      await new Promise((resolve) => stdout.once('data', resolve))
      // killed while one runs and others are being prepared
      await Promise.race(Array.from({ length: 12 }, launch))
      if (process.kill(pid, 0)) console.log('up')
      process.kill(process.pid, 'SIGKILL')`,
    )
    const before = readdirSync(stateDir)
    const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await Promise.all([text(server.stdout), once(server, 'exit')])
    expect(said).toBe('up\n')
    if (isRoot) await expect.poll(() => livingProcesses(base, users)).toEqual([])
    expect(readdirSync(stateDir).length).toBe(before.length + 1)
    await launcher.sweep()
    expect(readdirSync(stateDir)).toEqual(before)
    rmSync(script)
    // its own living sandboxes are not swept
    expect((await run('echo here')).text).toBe('here\n')
  })
})

describe('where sandboxes are not as they should be', () => {
  test.runIf(isRoot)('[launcher.12] a path that guests cannot reach is named, with what to do', async () => {
    const closed = join(stateDir, 'closed')
    mkdirSync(join(closed, 'inner'), { recursive: true })
    chmodSync(closed, 0o700)
    const launching = launcher.launch(bashSpec(':', { binds: [{ host: join(closed, 'inner'), guest: '/opt/inner' }] }))
    await expect(launching).rejects.toThrow(`"${closed}" is closed to the sandbox's user; run: chmod o+x "${closed}"`)
    rmSync(closed, { recursive: true })
  })

  test('[launcher.13] without control groups it says so, and a watcher ends what takes too much memory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'coherex-launch-'))
    chmodSync(directory, 0o755)
    const weak = await createLauncher({ stateDir: directory, uidBase: uidBase + 9000, withoutCgroups: true })
    expect(weak.unavailable()).toBeUndefined()
    expect(weak.weakness()).toMatch(/control groups/)
    const hungry = await weak.launch({
      ...bashSpec(''),
      argv: ['/usr/bin/python3', '-c', 'x = bytearray(300_000_000)\nwhile True: pass'],
    })
    expect(await hungry.ended).toMatchObject({ outOfMemory: true })
    const bomb = await collect(await weak.launch(bashSpec(manyProcesses)))
    expect(bomb.text).toMatch(/Resource temporarily unavailable/)
    await weak.close()
    rmSync(directory, { recursive: true })
  })

  test.runIf(isRoot)('[launcher.14] a server that is not root makes sandboxes as itself', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'coherex-launch-'))
    chmodSync(directory, 0o777)
    const script = join(directory, 'plain.ts')
    const index = join(import.meta.dirname, 'index.ts')
    writeFileSync(
      script,
      `import { createLauncher } from ${JSON.stringify(index)}
      const launcher = await createLauncher({ stateDir: ${JSON.stringify(join(directory, 'state'))} })
      const launched = await launcher.launch(${JSON.stringify(bashSpec('id -u; test -w /proc/sys/kernel/core_pattern || echo safe'))})
      let text = ''
      launched.stdout.on('data', (chunk) => (text += chunk))
      const closed = new Promise((resolve) => launched.stdout.once('close', resolve))
      const [ending] = await Promise.all([launched.ended, closed])
      console.log(JSON.stringify({ text, ending, reason: launcher.unavailable(), weakness: launcher.weakness() }))
      await launcher.close()`,
    )
    const user = { uid: 0x70020000, gid: 0x70020000 }
    const server = spawn(process.execPath, [script], {
      ...user,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    server.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
    await new Promise((resolve) => server.once('close', resolve))
    expect(JSON.parse(said)).toMatchObject({
      text: '1000\nsafe\n',
      ending: { code: 0 },
      weakness: expect.stringContaining('control groups'),
    })
    rmSync(directory, { recursive: true })
  })

  test('[launcher.15] a closed launcher starts nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'coherex-launch-'))
    chmodSync(directory, 0o755)
    const other = await createLauncher({ stateDir: directory, uidBase: uidBase + 8000 })
    const launched = await other.launch(bashSpec('sleep 999'))
    await other.close()
    expect(await launched.ended).toMatchObject({ signal: 'SIGKILL' })
    await expect(other.launch(bashSpec(':'))).rejects.toThrow(/closed/)
    await wait(0)
    rmSync(directory, { recursive: true })
  })
})
