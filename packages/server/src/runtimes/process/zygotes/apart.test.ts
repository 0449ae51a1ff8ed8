// Two guests of one zygote that look for each other and for the zygote they come from.
import { readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { livingProcesses } from '../../../../tests/harness/load/living-processes.ts'
import { createFixture, type Fixture } from '../process-fixture.ts'

const uidBase = 0x7c000000 + (process.pid % 0x800) * 0x1000
const zygoteUser = uidBase + 1024
const serverSecret = `SERVER-${process.pid}-secret`

describe.runIf(process.getuid?.() === 0)('guests of one zygote', () => {
  let fixture: Fixture
  let zygotes: string[]

  beforeAll(async () => {
    process.env['COHEREX_TEST_SECRET'] = serverSecret
    fixture = await createFixture(uidBase, { poolSize: 0, zygotes: { ahead: { plain: 1, data: 2 } } })
    await fixture.runtime.zygotes?.warm(true)
    zygotes = zygoteProcesses()
    expect(zygotes.length).toBeGreaterThan(0)
  })

  afterAll(async () => {
    // neither was replaced: no guest has ended what it was forked from
    expect(zygoteProcesses()).toEqual(expect.arrayContaining(zygotes))
    await fixture.close()
    expect(zygoteProcesses()).toEqual([])
  })

  /** Runs `attack` while a neighbour waits, and lets the neighbour go on and tell how it is. */
  async function beside(neighbour: string, attack: string) {
    const meanwhile = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const methods = { wait: () => meanwhile.promise }
    const waiting = fixture.python(`import numpy, coherex\n${neighbour}\nprint("here")\n${waitThen}`, {
      capabilities: { ECHO: { methods } },
      onOutput: () => started.resolve(),
    })
    await started.promise
    const attacker = await fixture.python(`import numpy\n${attack}`)
    meanwhile.resolve('go on')
    return { attacker, neighbour: await waiting }
  }
  const waitThen = 'coherex.ECHO.wait()'

  test('[zygote.2] signals reach nobody else: not the group, not all, not any number', async () => {
    for (const attack of [
      'import os\nos.kill(0, 9)',
      'import os\nos.kill(-1, 9)',
      'import os\nfor pid in range(3, 400):\n    for target in (pid, -pid):\n        try: os.kill(target, 9)\n        except OSError: pass\nos.killpg(os.getpgid(0), 9)',
      'import os, signal\nos.kill(os.getppid(), 9)\nos.kill(1, signal.SIGSEGV)\n"still here"',
    ]) {
      const told = await beside('', attack)
      expect(told.neighbour).toMatchObject({ status: 'succeeded', result: 'go on' })
    }
  })

  test('[zygote.2] its processes, /proc, sockets, /tmp, memory files and queues are its own', async () => {
    const told = await beside(
      `import socket
s = socket.socket(socket.AF_UNIX); s.bind("\\0meet"); s.listen()
t = socket.create_server(("127.0.0.1", 7777))
open("/tmp/theirs", "w").write("x"); open("/dev/shm/theirs", "w").write("x"); open("theirs", "w").write("x")`,
      `import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def why(act):
    try: act(); return "done"
    except OSError as error: return errno.errorcode[error.errno]
def call(name, *args):
    ctypes.set_errno(0)
    return errno.errorcode.get(ctypes.get_errno(), "done") if getattr(libc, name)(*args) == -1 else "done"
def abstract(): socket.socket(socket.AF_UNIX).connect("\\0meet")
def loopback(): socket.create_connection(("127.0.0.1", 7777), 1)
[sorted(int(n) for n in os.listdir("/proc") if n.isdigit()), os.listdir("/tmp"), os.listdir("."), why(abstract), why(loopback),
 call("shmget", 1, 4096, 0o1600), call("msgget", 1, 0o1600), call("semget", 1, 1, 0o1600), call("ptrace", 16, 1, 0, 0),
 why(lambda: open("/proc/1/mem", "r+b")), [n for n in os.listdir("/proc/self/fd") if int(n) > 3 and not os.path.exists(f"/proc/self/fd/{n}") is False and os.readlink(f"/proc/self/fd/{n}").split(":")[0] not in ("pipe", "anon_inode")]]`,
    )
    expect(told.attacker.error).toBeUndefined()
    const [pids, tmp, home, abstract, loopback, ...rest] = told.attacker.result as unknown[]
    expect({ pids, tmp, home, abstract, loopback }).toEqual({
      pids: [1, 2],
      tmp: [],
      home: ['main.py'],
      abstract: 'ECONNREFUSED',
      loopback: 'ECONNREFUSED',
    })
    expect(rest.slice(0, 4)).toEqual(['EPERM', 'EPERM', 'EPERM', 'EPERM'])
    expect(rest[4]).toMatch(/EROFS|EACCES/)
    // the listing itself is a directory, and gone by the time it is looked at
    expect(rest[5]).toEqual([])
    expect(told.neighbour).toMatchObject({ status: 'succeeded', result: 'go on' })
  })

  test('[zygote.2] orphans leave no zombies, and its first process is not reached by signals', async () => {
    const code = `import numpy, os, signal, time
def orphan():
    child = os.fork()
    if child == 0:
        if os.fork() == 0: time.sleep(0.05)
        os._exit(0)
    os.waitpid(child, 0)
for _ in range(5): orphan()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGCHLD, signal.SIGABRT): os.kill(1, number)
others = lambda: [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", str(os.getpid()))]
while others(): time.sleep(0.01)
def why(path):
    try: return os.listdir(path)
    except OSError as error: return type(error).__name__
[why("/proc/1/root"), why("/proc/1/fd"), os.getpid()]`
    expect((await fixture.python(code)).result).toEqual(['PermissionError', 'PermissionError', 2])
  })

  // a word is looked for in two halves: whole, the question itself would be found
  const scan = (words: string[]) => `def find(first, second):
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps:
            span, mode = line.split()[:2]
            if not mode.startswith("r") or "[v" in line: continue
            start, end = (int(edge, 16) for edge in span.split("-"))
            try:
                memory.seek(start)
                data = memory.read(end - start)
            except (OSError, OverflowError, ValueError): continue
            at = data.find(first)
            while at >= 0:
                found += data.startswith(second, at + len(first))
                at = data.find(first, at + 1)
    return found
[find(first.encode(), second.encode()) > 0 for second, first in ${JSON.stringify(words.map((word) => [word.slice(9), word.slice(0, 9)]))}]`

  test('[zygote.2] nothing of another guest or of the server is in its memory', async () => {
    const canary = `GUEST-${process.pid}-canary`
    // one that it holds itself shows that the probe finds what is there
    const probe = `own = "OWN-WORD-OF-THIS-GUEST"\n${scan([canary, serverSecret, 'OWN-WORD-OF-THIS-GUEST'])}`
    const held = await beside(`held = "${canary}" * 3\nimport os\nos.environ["HELD"] = held`, probe)
    expect(held.attacker).toMatchObject({ status: 'succeeded', result: [false, false, true] })
    // and after it has ended
    expect((await fixture.python(`import numpy\n${probe}`)).result).toEqual([false, false, true])
  })

  test('[zygote.2] every guest has random numbers of its own', async () => {
    const code = `import numpy, os, random, secrets, ssl, tempfile, uuid
[os.urandom(16).hex(), random.random(), numpy.random.random(), numpy.random.default_rng().random(), secrets.token_hex(8),
 ssl.RAND_bytes(16).hex(), str(uuid.uuid4()), str(uuid.uuid1()), tempfile.mktemp(), random.SystemRandom().random()]`
    const told = await Promise.all(Array.from({ length: 6 }, () => fixture.python(code)))
    const values = told.map(({ result }) => result as unknown[])
    for (const column of values[0]?.keys() ?? []) {
      const drawn = values.map((row) => row[column])
      expect(new Set(drawn).size).toBe(drawn.length)
    }
  })

  test('[zygote.2] each has a user and every namespace of its own', async () => {
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stop = new AbortController()
    const running = started.map(({ resolve }) =>
      fixture.python('import numpy, time\nprint("here")\ntime.sleep(30)', {
        onOutput: () => resolve(),
        signal: stop.signal,
      }),
    )
    await Promise.all(started.map(({ promise }) => promise))
    const kinds = ['user', 'pid', 'mnt', 'net', 'ipc', 'uts', 'cgroup'] as const
    const spaces = (pid: string) => kinds.map((kind) => readlinkSync(`/proc/${pid}/ns/${kind}`))
    const taken = new Set([...zygotes, String(process.pid)].flatMap(spaces))
    const guests = new Map<string, Set<string>>()
    for (const pid of livingProcesses(uidBase, zygoteUser - uidBase)) {
      try {
        const [inside, user = '', count] = readFileSync(`/proc/${pid}/uid_map`, 'utf8').trim().split(/\s+/)
        // one that is still on its way from the zygote is no guest yet
        if (inside === '1000') guests.set(user, new Set([...(guests.get(user) ?? []), ...spaces(pid), String(count)]))
      } catch {
        // a guest of an earlier test that is just ending
      }
    }
    stop.abort()
    await Promise.all(running)
    expect(guests.size).toBeGreaterThanOrEqual(2)
    for (const own of guests.values()) {
      // its two processes share theirs, and the namespace maps one user
      expect(own.size).toBe(kinds.length + 1)
      expect(own.delete('1')).toBe(true)
      for (const space of own) expect(taken.has(space)).toBe(false)
      for (const space of own) taken.add(space)
    }
  })
})

const zygoteProcesses = () => livingProcesses(zygoteUser, 64)
