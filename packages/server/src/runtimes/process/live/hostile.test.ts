// Guests that attack from a sandbox that lives on: the stated verdict, and the sandbox serves the next cell, or ends and says so.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { livingProcesses } from '../../../../tests/harness/load/living-processes.ts'
import { isLong } from '../../../../tests/harness/long-tests.ts'
import { syscalls } from '../../launch/seccomp/syscalls.ts'
import { content, contractLimits, readAll, runCell, untilPrinted } from '../../sandbox-cells.ts'
import type { Sandbox, SandboxSpec } from '../../sandbox.ts'
import { createFixture, type Fixture } from '../process-fixture.ts'

const uidBase = 0x68000000 + (process.pid % 0x8000) * 0x800
// above them are the users of zygotes
const sandboxUsers = 0x400
const isRoot = process.getuid?.() === 0
const canary = `CANARY-${process.pid}-9e107d9d37`
const spec: SandboxSpec = { limits: contractLimits, domain: 'hostile', env: {} }
let fixture: Fixture
let sandbox: Sandbox

beforeAll(async () => {
  process.env['COHEREX_TEST_CANARY'] = canary
  fixture = await createFixture(uidBase, { poolSize: 0, live: { ready: 1, limits: { ...contractLimits, diskMb: 32 } } })
  await fixture.runtime.warm()
})
afterAll(async () => {
  await fixture.close()
  expect(living()).toEqual([])
})
beforeEach(async () => {
  sandbox = await fixture.runtime.open(spec)
})
afterEach(async () => {
  await sandbox.close()
  // one waits in the pool
  await expect.poll(() => living().length, { timeout: 30_000 }).toBeLessThanOrEqual(1)
})

const python = (code: string, ask?: Parameters<typeof runCell>[3]) => runCell(sandbox, 'python', code, ask)
const expectAlive = async (context = 'python') => {
  expect(await python('6 * 7', { context })).toMatchObject({ result: 42, signs: [] })
}

const onHost = (code: string) => spawnSync('/bin/bash', ['-c', code], { encoding: 'utf8' }).stdout

/** The end of a sandbox's first process may have taken the others along. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Processes of any sandbox of this file. */
const living = () => (isRoot ? livingProcesses(uidBase, sandboxUsers) : [])

/** The first process of its namespace; one that was made ahead of need may be on its way there. */
function isKeeper(pid: string): boolean {
  try {
    return /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false // gone meanwhile
  }
}

// both ways a sandbox is made: the mounts, users and filters of a fork are not those of bubblewrap
const ways = { fork: {}, bubblewrap: { templateDir: '/usr/share/misc' } }

describe.runIf(isRoot)('denied calls that nobody complains of', () => {
  const escape = `import ctypes\nctypes.CDLL(None).syscall(${syscalls.ptrace[process.arch === 'arm64' ? 1 : 0]}, 16, 1, 0, 0)`

  test('[zygote.6] a cell has a sign of its own, and the cell after it has none', async () => {
    const signs = [{ kind: 'denied-syscall', detail: 'refused: ptrace' }]
    expect(await python(escape)).toMatchObject({ status: 'succeeded', result: -1, signs })
    await expectAlive()
    expect(sandbox.signs()).toEqual(signs)
  })

  test('[zygote.6] a process that is no cell leaves its sign with the sandbox', async () => {
    const started = await sandbox.processes.start({ command: 'unshare -r true; unshare -r true' })
    await started.exited
    // the zygote tells of them, and another process of the exit: either may be read first
    await expect.poll(() => sandbox.signs()).toEqual([{ kind: 'denied-syscall', detail: 'refused: unshare (2 times)' }])
  })
})

describe.each(Object.keys(ways) as (keyof typeof ways)[])('the walls of a sandbox made by %s', (way) => {
  const bash = (code: string) => runCell(sandbox, 'bash', code)

  beforeEach(async () => {
    await sandbox.close()
    sandbox = await fixture.runtime.open({ ...spec, ...ways[way] })
  })

  test('[P01] no file of the kernel can be written', async () => {
    const probe =
      'for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/overcommit_memory; do test -w $f && echo "writable $f"; done; find /proc/sys /proc/irq /proc/bus -writable -type f 2>/dev/null | head; ls /sys 2>/dev/null; echo end'
    expect((await bash(probe)).text).toBe('end\n')
    if (isRoot) expect(onHost(probe)).toContain('writable /proc/sys/kernel/core_pattern')
  })

  test('[P02] [S01] nothing of the server is visible, from a session or a command', async () => {
    const sweep =
      'for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline /etc/*; do tr "\\0" "\\n" < $f 2>/dev/null; done; env; ls -la /tmp /home /root /var /opt 2>&1'
    const told = await bash(sweep)
    const started = await sandbox.processes.start({ command: sweep })
    await started.exited
    const seen = told.text + started.recentOutput.map(({ text }) => text).join('')
    expect(seen).toContain('/home/guest')
    expect(seen).not.toContain(canary)
    expect(onHost(`tr "\\0" "\\n" < /proc/${process.pid}/environ; echo $COHEREX_TEST_CANARY`)).toContain(canary)
  })

  test('[P04] [process.10] no right is left, and dangerous calls are refused', async () => {
    const status = await bash(
      'grep -E "^(Cap|NoNewPrivs|Seccomp:|Groups|Uid)" /proc/self/status; wc -l < /proc/self/uid_map',
    )
    const none = '0000000000000000'
    expect(
      status.text
        .replaceAll(/[\t ]+/g, ' ')
        .trim()
        .split('\n'),
    ).toEqual([
      'Uid: 1000 1000 1000 1000',
      expect.stringMatching(/^Groups:/),
      ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}: ${none}`),
      'NoNewPrivs: 1',
      'Seccomp: 2',
      '1',
    ])
    const column = process.arch === 'arm64' ? 1 : 0
    const names = `bpf io_uring_setup keyctl add_key userfaultfd perf_event_open ptrace mount umount2 pivot_root unshare setns
      open_by_handle_at process_vm_readv process_vm_writev pidfd_getfd init_module fsopen move_mount reboot sethostname`
    const numbers = names.split(/\s+/).map((name) => syscalls[name as keyof typeof syscalls][column])
    const told = await python(
      `import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\ndef errno(n):\n    return ctypes.get_errno() if libc.syscall(ctypes.c_long(n), *[ctypes.c_long(0)] * 6) == -1 else 0\n{errno(n) for n in ${JSON.stringify(numbers)}}`,
    )
    expect(told.result).toEqual([1])
  })

  test('[P08] limits of the keeper and of others cannot be set', async () => {
    const told = await python(`import os, resource
def attempt(pid):
    try: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0)); return "done"
    except PermissionError: return "refused"
sorted({attempt(int(name)) for name in os.listdir("/proc") if name.isdigit()})`)
    expect(told.result).toEqual(['refused'])
    expect((await bash('prlimit --pid 1 --nofile=0:0 2>&1; ulimit -n 64; ulimit -n')).text).toMatch(
      /not permitted\n64\n$/,
    )
    await expectAlive()
  })

  test('[process.11] [launcher.17] there are five devices and terminals of its own', async () => {
    const told = await bash(
      'ls /dev; for t in b c; do mknod x $t 1 1 2>&1; done; (echo > /dev/tty) 2>&1 | grep -o "No such device or address"; ls /dev/pts',
    )
    const devices = 'fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'
    expect(told.text.split('\n').slice(0, 13).join(' ')).toBe(devices)
    expect(told.text).toContain('Operation not permitted')
    expect(told.text).toContain('No such device or address')
    expect(told.text.trim().split('\n').at(-1)).toBe('ptmx')
  })

  test('[N01] nothing outside can be reached', async () => {
    const server = createServer((socket) => socket.end(canary))
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const { port } = server.address() as { port: number }
    const told = await python(
      `import socket\ndef reach(host):\n    try: return socket.create_connection((host, ${port}), timeout=1).recv(100).decode()\n    except OSError as error: return type(error).__name__\n[reach("127.0.0.1"), reach("10.0.0.1"), reach("169.254.169.254")]`,
    )
    server.close()
    expect(told.result).toEqual(['ConnectionRefusedError', 'OSError', 'OSError'])
  })
})

describe('processes', () => {
  test.each([
    ['in its session', ''],
    ['each in a session of its own', 'os.setsid()'],
    [
      'that hide where they come from',
      'os.setsid(); os.execve("/usr/bin/python3", ["python3", "-c", "import os\\nwhile True:\\n  try: os.fork()\\n  except OSError: pass"], {})',
    ],
  ])('[keeper.4] a fork bomb %s goes with its session', async (_, act) => {
    const bomb = `import os\nprint("ready", flush=True)\nwhile True:\n    try:\n        if os.fork() == 0:\n            ${act || 'pass'}\n    except OSError: pass`
    const told = await python(bomb, { limits: { timeoutMs: 1_000 } })
    expect(told.status).toBe('failed')
    await sandbox.reset('python')
    await expectAlive()
    // each of them has been killed; the kernel takes its time to clear so many away
    const count = async () => (await python('import glob\nlen(glob.glob("/proc/[0-9]*"))')).result
    await expect.poll(count).toBe(2)
  })

  test('[keeper.4] a sandbox that a cell filled with processes says so, and what helps', async () => {
    const fill = `import os, time
while True:
    try:
        if os.fork() == 0: time.sleep(600)
    except OSError: break
raise ValueError("no more")`
    const message = /no room for another process: reset it to end those that earlier cells left/
    const told = await python(fill)
    expect(told).toMatchObject({ status: 'failed', isFull: true, error: { message: expect.stringMatching(message) } })
    const other = await python('1', { context: 'other' })
    expect(other).toMatchObject({ status: 'failed', isFull: true, error: { message: expect.stringMatching(message) } })
    await sandbox.reset('python')
    const again = async () => {
      const { result, isFull } = await python('1', { context: 'other' })
      return [result, isFull]
    }
    await expect.poll(again).toEqual([1, undefined])
  })

  test('[keeper.1] no signal from inside ends the keeper', async () => {
    await python('x = 1', { context: 'other' })
    const told = await python(
      'import os, signal\nfor s in [*range(1, 32), *range(34, 65)]:\n    try: os.kill(1, s)\n    except OSError: pass\nos.kill(-1, signal.SIGKILL)\n"done"',
    )
    expect(told).toMatchObject({ status: 'succeeded', result: 'done' })
    await expectAlive()
    const lost = await python('"x" in globals()', { context: 'other' })
    expect(lost.result).toBe(false)
    expect(lost.text).toContain('variables are gone')
  })

  test('[keeper.2] the keeper cannot be taken over', async () => {
    const probe = `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(act):
    try: return act()
    except OSError as error: return type(error).__name__
def call(number, *args):
    value = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(arg) for arg in args])
    return "done" if value >= 0 else os.strerror(ctypes.get_errno())
fd = os.pidfd_open(1)
[attempt(lambda: open("/proc/1/mem", "r+b") and "open"), attempt(lambda: os.open("/proc/1/fd/3", os.O_RDWR)), call(438, fd, 3, 0), call(101, 16, 1, 0, 0)]`
    const told = await python(probe)
    const refusals = told.result as string[]
    expect(refusals[0]).toMatch(/Error/)
    expect(refusals[1]).toMatch(/Error/)
    expect(refusals.slice(2)).toEqual(['Operation not permitted', 'Operation not permitted'])
    await expectAlive()
  })

  test('[keeper.3] what ended leaves no descriptor behind in the keeper', async () => {
    const held = async () => (await python('import os\nlen(os.listdir("/proc/1/fd"))')).result
    const before = await held()
    for (let round = 0; round < 3; round++) {
      const terminal = await sandbox.processes.start({ command: 'true', terminal: { columns: 80, rows: 24 } })
      const piped = await sandbox.processes.start({ command: 'sleep 0.01' })
      await Promise.all([terminal.exited, piped.exited])
      await python('import os\nos._exit(1)', { context: 'other' })
      await sandbox.files.write('a', content('x'))
      await readAll(await sandbox.files.read('a'))
      await sandbox.connect(9).catch(() => {})
    }
    await expect.poll(held).toBe(before)
  })

  test('[launcher.4] a terminal takes no typing from those who run in it', async () => {
    const probe =
      'import fcntl, termios\ntry: fcntl.ioctl(0, termios.TIOCSTI, b"x"); print("typed")\nexcept OSError as error: print(type(error).__name__)'
    await sandbox.files.write('probe.py', content(probe))
    const terminal = await sandbox.processes.start({
      command: 'python3 probe.py; ls /dev/pts',
      terminal: { columns: 80, rows: 24 },
    })
    await terminal.exited
    expect(terminal.recentOutput.map(({ text }) => text).join('')).toBe('PermissionError\r\n0  ptmx\r\n')
  })

  test('[sandbox.5] what a session printed before its end is told before it, however late the keeper looks', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const code =
      'import os, time\nprint("ready", flush=True)\ntime.sleep(0.5)\nprint("x" * 140_000, flush=True)\nos._exit(3)'
    const { cell } = await untilPrinted((onOutput) => python(code, { onOutput }), 'ready')
    const [keepers, sessions] = [living().filter(isKeeper), living().filter((pid) => !isKeeper(pid))]
    for (const pid of keepers) process.kill(Number(pid), 'SIGSTOP')
    // then its words and its end wait both
    await expect.poll(() => living().filter((pid) => sessions.includes(pid))).toEqual([])
    for (const pid of keepers) process.kill(Number(pid), 'SIGCONT')
    const told = await cell
    expect(told).toMatchObject({ status: 'failed', sessionLost: true })
    expect(told.text).toHaveLength('ready\n'.length + 140_001)
  })

  test('[sandbox.14] a keeper that dies ends the sandbox, and everybody is told', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const { cell } = await untilPrinted((onOutput) => python('print("ready")\nwhile True: pass', { onOutput }), 'ready')
    const upload = sandbox.files.write(
      'big',
      (async function* () {
        for (;;) {
          yield Buffer.alloc(10)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      })(),
    )
    upload.catch(() => {})
    for (const pid of living()) killIfThere(Number(pid))
    expect(await cell).toMatchObject({ status: 'failed', sessionLost: true })
    await expect(upload).rejects.toThrow()
    expect(await sandbox.ended).toMatchObject({ why: 'crashed' })
  })
})

describe('memory', () => {
  test('[sandbox.13] memory that is held as files ends its holder', async () => {
    const bomb =
      'import os\nfds = []\nwhile True:\n    fd = os.memfd_create("x"); fds.append(fd)\n    os.write(fd, bytes(5_000_000))'
    const told = await python(bomb)
    expect(told).toMatchObject({ status: 'failed', error: { kind: 'memory' }, sessionLost: true })
    await expectAlive()
  })

  test('[sandbox.13] many processes that are small each are held together', async () => {
    // they hold it until one of them, or whoever started them, is ended for it
    const swarm =
      'import subprocess, sys, time\nhog = "x = bytearray(20_000_000)\\nimport time\\ntime.sleep(600)"\nhogs = [subprocess.Popen([sys.executable, "-S", "-c", hog]) for _ in range(30)]\nwhile all(hog.poll() is None for hog in hogs): time.sleep(0.05)\n[hog.kill() for hog in hogs]\n[hog.wait() for hog in hogs]'
    const told = await python(swarm)
    expect(told.signs.some(({ kind }) => kind === 'limit-kill')).toBe(true)
    await sandbox.reset('python')
    await expectAlive()
  })
})

describe('the protocol of sessions', () => {
  test.each([
    ['garbage', 'os.write(3, b"GET / HTTP/1.1\\r\\n\\r\\n")'],
    ['a frame that claims too much', 'os.write(3, b"\\xff\\xff\\xff\\xff")'],
    ['an unknown message', 'send({"type": "shutdown"})'],
    ['a verdict of the host', 'send({"type": "error", "id": 1, "error": {"kind": "timeout", "message": "x"}})'],
    ['brackets without end', 'raw(b"[" * 100_000)'],
  ])('[protocol.5] %s on the channel ends the session alone', async (_, act) => {
    const forge = `import json, os, time
def raw(body): os.write(3, len(body).to_bytes(4, "big") + body)
def send(message): raw(json.dumps(message).encode())
${act}
time.sleep(30)`
    const told = await python(forge)
    expect(told).toMatchObject({ status: 'failed', sessionLost: true })
    expect(told.signs).toContainEqual(expect.objectContaining({ kind: 'protocol' }))
    await expectAlive()
  })

  test('[protocol.5] a flood of output that the driver did not hold back is cut and ends the session', async () => {
    const flood = `import json, os
body = json.dumps({"type": "output", "stream": "stdout", "text": "x" * 60000}).encode()
while True: os.write(3, len(body).to_bytes(4, "big") + body)`
    const told = await python(flood, { limits: { outputBytes: 100_000 } })
    expect(told).toMatchObject({ status: 'failed', error: { kind: 'output' }, sessionLost: true, truncated: true })
    expect(told.text.length).toBeLessThan(110_000)
    await expectAlive()
  })

  test('[protocol.5] a cell that claims its end early gets no more than its own words in', async () => {
    const early = `import json, os, threading, time
def send(message):
    body = json.dumps(message).encode(); os.write(3, len(body).to_bytes(4, "big") + body)
for id in range(100): send({"type": "cell-done", "id": id, "truncated": False})`
    expect((await python(early)).status).toBe('succeeded')
    await expectAlive('other')
  })

  test('[protocol.5] calls whose answers nobody reads hold up the caller alone', async () => {
    const storm = `import json, os
body = json.dumps({"type": "call", "id": 1, "capability": "NOBODY", "method": "x" * 1000, "args": []}).encode()
while True: os.write(3, len(body).to_bytes(4, "big") + body)`
    const before = process.memoryUsage.rss()
    const told = await python(storm, { limits: { timeoutMs: 1_500 } })
    expect(told).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024)
    await expectAlive()
  })
})

describe('files', () => {
  test('[sandbox.7] a tree without end is listed in bounds, and removed', async () => {
    await python(
      'import os\nos.mkdir("deep"); os.chdir("deep")\nfor _ in range(1500): os.mkdir("d"); os.chdir("d")\nos.chdir("/home/guest")',
    )
    const listed = await sandbox.files.list('', { recursive: true })
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.length).toBeLessThan(100)
    await sandbox.files.remove('deep')
    expect(await sandbox.files.list('')).toEqual([])
    expect(await python('os.statvfs("/home/guest").f_ffree > 1900')).toMatchObject({ result: true })
  })

  test('[sandbox.7] names that are no text are not shown, and go with their directory', async () => {
    await python(
      'import os\nos.makedirs(b"odd/\\xff\\xfe"); open(b"odd/\\xc3\\x28", "w").close(); open("odd/line\\nbreak", "w").close(); open("odd/fine", "w").close()',
    )
    expect((await sandbox.files.list('odd', { recursive: true })).map(({ path }) => path)).toEqual(['odd/fine'])
    await sandbox.files.remove('odd')
    expect(await sandbox.files.stat('odd')).toBeUndefined()
  })

  test('[sandbox.7] a directory that the guest closed to itself is removed', async () => {
    await python(
      'import os\nos.makedirs("shut/in"); open("shut/in/file", "w").close(); os.chmod("shut/in", 0); os.chmod("shut", 0o500)',
    )
    await sandbox.files.remove('shut')
    expect(await sandbox.files.list('')).toEqual([])
  })

  test('[sandbox.7] a directory that is swapped for a link all the time leads nowhere', async () => {
    const swap = `import os, threading
os.mkdir("real"); os.symlink("/tmp", "link")
def swap():
    while True:
        try: os.rename("real", "at"); os.rename("at", "real")
        except OSError: pass
        try: os.rename("link", "at"); os.rename("at", "link")
        except OSError: pass
threading.Thread(target=swap, daemon=True).start()`
    await python(swap)
    for (let index = 0; index < 200; index++) {
      await sandbox.files.write(`at/planted-${index}`, content('x')).catch(() => {})
      await sandbox.files.list('at').catch(() => {})
      const read = await sandbox.files.read('at/planted-0').catch(() => undefined)
      if (read) await readAll(read)
    }
    expect((await python('[name for name in os.listdir("/tmp") if "planted" in name]')).result).toEqual([])
  })

  test('[sandbox.7] a file that grows while it is read has an end', async () => {
    await python(
      'import threading\nf = open("grows", "wb"); f.write(bytes(100_000)); f.flush()\ndef grow():\n    while True:\n        f.write(bytes(100_000))\n        if f.tell() > 20_000_000: f.seek(0); f.truncate()\nthreading.Thread(target=grow, daemon=True).start()',
    )
    const size = (await readAll(await sandbox.files.read('grows'))).length
    expect(size).toBeLessThanOrEqual(21_000_000)
  })
})

test('[sandbox.14] many sandboxes, opened and closed, leave nothing', async (context) => {
  if (!isRoot) return context.skip('needs root')
  const count = isLong ? 200 : 40
  const opened = await Promise.all(Array.from({ length: count }, () => fixture.runtime.open(spec)))
  const cells = await Promise.all(
    opened
      .slice(0, 5)
      .map((one, index) =>
        runCell(
          one,
          'python',
          `import subprocess\nsubprocess.Popen(["sleep", "1000"], start_new_session=True)\n${index}`,
        ),
      ),
  )
  expect(cells.map(({ result }) => result)).toEqual([0, 1, 2, 3, 4])
  await Promise.all(opened.slice(0, count / 2).map((one) => one.close()))
  expect(
    new Set((await Promise.all(opened.slice(count / 2).map((one) => one.disk()))).map(({ usedInodes }) => usedInodes))
      .size,
  ).toBe(1)
  await Promise.all(opened.slice(count / 2).map((one) => one.close()))
  // the one of this test and the one in the pool
  await expect.poll(() => living().length, { timeout: 30_000 }).toBe(2)
  expect(fixture.runtime.live?.stats.open).toBe(1)
})
