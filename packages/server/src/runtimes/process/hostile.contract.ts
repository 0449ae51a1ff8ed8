// Programs that attack, for every way a run is served. Each case: the stated verdict, canaries untouched, a harmless run straight after, nothing left.
// Where a probe could fail for another reason than the sandbox, it runs on the host too and has to succeed there.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { livingProcesses } from '../../../tests/harness/load/living-processes.ts'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import { syscalls } from '../launch/seccomp/syscalls.ts'
import { type Ask, createFixture, type Fixture, type Told } from './process-fixture.ts'

/** How programs are served: in a sandbox of bubblewrap, or in a fork of a zygote, for Python of the one with the data stack. */
export type Way = 'sandbox' | 'fork'

// of this process alone, so that another run of these tests on the machine is not taken for leftovers
const uidBase = 0x78000000 + (process.pid % 0x8000) * 0x800
// above them are the users of zygotes
const sandboxUsers = 0x400
const canary = `CANARY-${process.pid}-d41d8cd98f`
const isRoot = process.getuid?.() === 0

async function open(way: Way): Promise<Fixture> {
  if (way === 'sandbox') {
    const fixture = await createFixture(uidBase)
    await fixture.runtime.warm()
    return fixture
  }
  const fixture = await createFixture(uidBase, { zygotes: { ahead: { plain: 2, data: 1 } } })
  await fixture.runtime.zygotes?.warm(true)
  expect(fixture.runtime.zygotes?.isLoaded).toEqual({ plain: true, data: true })
  const run: Fixture['run'] = async (language, code, ask): Promise<Told> => {
    const before = forksOf(fixture)
    const told = await fixture.run(language, language === 'python' ? `import numpy\n${code}` : code, ask)
    // a case proves nothing about forks if it fell back on an ordinary sandbox
    if (told.durationMs > 0) expect(forksOf(fixture)).toBeGreaterThan(before)
    return told
  }
  return {
    ...fixture,
    run,
    python: (code: string, ask?: Ask) => run('python', code, ask),
    bash: (code: string, ask?: Ask) => run('bash', code, ask),
    node: (code: string, ask?: Ask) => run('node', code, ask),
  }
}

const forksOf = ({ runtime }: Fixture) => (runtime.zygotes?.stats.hits ?? 0) + (runtime.zygotes?.stats.misses ?? 0)

export function hostilePrograms(way: Way): void {
  let fixture: Fixture
  let turns: ReturnType<typeof watchTicks>
  let directory: string
  let listener: Server
  let port: number
  let connections = 0
  let bystander: ReturnType<typeof spawn>

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'coherex-canary-'))
    writeFileSync(join(directory, 'secret'), canary, { mode: 0o644 })
    process.env['COHEREX_TEST_CANARY'] = canary
    bystander = spawn('/bin/sleep', ['600'], { argv0: canary, env: { SECRET: canary }, stdio: 'ignore' })
    listener = createServer((socket) => {
      connections++
      socket.end(canary)
    })
    await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve))
    port = (listener.address() as { port: number }).port
    fixture = await open(way)
  })

  afterAll(async () => {
    await fixture.close()
    expect(living()).toEqual([])
    expect(cgroups()).toEqual([])
    bystander.kill('SIGKILL')
    listener.close()
    rmSync(directory, { recursive: true })
  })

  beforeEach(() => {
    turns = watchTicks()
  })

  afterEach(async () => {
    // a probe on the host holds up the clock, and a busy machine everything: what counts is the work of one turn
    expect(turns.stop()).toBeLessThan(500)
    // straight after: the next run works, the machine and the canaries are as they were
    const next = await fixture.python('print("fine")')
    expect(next).toMatchObject({ status: 'succeeded', stdout: 'fine\n' })
    expect(readFileSync(join(directory, 'secret'), 'utf8')).toBe(canary)
    expect(connections).toBe(0)
    expect(bystander.exitCode).toBeNull()
    // what waits to be used lives, nothing else does: three processes each, two where it is a fork
    const waiting = () => 3 * fixture.runtime.stats.ready + 2 * (fixture.runtime.zygotes?.stats.ready ?? 0)
    await expect.poll(() => living().length - waiting(), { timeout: 30_000 }).toBe(0)
  })

  /** Processes of any sandbox of this file. */
  const living = () => (isRoot ? livingProcesses(uidBase, sandboxUsers) : [])

  function cgroups(): string[] {
    return ['/sys/fs/cgroup/memory/coherex', '/sys/fs/cgroup/pids/coherex', '/sys/fs/cgroup/coherex'].flatMap(
      (parent) => (existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith(`${process.pid}.`)) : []),
    )
  }

  const onHost = (file: string, code: string) =>
    spawnSync(file, ['-c', code], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })

  describe('namespace escape', () => {
    test('[P01] no file of the kernel can be written', async () => {
      const probe =
        'for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/kernel/modprobe /proc/sys/vm/overcommit_memory; do test -w $f && echo "writable $f"; done; find /proc/sys /proc/irq /proc/bus -writable -type f 2>/dev/null | head; ls /sys 2>/dev/null; echo end'
      expect((await fixture.bash(probe)).stdout).toBe('end\n')
      if (isRoot) expect(onHost('/bin/bash', probe).stdout).toContain('writable /proc/sys/kernel/core_pattern')
    })

    test('[P02] [S01] nothing of the server or its neighbours is visible', async () => {
      const sweep = `for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/self/mountinfo /proc/mounts /etc/*; do tr "\\0" "\\n" < $f 2>/dev/null; done; env; ls /proc | grep -c "^[0-9]"; cat ${directory}/secret 2>&1; ls -la /tmp /home /root /var 2>&1`
      const told = await fixture.bash(sweep)
      expect(told.stdout + told.stderr).not.toContain(canary)
      const maps = await fixture.python(
        `import glob, os\nfound = []\nfor p in glob.glob("/proc/*/maps") + glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):\n    try:\n        if "CANARY-" in open(p, errors="replace").read(): found.append(p)\n    except OSError: pass\n[found, len(glob.glob("/proc/[0-9]*")) < 10, [k for k in os.environ if "COHEREX" in k]]`,
      )
      expect(maps.result).toEqual([[], true, []])
      expect(onHost('/bin/bash', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"').stdout).toContain(canary)
    })

    const sweep = `import ctypes, json, os, signal, struct
libc = ctypes.CDLL(None, use_errno=True)
# calls that are allowed may wait for ever; of the others the answer is waited for, however late it comes
may_wait = set()
def attempt(number, *args):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, 0.2 if number in may_wait else 60)
        ctypes.set_errno(0)
        value = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(arg) for arg in args or (0,) * 6])
        os.write(writer, struct.pack("q", ctypes.get_errno() if value == -1 else 0))
        os._exit(0)
    os.close(writer)
    data = os.read(reader, 8)
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    return struct.unpack("q", data)[0] if data else "signal %d" % (status & 0x7f)
`

    test('[P04] every system call that is not on the list fails, the dangerous ones with EPERM', async () => {
      const column = process.arch === 'arm64' ? 1 : 0
      const dangerous = `bpf io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key userfaultfd perf_event_open
      ptrace kexec_load kexec_file_load mount umount2 pivot_root chroot unshare setns open_by_handle_at name_to_handle_at process_vm_readv
      process_vm_writev pidfd_getfd init_module finit_module delete_module fsopen fsmount move_mount open_tree mount_setattr
      fanotify_init vmsplice quotactl swapon swapoff reboot settimeofday clock_settime sethostname acct syslog kcmp seccomp shmget`
      const names = dangerous.split(/\s+/) as (keyof typeof syscalls)[]
      const refused = new Set<number | null>(names.map((name) => syscalls[name][column]))
      const listed = new Set<number | null>(Object.values(syscalls).map((numbers) => numbers[column]))
      const mayWait = [...listed].filter((number) => number !== null && !refused.has(number))
      const told = await fixture.python(
        `${sweep}\nmay_wait.update(${JSON.stringify(mayWait)})\n{n: attempt(n) for n in range(601) if n not in (60, 231)}`,
        { limits: { timeoutMs: 100_000 } },
      )
      expect(told.error).toBeUndefined()
      const errnos = told.result as Record<string, number | string>
      for (const name of names) expect([name, errnos[String(syscalls[name][column])]]).toEqual([name, 1])
      // uretprobe and uprobe pass every filter since Linux 6.14; outside of a probe they only end their caller
      const probes = process.arch === 'x64' ? [335, 336] : []
      const unlisted = Object.entries(errnos).filter(([at]) => !listed.has(Number(at)) && !probes.includes(Number(at)))
      expect(unlisted.length).toBeGreaterThan(150)
      expect(unlisted.filter(([, errno]) => errno !== 1)).toEqual([])
      const { keyctl, unshare } = syscalls
      const host = onHost(
        '/usr/bin/python3',
        `${sweep}\nprint([attempt(${keyctl[column]}), attempt(${unshare[column]})])`,
      )
      expect(host.stdout).not.toMatch(/\b1\b/)
    }, 120_000)

    test('[P04] neighbours: namespaces by clone flags, netlink and other sockets, personality, devices', async () => {
      const told = await fixture.python(`${sweep}
import socket
def family(number):
    try: socket.socket(number, socket.SOCK_DGRAM); return "made"
    except PermissionError: return "denied"
    except OSError as error: return error.errno
namespaces = [attempt(${syscalls.clone[process.arch === 'arm64' ? 1 : 0]}, flag | 17) for flag in (0x10000000, 0x40000000, 0x20000, 0x20000000, 0x08000000, 0x04000000, 0x02000000)]
[namespaces, [family(n) for n in (16, 17, 38, 40, 29, 31, 44)], attempt(${syscalls.clone3[0]}), attempt(${syscalls.personality[process.arch === 'arm64' ? 1 : 0]}, 0x0040000)]`)
      expect(told.result).toEqual([
        Array.from({ length: 7 }, () => 1),
        Array.from({ length: 7 }, () => 'denied'),
        38,
        1,
      ])
    })

    test.runIf(process.arch === 'x64')(
      '[P04] calls through int 0x80 and x32 end the program, and leave a sign',
      async () => {
        const int80 =
          'import ctypes, mmap\nm = mmap.mmap(-1, 4096, prot=7)\nm.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")\nprint(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))())'
        const x32 = 'import ctypes\nctypes.CDLL(None).syscall(0x40000000 + 39)'
        for (const code of [int80, x32]) {
          const told = await fixture.python(code)
          expect(told).toMatchObject({
            status: 'failed',
            stdout: '',
            error: { kind: 'denied' },
            signs: [{ kind: 'denied-syscall' }],
          })
        }
        expect(onHost('/usr/bin/python3', x32).signal).not.toBe('SIGSYS')
      },
    )

    test('[P08] limits, cores and priority of the first process and limits of any other cannot be set', async () => {
      const told = await fixture.python(`import os, resource, subprocess
def attempt(call, *args):
    try: call(*args); return "done"
    except PermissionError: return "refused"
    except OSError as error: return error.errno
child = subprocess.Popen(["sleep", "60"])
others = [int(name) for name in os.listdir("/proc") if name.isdigit()] + [os.getppid() or 1]
limits = [(resource.RLIMIT_CPU, (0, 0)), (resource.RLIMIT_NOFILE, (0, 0)), (resource.RLIMIT_FSIZE, (0, 0))]
out = sorted({attempt(resource.prlimit, pid, *limit) for pid in {1, child.pid, *others} for limit in limits})
first = [attempt(os.sched_setaffinity, 1, {0}), attempt(os.sched_setscheduler, 1, os.SCHED_BATCH, os.sched_param(0)), attempt(os.setpriority, os.PRIO_PROCESS, 1, 19)]
own = [attempt(resource.setrlimit, resource.RLIMIT_CORE, (0, 0)), attempt(os.sched_setaffinity, 0, os.sched_getaffinity(0)), attempt(os.setpriority, os.PRIO_PROCESS, 0, 1)]
child.kill()
[out, first, own, subprocess.run("ulimit -n 64; ulimit -n", shell=True, capture_output=True, text=True).stdout]`)
      expect(told).toMatchObject({ status: 'succeeded', signs: [] })
      expect(told.result).toEqual([['refused'], ['refused', 'refused', 'refused'], ['done', 'done', 'done'], '64\n'])
    })

    // bubblewrap hands nobody the kernel's questions
    describe.runIf(way === 'fork')('denied calls that nobody complains of', () => {
      const numberOf = (name: keyof typeof syscalls) => syscalls[name][process.arch === 'arm64' ? 1 : 0]
      const call = (...args: (number | null)[]) => `import ctypes\nctypes.CDLL(None).syscall(${args.join(', ')})`

      test.each([
        ['unshare in Python', 'python', call(numberOf('unshare'), 0x10000000), 'unshare'],
        ['a namespace by clone', 'python', call(numberOf('clone'), 0x10000011, 0, 0, 0, 0), 'clone'],
        [
          'a socket of the kernel',
          'python',
          'import socket\ntry: socket.socket(38, 5)\nexcept OSError: pass',
          'socket',
        ],
        [
          'a thread',
          'python',
          `import threading\nt = threading.Thread(target=lambda: exec(${JSON.stringify(call(numberOf('bpf'), 0))}))\nt.start(); t.join()`,
          'bpf',
        ],
        ['a process that outlives its parent', 'bash', '(sleep 0.1; unshare -r true) & wait', 'unshare'],
        ['a ring of io_uring', 'python', call(numberOf('io_uring_setup'), 8, 0), 'io_uring_setup'],
        ['io_uring without a ring', 'python', call(numberOf('io_uring_enter'), 3, 1, 1, 0, 0, 0), 'io_uring_enter'],
        ['a shell', 'bash', 'mount -t tmpfs x /tmp || true', 'mount'],
        [
          'a child of Node',
          'node',
          'const { spawnSync } = await import("node:child_process"); spawnSync("unshare", ["-r", "true"])',
          'unshare',
        ],
        ['one that ends at once', 'bash', 'unshare -r true; kill -9 $$', 'unshare'],
      ] as const)('[zygote.6] %s leaves a sign', async (_, language, code, name) => {
        const told = await fixture.run(language, code)
        expect(told.signs).toContainEqual({ kind: 'denied-syscall', detail: `refused: ${name}` })
      })

      test('[zygote.6] a storm of them is cut off, refused all the same, and holds nobody up', async () => {
        const storm = `import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n{(libc.syscall(${numberOf('ptrace')}, 0), ctypes.get_errno()) for _ in range(5000)}`
        const [told, other] = await Promise.all([fixture.python(storm), fixture.python('6 * 7')])
        expect(told.signs).toEqual([{ kind: 'denied-syscall', detail: 'refused: ptrace (100 times)' }])
        expect(told.result).toHaveLength(2)
        expect(other).toMatchObject({ result: 42, signs: [] })
      })

      test('[zygote.6] what languages and tools do in passing is no sign', async () => {
        const honest = [
          [
            'python',
            'import multiprocessing, os, socket, subprocess, sqlite3, ssl, threading\nsubprocess.run(["ls", "-la", "/"], capture_output=True)\nos.getloadavg()',
          ],
          [
            'bash',
            'ps aux; free; df; id; find / -maxdepth 2; tar cf x.tar /etc/passwd; git --version; top -bn1; ls -la /proc; mktemp; nproc; uptime',
          ],
          [
            'node',
            'const os = await import("node:os"); const fs = await import("node:fs/promises"); await fs.readdir("/"); console.log(os.cpus().length, os.networkInterfaces())',
          ],
          // each begins a loop of libuv, which asks for a ring
          [
            'node',
            'const { Worker } = await import("node:worker_threads"); await new Promise((done) => new Worker("1", { eval: true }).once("exit", done)); const { spawnSync } = await import("node:child_process"); spawnSync(process.execPath, ["-e", "1"], { env: {} })',
          ],
        ] as const
        for (const [language, code] of honest)
          expect([language, (await fixture.run(language, code)).signs]).toEqual([language, []])
      })
    })

    test('[P05] no descriptor but the four, none a directory or a file of the host', async () => {
      const told = await fixture.python(`import os, stat
def look(pid):
    found = {}
    try: names = os.listdir(f"/proc/{pid}/fd")
    except PermissionError: return found
    for name in names:
        try: found[int(name)] = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError: pass
    return found
def escapes():
    out = []
    for name in os.listdir("/proc/self/fd"):
        try: os.fchdir(int(name)); out.append(name)
        except OSError: pass
    return out
[look("self"), look(1), escapes()]`)
      const [own, first, escapes] = told.result as [Record<string, string>, Record<string, string>, string[]]
      const kinds = (found: Record<string, string>) =>
        new Set(Object.values(found).map((target) => target.split(':')[0] ?? ''))
      // stdin is a memfd, output goes through pipes, 3 is the protocol; the listing itself is the only directory
      expect(
        [...kinds(own)].filter((kind) => !/^(pipe|socket|\/memfd|\/proc\/\d+\/fd|\/dev\/null|anon_inode)/.test(kind)),
      ).toEqual([])
      expect(Object.keys(own).filter((fd) => Number(fd) <= 3)).toEqual(['0', '1', '2', '3'])
      expect([...kinds(first)].filter((kind) => kind.startsWith('/'))).toEqual([])
      expect(escapes.length).toBeLessThanOrEqual(1)
    })

    test('[P07] no terminal to inject into', async () => {
      const code =
        'import fcntl, os, pty\nout = []\nfor fd in (0, 1, 2):\n    try: fcntl.ioctl(fd, 0x5412, b"x"); out.append("injected")\n    except OSError as e: out.append(e.errno)\ntry: os.open("/dev/tty", os.O_RDWR); out.append("tty")\nexcept OSError as e: out.append(e.errno)\ntry: pty.openpty(); out.append("pty")\nexcept OSError: out.append("no pty")\nout + [os.getsid(0) != 0]'
      expect((await fixture.python(code)).result).toEqual([1, 1, 1, 2, 'no pty', true])
    })

    test('[P08] it can kill itself and nobody else', async () => {
      const told = await fixture.bash('kill -9 -1; sleep 30')
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'runtime', message: 'Ended by SIGKILL' } })
      const others = await fixture.python(
        `import os\nout = []\nfor pid in (${process.pid}, ${bystander.pid}, 1):\n    try: os.kill(pid, 0 if pid == 1 else 9); out.append("sent")\n    except OSError as e: out.append(type(e).__name__)\nout`,
      )
      expect(others.result).toEqual(['ProcessLookupError', 'ProcessLookupError', 'sent'])
      // the first process of the sandbox is as little as any other: it does not die, and its memory cannot be changed
      const first = await fixture.python('import os\nos.kill(1, 9)\nopen("/proc/1/mem", "r+b")')
      expect(first.error?.message).toMatch(/Read-only file system|Permission denied/)
      const group = await fixture.bash('kill -9 0')
      expect(group.status).toBe('failed')
    })

    test('[process.10] setuid programs have no effect', async () => {
      const told = await fixture.bash(
        'id -u; su -c id 2>&1 | head -1; newuidmap $$ 0 0 1 2>&1 | head -1; cp /usr/bin/id .; chmod u+s id 2>/dev/null; ./id -u; unshare -r id 2>&1; unshare -m true 2>&1',
      )
      expect(told.stdout).not.toMatch(/uid=0|^0$/m)
      expect(told.stdout).toMatch(/unshare failed: Operation not permitted/)
    })

    test('[process.11] no device but the harmless five', async () => {
      const told = await fixture.bash(
        'ls /dev; for d in kmsg mem fuse kvm sda vda; do cat /dev/$d 2>&1; done | grep -vc "No such file"; mknod b b 8 0 2>&1; mknod c c 1 1 2>&1; mkfifo p && echo fifo',
      )
      expect(told.stdout).toMatch(/^fd\nfull\nnull\nrandom\nshm\nstderr\nstdin\nstdout\nurandom\nzero\n0\n/)
      expect(told.stdout.match(/Operation not permitted/g)).toHaveLength(2)
      expect(told.stdout).toMatch(/fifo\n$/)
    })

    test('[process.13] there is no bridge to a server process', async () => {
      expect((await fixture.python('import js')).error?.message).toMatch(/No module named 'js'/)
      const told = await fixture.node(
        '[process.env.COHEREX_TEST_CANARY, Object.keys(process.env).sort(), process.ppid < 10, process.getuid()]',
      )
      const [secret, names, isInside, uid] = told.result as [unknown, string[], boolean, number]
      expect([secret ?? null, isInside, uid]).toEqual([null, true, 1000])
      expect(names.join()).not.toMatch(/COHEREX|CANARY|TOKEN|KEY/)
    })

    test('[process.14] a daemon does not survive its run, and is told of', async () => {
      const daemons =
        'setsid nohup sleep 999 >/dev/null 2>&1 & disown; (trap "" TERM HUP; setsid bash -c "trap \\"\\" TERM; sleep 999" &) ; python3 -c "import os\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    import time; time.sleep(999)" ; echo done'
      const told = await fixture.bash(daemons)
      expect(told).toMatchObject({ status: 'succeeded', stdout: 'done\n' })
      expect(told.signs.map((sign) => sign.kind)).toContain('unexpected-process')
      const next = await fixture.bash('ps -e -o comm= | grep -c sleep')
      expect(next.stdout).toBe('0\n')
    })
  })

  describe('resource exhaustion', () => {
    test('[R04] a catastrophic regular expression runs into its time', async () => {
      const told = await fixture.python('import re\nre.match(r"^(a+)+$", "a" * 40 + "!")', {
        limits: { timeoutMs: 700 },
      })
      expect(told.error?.kind).toBe('timeout')
    })

    test.each([
      ['a string', 'python', 'x = "a" * 10**10'],
      ['a list', 'python', 'x = []\nwhile True: x.append(bytearray(10**6))'],
      ['a mapping', 'python', 'import mmap\nm = mmap.mmap(-1, 2**32)\nfor i in range(0, 2**32, 4096): m[i] = 1'],
      ['shared memory', 'python', 'import os\nf = os.memfd_create("x")\nwhile True: os.write(f, b"x" * 10**6)'],
      [
        'many children',
        'python',
        'import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        x = bytearray(60_000_000); time.sleep(30)\nx = bytearray(200_000_000)\ntime.sleep(30)',
      ],
      ['a shell variable', 'bash', 'x=$(head -c 100M /dev/zero | tr "\\0" a); x=$x$x; x=$x$x; x=$x$x; echo ${#x}'],
      ['a heap of V8', 'node', 'const x = []; for (;;) x.push(Buffer.alloc(1e6, 1))'],
    ] as const)('[R05] memory bomb: %s', async (_, language, code) => {
      const told = await fixture.run(language, code, { limits: { memoryMb: 256 } })
      expect(told.status).toBe('failed')
      // a file in memory may meet the limit on files first
      if (code.includes('memfd')) expect(['memory', 'runtime']).toContain(told.error?.kind)
      else expect(told.error?.kind).toBe('memory')
      expect(told.peakMemoryMb).toBeLessThanOrEqual(257)
    })

    test('[R07] the disk ends at its quota: bytes, inodes, sparse files', async () => {
      const before = statfsSync('/').bavail
      const bytes = await fixture.bash(
        'dd if=/dev/zero of=a bs=1M 2>&1; dd if=/dev/zero of=/tmp/b bs=1M 2>&1; dd if=/dev/zero of=/dev/shm/c bs=1M 2>&1; du -sm . | cut -f1; rm -f a /tmp/b',
      )
      expect(bytes.stdout.match(/No space left/g)).toHaveLength(3)
      const inodes = await fixture.python(
        'import errno\ntry:\n    for i in range(10**6): open(f"/tmp/{i}", "w").close()\nexcept OSError as e: print(errno.errorcode[e.errno])\ni < 10_000',
      )
      expect(inodes).toMatchObject({ stdout: 'ENOSPC\n', result: true })
      const sparse = await fixture.python('import os\nopen("s", "w").close()\nos.truncate("s", 2**40)')
      expect(sparse.error?.message).toMatch(/too large/i)
      // what others on this machine free meanwhile says nothing
      expect((before - statfsSync('/').bavail) * 4096).toBeLessThan(200 * 1024 * 1024)
    })

    test.each([
      ['lines for ever', 'bash', 'yes', 'timeout'],
      ['bytes for ever', 'bash', 'cat /dev/zero', 'timeout'],
      ['one long line', 'python', 'print("x" * 100_000_000)\n"end"', undefined],
      ['a million lines', 'python', 'for _ in range(1_100_000): print()\n"end"', undefined],
      ['a console', 'node', 'for (let i = 0; i < 3000; i++) console.log("x".repeat(1000)); "end"', undefined],
    ] as const)(
      '[R08] output flood: %s',
      async (_, language, code, kind) => {
        const before = process.memoryUsage().rss
        const told = await fixture.run(language, code, { limits: { timeoutMs: kind ? 1_500 : 100_000, memoryMb: 512 } })
        expect(told).toMatchObject({ truncated: true, ...(kind ? { error: { kind } } : { result: 'end' }) })
        const size = told.lines.reduce((sum, line) => sum + ('text' in line ? Buffer.byteLength(line.text) : 0), 0)
        expect(size).toBeLessThanOrEqual(1_000_100)
        expect(told.lines.at(-1)).toMatchObject({ text: '[output cut at 1000000 bytes]' })
        expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
      },
      120_000,
    )

    test('[R08] neighbours: a flood of displays, and of results', async () => {
      const displays = await fixture.python('for _ in range(10_000): display("x" * 1000)\n"end"')
      expect(displays).toMatchObject({ truncated: true, result: 'end' })
      expect((await fixture.python('["x" * 1000] * 100_000')).error?.kind).toBe('output')
    })

    test('[R09] a fork bomb meets its number and ends with its time', async () => {
      const shell = await fixture.bash(':(){ :|:& };:; sleep 60', { limits: { timeoutMs: 1_500 } })
      expect(shell.status).toBe('failed')
      const python = await fixture.python('import os\nwhile True:\n    try: os.fork()\n    except OSError: pass', {
        limits: { timeoutMs: 1_500 },
      })
      expect(python.error?.kind).toBe('timeout')
    })

    test('[R13] deep recursion and nesting are the program’s own error', async () => {
      expect((await fixture.python('def f(): f()\nf()')).error?.message).toMatch(/RecursionError/)
      expect((await fixture.python(`${'('.repeat(100_000)}`)).status).toBe('failed')
      expect((await fixture.python('x = []\nfor _ in range(100_000): x = [x]\nx')).status).toMatch(/succeeded|failed/)
      const chain =
        'e = Exception(0)\nfor at in range(100_000):\n    f = Exception(at)\n    f.__cause__ = e\n    e = f\nraise e'
      expect((await fixture.python(chain)).error).toMatchObject({
        kind: 'runtime',
        message: 'Exception: 99999',
      })
      expect((await fixture.node('(function f() { f() })()')).error?.message).toMatch(/RangeError/)
    })
  })

  describe('network', () => {
    test('[N01] nothing can be reached', async () => {
      const told = await fixture.python(`import socket, errno
def reach(kind, family, address):
    try:
        s = socket.socket(family, kind); s.settimeout(2)
        s.connect(address); s.send(b"x"); return "reached"
    except OSError as error: return errno.errorcode.get(error.errno, str(error))
tcp, udp, v4, v6 = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.AF_INET, socket.AF_INET6
def raw():
    try: socket.socket(v4, socket.SOCK_RAW, 1); return "made"
    except OSError as e: return errno.errorcode[e.errno]
def name():
    try: return socket.gethostbyname("example.org")
    except OSError: return "no name"
[reach(tcp, v4, ("10.0.0.1", 80)), reach(tcp, v4, ("169.254.169.254", 80)), reach(tcp, v4, ("192.0.2.1", 53)), reach(udp, v4, ("192.0.2.1", 53)), reach(tcp, v6, ("2001:db8::1", 80)), reach(tcp, v4, ("127.0.0.1", ${port})), reach(tcp, v6, ("::1", ${port})), raw(), name()]`)
      const [a, b, c, d, e, loopback, loopback6, raw, name] = told.result as string[]
      for (const outcome of [a, b, c, d, e]) expect(outcome).toBe('ENETUNREACH')
      for (const outcome of [loopback, loopback6]) expect(outcome).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/)
      expect([raw, name]).toEqual(['EPERM', 'no name'])
      const abstract = await fixture.python(
        'import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect("\\0/tmp/.X11-unix/X0")',
      )
      expect(abstract.error?.message).toMatch(/refused|No such/i)
    })

    test('[N01] the same probe reaches the listener from the host', async () => {
      const code = `import socket\nprint(socket.create_connection(("127.0.0.1", ${port})).recv(100).decode())`
      const before = connections
      const child = spawn('/usr/bin/python3', ['-c', code], { stdio: ['ignore', 'pipe', 'inherit'] })
      let text = ''
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      await new Promise((resolve) => child.once('close', resolve))
      expect(text.trim()).toBe(canary)
      expect(connections).toBe(before + 1)
      connections = before
    })
  })

  describe('files', () => {
    test('[F02] a planted link is told as a link', async () => {
      const told = await fixture.bash(
        `ln -s ${directory}/secret out.txt; ln -s / d; ln -s out.txt chain; mkdir real; ln -s ../../../etc/passwd real/p; ln /etc/passwd hard 2>/dev/null; mkfifo fifo; echo fine > file`,
      )
      expect(told.files.map(({ path, bytes, linkTarget }) => [path, bytes.length, linkTarget])).toEqual([
        ['chain', 0, 'out.txt'],
        ['d', 0, '/'],
        ['file', 5, undefined],
        ['out.txt', 0, `${directory}/secret`],
        ['real/p', 0, '../../../etc/passwd'],
      ])
      expect(JSON.stringify(told.files.map((file) => Buffer.from(file.bytes).toString()))).not.toContain(canary)
    })

    test('[F04] swapping a directory for a link while files are collected gains nothing', async () => {
      const told = await fixture.bash(
        `mkdir a; echo mine > a/secret; ln -s ${directory} b; (while :; do mv -T a x; mv -T b a; mv -T x b; mv -T a x; mv -T b a; mv -T x b; done) >/dev/null 2>&1 & for i in $(seq 2000); do echo $i > f$i; done`,
      )
      expect(told).toMatchObject({ status: 'succeeded' })
      expect(told.error).toBeUndefined()
      for (const file of told.files) expect(Buffer.from(file.bytes).toString()).not.toContain(canary)
    })
  })

  describe('host secrets', () => {
    test('[S04] a crash leaves no core and no file', async () => {
      const before = readdirSync(tmpdir()).sort()
      const crashes = [
        'import os\nos.kill(os.getpid(), 11)',
        'import os\nos.abort()',
        'import ctypes\nctypes.string_at(0)',
      ]
      for (const code of crashes) {
        const told = await fixture.python(code)
        expect(told).toMatchObject({ status: 'failed', files: [] })
        expect(told.error?.message).toMatch(/SIGSEGV|SIGABRT/)
      }
      const child = await fixture.bash('ulimit -c unlimited 2>&1; bash -c "kill -SEGV \\$\\$"; ls -A')
      expect(child.stdout).not.toMatch(/core\b(?! file)/)
      expect(child.files).toEqual([])
      expect(
        readdirSync(tmpdir())
          .sort()
          .filter((name) => /core/.test(name) && !before.includes(name)),
      ).toEqual([])
    })

    test('[S01] errors and signs name nothing of the host', async () => {
      const told = await Promise.all([
        fixture.python('raise Exception("x")'),
        fixture.python('import coherex\ncoherex.ECHO.ping()'),
        fixture.node('throw new Error("x")'),
        fixture.python('1', { packages: ['nope'] }),
        fixture.python('x', { files: { '../../etc/passwd': '' } }),
      ])
      for (const { error, signs } of told) {
        expect(error).toBeDefined()
        expect(JSON.stringify([error, signs])).not.toMatch(/\/opt\/|\/work\/|\/tmp\/coherex|node_modules|driver\.py/)
      }
    })

    test('[S01] the guest’s sources and interpreters cannot be changed from inside', async () => {
      const told = await fixture.bash(
        'for f in /opt/coherex/python/driver.py /opt/coherex/node/main.js /opt/node/bin/node /usr/bin/python3 /etc/passwd; do (echo x >> $f) 2>&1; done | grep -cE "Read-only file system|Permission denied"',
      )
      expect(told.stdout).toBe('5\n')
      expect(statSync(process.execPath).size).toBeGreaterThan(1_000_000)
      expect(execFileSync('/usr/bin/python3', ['-c', 'print(1)'], { encoding: 'utf8' })).toBe('1\n')
    })
  })
}
