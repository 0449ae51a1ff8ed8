import { spawn } from 'node:child_process'
import {
  chmodSync,
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
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { livingProcesses } from '../../../../tests/harness/load/living-processes.ts'
import { createLauncher, type Launched, type Launcher, type ZygoteSpec } from '../index.ts'
import { syscalls } from '../seccomp/syscalls.ts'

const uidBase = 0x7e000000 + (process.pid % 0x800) * 0x2000
const zygoteUser = uidBase + 1024
const ptrace = syscalls.ptrace[process.arch === 'arm64' ? 1 : 0]
const limits = { memoryMb: 64, processes: 8, openFiles: 64, diskMb: 8, inodes: 100 }

// says a line when it is there, tries to trace itself for each byte it gets and says what came of it, and then stays
const driver = `import ctypes, os, time

def main():
    libc = ctypes.CDLL(None, use_errno=True)
    os.write(3, b"here\\n")
    while os.read(3, 1):
        os.write(3, b"%d %d\\n" % (libc.syscall(${ptrace}, 0, 0, 0, 0), ctypes.get_errno()))
    time.sleep(600)
`

describe.runIf(process.getuid?.() === 0)('zygotes', () => {
  let stateDir: string
  let launcher: Launcher
  let spec: ZygoteSpec

  beforeAll(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'coherex-zygote-'))
    chmodSync(stateDir, 0o755)
    const guest = join(stateDir, 'guest')
    mkdirSync(guest)
    writeFileSync(join(guest, 'driver.py'), driver)
    const binds = [{ host: guest, guest: '/opt/guest' }]
    const env = { PATH: '/usr/bin' }
    spec = { binds, env, home: '/home/guest', driver: '/opt/guest', modules: ['json'], memoryMb: 128 }
    launcher = await createLauncher({ stateDir, uidBase })
  })
  afterAll(async () => {
    await launcher.close()
    expect(livingProcesses(uidBase, 2048)).toEqual([])
    rmSync(stateDir, { recursive: true })
  })

  test('[zygote.1] a zygote is no root, has rights in its own user namespace alone, and knows nothing of the server', async () => {
    const zygote = await launcher.startZygote(spec)
    const own = memberOfZygote(2)
    expect(read(own, 'status')).toMatch(new RegExp(`^Uid:\\s+${zygoteUser}\\s`, 'm'))
    for (const kind of ['user', 'pid', 'mnt', 'net', 'ipc', 'uts']) {
      expect(readlinkSync(`/proc/${own}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/self/ns/${kind}`))
    }
    expect(read(own, 'environ')).toBe('PATH=/usr/bin\0')
    // its root is the small one that was built for it, read-only
    expect(read(own, 'mountinfo')).toMatch(/^\d+ \d+ \S+ \/ \/ ro,\S+ - tmpfs tmpfs \S*size=1024k/m)
    // where it complains, its control connection, where it listens, who makes first processes, the namespace it comes back to, and the two
    // ends by which forks hand over what they are denied
    const held = readdirSync(`/proc/${own}/fd`).map((fd) => readlinkSync(`/proc/${own}/fd/${fd}`).split(':')[0])
    expect(held.toSorted()).toEqual(['/dev/null', '/dev/null', 'pid', ...Array(6).fill('socket')])
    await zygote.kill()
    expect(livingProcesses(zygoteUser, 64)).toEqual([])
  })

  test('[zygote.1] a fork runs as a user of its own, with its limits, and ends alone', async () => {
    const zygote = await launcher.startZygote(spec)
    const forks = await Promise.all([zygote.fork(limits), zygote.fork(limits)])
    await Promise.all(forks.map(arrived))
    const users = forks.map(({ pid }) => /^Uid:\s+(\d+)/m.exec(read(String(pid), 'status'))?.[1])
    expect(new Set(users).size).toBe(2)
    const [first, second] = forks as [Launched, Launched]
    expect(first.processes()).toBe(0)
    // its channel, and nothing of the zygote or of the other
    const held = readdirSync(`/proc/${second.pid}/fd`).map(
      (fd) => readlinkSync(`/proc/${second.pid}/fd/${fd}`).split(':')[0],
    )
    expect(held).toEqual(['/dev/null', '/dev/null', '/dev/null', 'socket'])
    expect(read(String(first.pid), 'limits')).toMatch(/^Max open files\s+64\s+64/m)
    for (const line of ['CapEff', 'CapPrm', 'CapBnd']) {
      expect(read(String(first.pid), 'status')).toMatch(new RegExp(`^${line}:\\s+0+$`, 'm'))
    }
    expect(read(String(first.pid), 'status')).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(read(String(first.pid), 'status')).toMatch(/^Seccomp:\s+2$/m)
    await first.kill()
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(second.processes()).toBe(0)
    await zygote.kill()
    // what it was a fork of is gone, and so is it
    expect(await second.ended).toMatchObject({ signal: 'SIGKILL' })
  })

  test('[zygote.1] the first process of its namespace is of its user, without rights and without descriptors', async () => {
    const zygote = await launcher.startZygote(spec)
    const fork = await zygote.fork(limits)
    await arrived(fork)
    const [user] = /(?<=^Uid:\s+)\d+/m.exec(read(String(fork.pid), 'status')) ?? []
    const [first = '', ...more] = livingProcesses(Number(user), 1).filter((pid) => pid !== String(fork.pid))
    expect(more).toEqual([])
    const status = read(first, 'status')
    expect(status).toMatch(/^NSpid:.*\t1$/m)
    for (const line of ['CapInh', 'CapEff', 'CapPrm', 'CapBnd'])
      expect(status).toMatch(new RegExp(`^${line}:\\s+0+$`, 'm'))
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(status).toMatch(/^Seccomp:\s+2$/m)
    expect(readdirSync(`/proc/${first}/fd`)).toEqual([])
    // it is no part of the user namespace that the fork is in, and so out of its reach
    expect(readlinkSync(`/proc/${first}/ns/user`)).not.toBe(readlinkSync(`/proc/${fork.pid}/ns/user`))
    expect(readlinkSync(`/proc/${first}/ns/pid`)).toBe(readlinkSync(`/proc/${fork.pid}/ns/pid`))
    // the end of either is the end of both
    process.kill(fork.pid, 'SIGTERM')
    expect(await fork.ended).toMatchObject({ signal: 'SIGTERM' })
    expect(livingProcesses(Number(user), 1)).toEqual([])
    await zygote.kill()
  })

  test('[zygote.1] a zygote whose maker of first processes is gone ends at the next order', async () => {
    const zygote = await launcher.startZygote(spec)
    process.kill(Number(memberOfZygote(3)), 'SIGKILL')
    await expect(zygote.fork(limits)).rejects.toMatchObject({ code: 'unavailable' })
    await zygote.ended
    expect(livingProcesses(zygoteUser, 64)).toEqual([])
  })

  test('[zygote.1] a retired zygote takes no orders and ends with its last fork', async () => {
    const zygote = await launcher.startZygote(spec)
    const fork = await zygote.fork(limits)
    await arrived(fork)
    // it finds both when it looks again: that it is retired, and an order
    const own = memberOfZygote(2)
    process.kill(Number(own), 'SIGSTOP')
    await expect.poll(() => read(own, 'status')).toMatch(/^State:\s+T/m)
    zygote.retire()
    const refused = expect(zygote.fork(limits)).rejects.toMatchObject({ code: 'unavailable' })
    process.kill(Number(own), 'SIGCONT')
    await refused
    // only a zygote that lives tells how its fork ended
    process.kill(fork.pid, 'SIGTERM')
    expect(await fork.ended).toMatchObject({ signal: 'SIGTERM' })
    await zygote.ended
    expect(livingProcesses(zygoteUser, 64)).toEqual([])
  })

  test('[zygote.6] a telling call is refused and told of, before the fork goes on', async () => {
    const zygote = await launcher.startZygote(spec)
    const [one, other] = (await Promise.all([zygote.fork(limits), zygote.fork(limits)])) as [Launched, Launched]
    await Promise.all([one, other].map(arrived))
    for (const calls of [['ptrace'], ['ptrace', 'ptrace']]) {
      const answer = arrived(one)
      one.channel.write.write('!')
      expect(String(await answer)).toBe('-1 1\n')
      // it came another way, before the answer, and so is read in the next turn at the latest
      await setImmediate()
      await setImmediate()
      expect(one.denials()).toEqual(calls)
    }
    expect(other.denials()).toEqual([])
    await zygote.kill()
  })

  test('[zygote.6] a fork that is killed while it waits for its refusal holds up nobody', async () => {
    const zygote = await launcher.startZygote(spec)
    const [one, other] = (await Promise.all([zygote.fork(limits), zygote.fork(limits)])) as [Launched, Launched]
    await Promise.all([one, other].map(arrived))
    const own = Number(memberOfZygote(2))
    process.kill(own, 'SIGSTOP')
    one.channel.write.write('!')
    await expect.poll(() => read(String(one.pid), 'syscall'), { timeout: 30_000 }).toMatch(new RegExp(`^${ptrace} `))
    process.kill(one.pid, 'SIGKILL')
    process.kill(own, 'SIGCONT')
    expect(await one.ended).toMatchObject({ signal: 'SIGKILL' })
    const answer = arrived(other)
    other.channel.write.write('!')
    expect(String(await answer)).toBe('-1 1\n')
    await zygote.kill()
  })

  test('[zygote.1] a killed server leaves neither zygote nor fork', async () => {
    const script = join(stateDir, 'server.ts')
    const base = uidBase + 4096
    writeFileSync(
      script,
      `import { createLauncher } from ${JSON.stringify(join(import.meta.dirname, '../index.ts'))}
      const launcher = await createLauncher({ stateDir: ${JSON.stringify(stateDir)}, uidBase: ${base} })
      const zygote = await launcher.startZygote(${JSON.stringify(spec)})
      const fork = await zygote.fork(${JSON.stringify(limits)})
      fork.channel.read.once('data', () => console.log('up'))`,
    )
    const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => server.stdout.once('data', resolve))
    expect(livingProcesses(base, 2048).length).toBeGreaterThan(4)
    server.kill('SIGKILL')
    await expect.poll(() => livingProcesses(base, 2048)).toEqual([])
    await launcher.sweep()
  })

  test('[zygote.1] without control groups there are none, and the reason is said', async () => {
    const bare = await createLauncher({ stateDir, uidBase: uidBase + 6144, withoutCgroups: true })
    expect(bare.zygotesUnavailable()).toMatch(/control groups/)
    await expect(bare.startZygote(spec)).rejects.toMatchObject({ code: 'unavailable' })
    await bare.close()
  })
})

/** By its number in the zygote's own namespace: its keeper is the first, then come the zygote and its maker of first processes. */
function memberOfZygote(number: 2 | 3): string {
  const isMember = new RegExp(`^NSpid:.*\\t${number}$`, 'm')
  return livingProcesses(zygoteUser, 64).find((pid) => isMember.test(read(pid, 'status'))) ?? ''
}

function arrived({ channel }: Launched): Promise<unknown> {
  return new Promise((resolve) => channel.read.once('data', resolve))
}

function read(pid: string, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8')
}
