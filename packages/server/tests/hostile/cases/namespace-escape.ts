import { routes, type Run, type RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import { findProcesses } from '../../harness/load/find-processes.ts'
import { eventually } from '../eventually.ts'
import type { HostileCase } from '../hostile-case.ts'

const bash = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'bash', code, ...more })
const python = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'python', code, ...more })

/** All that a run printed. */
export const printed = (run: Run) => run.output.map((line) => ('text' in line ? line.text : '')).join('')

const libc = `import ctypes, os, errno
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    ctypes.set_errno(0)
    value = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(arg) for arg in args])
    return 'ok' if value >= 0 else errno.errorcode.get(ctypes.get_errno(), '?')
`
// numbers of x86-64
const forbidden = {
  ptrace: 101,
  syslog: 103,
  pivot_root: 155,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  reboot: 169,
  sethostname: 170,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  quotactl: 179,
  lookup_dcookie: 212,
  clock_settime: 227,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  fanotify_init: 300,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
}

const meet = `import socket, ctypes
libc = ctypes.CDLL(None)
abstract = socket.socket(socket.AF_UNIX)
abstract.bind('\\0meet')
abstract.listen()
tcp = socket.create_server(('127.0.0.1', 45454))
for folder in ['/tmp', '/dev/shm']: open(f'{folder}/meet', 'w').close()
libc.shmget(4242, 4096, 0o1666), libc.msgget(4242, 0o1666), libc.semget(4242, 1, 0o1666)`
const look = `import socket, ctypes
libc = ctypes.CDLL(None)
found = []
def attempt(name, act):
    try: act(); found.append(name)
    except OSError: pass
attempt('abstract', lambda: socket.socket(socket.AF_UNIX).connect('\\0meet'))
attempt('tcp', lambda: socket.create_connection(('127.0.0.1', 45454), 1))
for folder in ['/tmp', '/dev/shm']: attempt(folder, lambda: open(f'{folder}/meet').close())
if max(libc.shmget(4242, 4096, 0), libc.msgget(4242, 0), libc.semget(4242, 1, 0)) >= 0: found.append('ipc')
found`

export const namespaceEscape: HostileCase[] = [
  {
    id: 'P01',
    title: 'no file of the kernel can be written',
    async attack({ run }) {
      const ended = await run(
        bash(`for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches; do test -w $f && echo "writable $f"; done
find /proc/sys /sys -type f -writable 2>/dev/null | grep -v '^/proc/sys/user\\|^/proc/sys/net' | head; echo done`),
      )
      expect(printed(ended)).toBe('done\n')
    },
    async control({ run }) {
      expect(printed(await run(bash('touch own; test -w own && echo writable')))).toBe('writable\n')
    },
  },
  {
    id: 'P01-b',
    title: 'nothing of the system is writable, by mode or by remount',
    async attack({ run }) {
      const ended = await run(
        bash(`for f in / /usr /usr/bin /bin/sh /etc /etc/passwd /opt /opt/coherex /opt/coherex/python/driver.py /proc/1 /proc/1/oom_score_adj /proc/1/mem /dev /dev/null/x /var /run /root /home; do test -w $f && echo "writable $f"; done
mount -o remount,rw / 2>/dev/null && echo remounted; mount -t tmpfs x /mnt 2>/dev/null && echo mounted; umount /proc 2>/dev/null && echo unmounted
touch /x /etc/x /usr/x /home/x /dev/x 2>/dev/null && echo touched; chmod 777 /etc 2>/dev/null && echo changed; echo done`),
      )
      expect(printed(ended).replace('writable /proc/1/oom_score_adj\n', '').replace('writable /proc/1/mem\n', '')).toBe(
        'done\n',
      )
    },
  },
  {
    id: 'P02',
    title: 'no process in sight carries an environment of the host',
    async attack({ run, canaries }) {
      const ended = await run(
        bash(
          `for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; done 2>/dev/null; cat /proc/1/environ | wc -c`,
          { env: { OWN: 'own-value' } },
        ),
      )
      expect(printed(ended)).not.toMatch(/DATABASE_URL|COHEREX_DATA|CANARY|postgres:/)
      expect(printed(ended)).not.toContain(canaries.filePath)
    },
    async control({ run }) {
      expect(
        printed(
          await run(
            bash(`sleep 1 & tr '\\0' '\\n' < /proc/$!/environ; tr '\\0' '\\n' < /proc/$$/environ`, {
              env: { OWN: 'own-value' },
            }),
          ),
        ),
      ).toContain('OWN=own-value')
    },
  },
  {
    id: 'P02-b',
    title: 'pids, limits, cgroups, mounts and the root of pid 1 tell nothing of the host',
    async attack({ run, server }) {
      const ended = await run(
        python(`import os, glob
for path in ['/proc/1/cwd', '/proc/1/root', '/proc/1/exe']:
    try: print(path, os.readlink(path), os.listdir(path)[:50] if path != '/proc/1/exe' else '')
    except OSError as error: print(path, error.strerror)
for path in ['/proc/1/cgroup', '/proc/self/cgroup', '/proc/cmdline', '/proc/keys', '/proc/1/maps', '/proc/1/stat', '/proc/net/unix', '/proc/net/tcp', '/proc/self/uid_map']:
    try: print(open(path).read())
    except OSError as error: print(path, error.strerror)
print(sorted(p for p in os.listdir('/proc') if p.isdigit()))`),
      )
      const text = printed(ended)
      expect(text).not.toMatch(/coherex-data-|\/work\/|node_modules|BOOT_IMAGE/)
      expect(text).not.toContain(`'${server.pid}'`)
    },
  },
  {
    id: 'P02-c',
    title: 'two runs at the same time have no place to meet',
    async attack({ run, attacker }) {
      const { id } = await attacker(routes.runs.create, {
        query: { wait: 'false' },
        body: python(`${meet}\nprint('here', flush=True)\nimport time\ntime.sleep(300)`, {
          limits: { timeoutMs: 300_000 },
        }),
      })
      await eventually(
        () => attacker(routes.runs.get, { params: { id } }),
        (one) => printed(one) === 'here\n',
        60_000,
      )
      const found = await run(python(look))
      expect((await attacker(routes.runs.cancel, { params: { id } })).status).toBe('cancelled')
      expect(found.result).toEqual([])
    },
    async control({ run }) {
      expect((await run(python(`${meet}\n${look}`))).result).toEqual(['abstract', 'tcp', '/tmp', '/dev/shm'])
    },
  },
  {
    id: 'P04',
    title: 'system calls outside the list are refused',
    async attack({ run }) {
      if (process.arch !== 'x64') return
      const { result } = await run(
        python(
          `${libc}\n{name: call(number, 0, 0, 0, 0, 0, 0) for name, number in ${JSON.stringify(forbidden)}.items()}`,
        ),
      )
      for (const [name, code] of Object.entries(result as Record<string, string>))
        expect([name, code]).toEqual([name, expect.stringMatching(/^(EPERM|ENOSYS)$/)])
    },
    async control({ run }) {
      if (process.arch !== 'x64') return
      expect((await run(python(`${libc}\ncall(39)`))).result).toBe('ok')
    },
  },
  {
    id: 'P04-b',
    title: 'a sweep of all numbers, each in a child of its own, opens nothing',
    async attack({ run }) {
      if (process.arch !== 'x64') return
      const { result, status } = await run(
        python(
          `${libc}
import signal
works = []
for number in list(range(0, 470)) + [0x40000000 + n for n in (0, 39, 57, 101, 165, 321, 520, 521)]:
    child = os.fork()
    if child == 0:
        signal.alarm(1)
        os.close(3)
        os._exit(7 if call(number, 0, 0, 0, 0, 0, 0) == 'ok' else 8)
    _, state = os.waitpid(child, 0)
    if os.WIFEXITED(state) and os.WEXITSTATUS(state) == 7: works.append(number)
works`,
          { limits: { timeoutMs: 120_000 } },
        ),
      )
      expect(status).toBe('succeeded')
      const works = result as number[]
      expect(works).toContain(39)
      expect(
        works.filter((number) => Object.values<number>(forbidden).includes(number) || number >= 0x40000000),
      ).toEqual([])
    },
  },
  {
    id: 'P04-d',
    title: 'a ring of io_uring is refused and leaves a sign; the one that Node asks for leaves none',
    async attack({ run }) {
      if (process.arch !== 'x64' || process.getuid?.() !== 0) return
      const { result, signs } = await run(
        python(`${libc}\n[call(425, 8, 0), call(426, 3, 1, 1, 0, 0, 0), call(427, 3, 0, 0, 0)]`),
      )
      expect(result).toEqual(['EPERM', 'EPERM', 'EPERM'])
      expect(JSON.stringify(signs)).toContain('io_uring_setup, io_uring_enter, io_uring_register')
    },
    async control({ run }) {
      const { signs } = await run({ language: 'node', code: 'await (await import("node:fs/promises")).readdir("/")' })
      expect(signs).toEqual([])
    },
  },
  {
    id: 'P04-c',
    title: 'sockets of odd families, new namespaces by clone and odd ioctls are refused',
    async attack({ run }) {
      const { result } = await run(
        python(`${libc}
import socket, fcntl
out = {}
for name, family, kind, protocol in [('packet', 17, 3, 0), ('netlink', 16, 3, 0), ('vsock', 40, 1, 0), ('alg', 38, 5, 0), ('bluetooth', 31, 3, 1), ('raw', 2, 3, 1), ('raw6', 10, 3, 58), ('xdp', 44, 3, 0), ('tipc', 30, 1, 0), ('can', 29, 3, 1)]:
    try: socket.socket(family, kind, protocol); out[name] = 'made'
    except OSError as error: out[name] = 'refused'
for name, flag in [('user', 0x10000000), ('net', 0x40000000), ('pid', 0x20000000), ('mount', 0x20000), ('ipc', 0x8000000)]:
    child = libc.syscall(ctypes.c_long(56), ctypes.c_long(flag | 17), 0, 0, 0, 0)
    if child == 0: os._exit(0)
    if child > 0: os.waitpid(child, 0)
    out['clone ' + name] = 'made' if child > 0 else 'refused'
out`),
      )
      for (const [name, state] of Object.entries(result as Record<string, string>))
        expect([name, state]).toEqual([name, 'refused'])
    },
  },
  {
    id: 'P05',
    title: 'no descriptor of the host is inherited',
    async attack({ run }) {
      const { result } = await run(
        python(`import os, stat
out = []
for pid in ['self', '1']:
    try: names = os.listdir(f'/proc/{pid}/fd')
    except OSError: continue
    for name in names:
        try: target = os.readlink(f'/proc/{pid}/fd/{name}')
        except OSError: continue
        kind = 'directory' if pid == 'self' and target.startswith('/') and os.path.isdir(target) else 'other'
        out.append([pid, int(name), target, kind])
changed = []
for number in range(0, 256):
    try: os.fchdir(number); changed.append(number)
    except OSError: pass
[out, changed]`),
      )
      const [descriptors, changed] = result as [[string, number, string, string][], number[]]
      expect(changed).toEqual([])
      for (const [pid, , target] of descriptors) {
        if (target.startsWith(`/proc/`)) continue // the listing itself
        expect([pid, target]).toEqual([
          pid,
          expect.stringMatching(/^(pipe:|socket:|anon_inode:|\/memfd:stdin|\/dev\/null)/),
        ])
      }
    },
    async control({ run }) {
      const { result } = await run(
        python(
          `import os\nhere = os.open('.', os.O_RDONLY)\nos.fchdir(here)\n'directory' if os.path.isdir(os.readlink(f'/proc/self/fd/{here}')) else 'no'`,
        ),
      )
      expect(result).toBe('directory')
    },
  },
  {
    id: 'P05-b',
    title: 'whoever speaks on the protocol pipe gains nothing and ends its own run at most',
    async attack({ run }) {
      const send = `import os, struct, time
def send(text):
    body = text if isinstance(text, bytes) else text.encode()
    view = memoryview(struct.pack('>I', len(body)) + body)
    while view: view = view[os.write(3, view):]
`
      for (const code of [
        `os.write(3, b'\\xff' * 100000); time.sleep(2)`,
        `send('not json'); time.sleep(2)`,
        `send('{"type":"start","program":{}}'); time.sleep(2)`,
        `send('{"type":"call","id":1,"capability":"__proto__","method":"constructor","args":[]}'); send('{"type":"call","id":2,"capability":"FILES","method":"toString","args":[]}')`,
        `send('{"type":"file","path":"../../../../etc/x","base64":"eA==","last":true}')`,
        `send('{"type":"link","path":"a","target":"/etc/passwd"}')`,
        `send('{"type":"result","value":' + '[' * 200000 + ']' * 200000 + '}'); send('{"type":"done","exitCode":0,"truncated":false,"filesLeftOut":0}'); time.sleep(2)`,
        `send('{"type":"display","data":{"a":' + '[' * 1000000 + ']' * 1000000 + '}}'); time.sleep(2)`,
        `send('{"type":"call","id":1,"capability":"ECHO","method":"echo","args":' + '[' * 1000000 + ']' * 1000000 + '}'); time.sleep(2)`,
        `send('{"type":"result","value":[' + '[],' * 4000000 + '1]}'); send('{"type":"done","exitCode":0,"truncated":false,"filesLeftOut":0}'); time.sleep(2)`,
        `send('{"type":"error","error":{"kind":"runtime","message":"' + 'x' * 10000000 + '"}}'); send('{"type":"done","exitCode":1,"truncated":false,"filesLeftOut":0}'); time.sleep(2)`,
        `[send('{"type":"started"}') for _ in range(1000)]`,
        `send('{"type":"done","exitCode":0,"truncated":false,"filesLeftOut":0}'); time.sleep(2)`,
        `os.close(3)`,
      ]) {
        const ended = await run(python(send + code, { limits: { timeoutMs: 4000 } }))
        expect(JSON.stringify(ended).length).toBeLessThan(1_000_000)
        expect(ended.files.filter(({ path }) => path.includes('..'))).toEqual([])
      }
    },
  },
  {
    id: 'P07',
    title: 'there is no terminal to type into',
    async attack({ run }) {
      const { result } = await run(
        python(`import fcntl, os
out = []
for number in range(0, 3):
    try: fcntl.ioctl(number, 0x5412, b'x'); out.append('typed')
    except OSError as error: out.append('refused')
for path in ['/dev/tty', '/dev/console', '/dev/pts/0', '/dev/ptmx']:
    try: os.open(path, os.O_RDWR); out.append('opened ' + path)
    except OSError: pass
out`),
      )
      expect(result).toEqual(['refused', 'refused', 'refused'])
    },
    async control({ run }) {
      expect((await run(python(`import fcntl\nfcntl.fcntl(1, fcntl.F_GETFD) >= 0`))).result).toBe(true)
    },
  },
  {
    id: 'P07-b',
    title: 'other ways to push input (TIOCLINUX, a pty of its own) lead nowhere',
    async attack({ run }) {
      const { result } = await run(
        python(`import fcntl, os
out = []
for request in (0x541C, 0x5412, 0x540E):
    for number in range(0, 4):
        try: fcntl.ioctl(number, request, b'\\x03' + b'x' * 8); out.append(hex(request))
        except OSError: pass
try: out.append(str(os.openpty()))
except OSError: pass
out`),
      )
      expect(result).toEqual([])
    },
  },
  {
    id: 'P08',
    title: 'killing everything kills only the run',
    async attack({ run }) {
      const ended = await run(bash('kill -9 -1; kill -9 1; sleep 5', { limits: { timeoutMs: 3000 } }))
      expect(ended.status).toBe('failed')
      expect(['runtime', 'timeout']).toContain(ended.error?.kind)
    },
    async control({ run }) {
      expect(printed(await run(bash('sleep 50 & kill -9 $!; wait $! 2>/dev/null; echo $?')))).toContain('137')
    },
  },
  {
    id: 'P08-b',
    title: 'pid 1, parents and siblings can be neither traced nor read',
    async attack({ run, server }) {
      const { result } = await run(
        python(`${libc}
out = []
for pid in [1, os.getppid(), ${server.pid}]:
    for request in (16, 0x4206): out.append(call(101, request, pid, 0, 0))
    buffer = ctypes.create_string_buffer(64)
    out.append(call(310, pid, 0, 0, 0, 0, 0))
    try: open(f'/proc/{pid}/mem', 'rb').read(1); out.append('read')
    except OSError: pass
try: os.kill(${server.pid}, 0); out.append('seen')
except OSError: pass
sorted(set(out))`),
      )
      expect((result as string[]).filter((one) => !/^(EPERM|ESRCH|ENOSYS)$/.test(one))).toEqual([])
    },
  },
  {
    id: 'P08-d',
    title: 'limits of pid 1 and of the driver cannot be set, and the run is judged as ever',
    async attack({ run }) {
      const ended = await run(
        bash(
          'for p in /proc/[0-9]*; do for l in cpu nofile fsize; do prlimit --pid ${p#/proc/} --$l=0:0 2>/dev/null && echo limited; done; done; echo end; exit 3',
        ),
      )
      expect(printed(ended)).not.toContain('limited')
      expect(ended).toMatchObject({ status: 'failed', error: { kind: 'runtime' } })
    },
    async control({ run }) {
      expect(printed(await run(bash('ulimit -n 64; ulimit -n')))).toContain('64')
    },
  },
  {
    id: 'P08-c',
    title: 'a run that stops, traps or renames its driver still ends in time',
    async attack({ run }) {
      const ended = await Promise.all(
        [
          bash('kill -STOP $PPID; kill -STOP 1; sleep 5', { limits: { timeoutMs: 800 } }),
          bash("trap '' TERM HUP INT QUIT; while :; do :; done", { limits: { timeoutMs: 800 } }),
          python(
            'import signal, os\nfor s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass',
            { limits: { timeoutMs: 800 } },
          ),
          python('import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)', { limits: { timeoutMs: 800 } }),
        ].map(run),
      )
      expect(ended.map(({ status }) => status)).toEqual(Array(4).fill('failed'))
    },
  },
  {
    id: 'P10',
    title: 'no capability, no new privilege, no effect of setuid',
    async attack({ run }) {
      const text = printed(
        await run(
          bash(`grep -E 'NoNewPrivs|Cap(Eff|Bnd|Prm|Amb|Inh)|Seccomp:' /proc/self/status; id -u; (su -c id root; newuidmap $$ 0 0 1; sudo -n id; mount) </dev/null 2>&1 | grep -c uid=0
for f in $(find / -xdev -perm -4000 2>/dev/null | head -5); do echo x | timeout 1 $f --version >/dev/null 2>&1; grep -q . /dev/null; done; id -u`),
        ),
      )
      expect(text).toMatch(/NoNewPrivs:\s+1/)
      expect(text).toMatch(/Seccomp:\s+2/)
      for (const name of ['Eff', 'Bnd', 'Prm', 'Amb', 'Inh']) expect(text).toMatch(new RegExp(`Cap${name}:\\s+0{16}`))
      expect(text.trim().split('\n').slice(-3)).toEqual(['1000', '0', '1000'])
    },
    async control({ run }) {
      expect(printed(await run(bash('id -u')))).toBe('1000\n')
    },
  },
  {
    id: 'P10-b',
    title: 'ids, groups and capabilities cannot be changed by system calls',
    async attack({ run }) {
      const { result } = await run(
        python(`import os, ctypes
out = []
for name, act in {'setuid': lambda: os.setuid(0), 'setgid': lambda: os.setgid(0), 'setgroups': lambda: os.setgroups([0]), 'setresuid': lambda: os.setresuid(0, 0, 0), 'chown': lambda: (open('a', 'w').close(), os.chown('a', 0, 0)), 'setuid file': lambda: (open('b', 'w').close(), os.chmod('b', 0o4755), os.stat('b').st_uid == 0 or (_ for _ in ()).throw(OSError()))}.items():
    try: act(); out.append(name)
    except OSError: pass
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(47, 2, 12, 0, 0) == 0: out.append('ambient')
if libc.prctl(38, 0, 0, 0, 0) == 0: out.append('privileges again')
out`),
      )
      expect(result).toEqual([])
    },
  },
  {
    id: 'P11',
    title: 'devices are the harmless five, and no more can be made',
    async attack({ run }) {
      const ended = await run(
        bash(
          `mknod b b 8 0 2>/dev/null && echo made; mknod c c 1 1 2>/dev/null && echo made; for f in /dev/kmsg /dev/mem /dev/fuse /dev/kvm /dev/sda /dev/loop0 /dev/net/tun /sys/kernel /sys/class; do test -r $f && echo "readable $f"; done; ls /dev | sort | tr '\\n' ' '`,
        ),
      )
      expect(printed(ended).trim()).toMatch(/^(fd |full |null |random |shm |stderr |stdin |stdout |urandom |zero ?)+$/)
    },
    async control({ run }) {
      expect(printed(await run(bash('test -r /dev/null && test -w /dev/null && head -c 4 /dev/zero | wc -c')))).toBe(
        '4\n',
      )
    },
  },
  {
    id: 'P11-b',
    title: 'memory of the kernel is not to be had through /proc',
    async attack({ run }) {
      const ended = await run(
        bash(
          `for f in /proc/kcore /proc/kmsg /proc/kallsyms /proc/kpagecount /proc/slabinfo /proc/timer_list /proc/iomem /proc/vmallocinfo; do n=$(head -c 100 $f 2>/dev/null | tr -d '\\0' | grep -cv '^0* '); test "$n" -gt 0 && echo "$f $n"; done; dmesg 2>/dev/null | head -1; mkfifo p && echo fifo`,
        ),
      )
      expect(printed(ended).replace(/^\/proc\/(iomem|vmallocinfo|slabinfo|timer_list).*\n/gm, '')).toBe('fifo\n')
    },
  },
  {
    id: 'P13',
    title: 'there is no bridge from Python to a JavaScript host',
    async attack({ run }) {
      const { result } = await run(
        python(`import importlib
out = []
for name in ['js', 'pyodide', 'pyodide_js', 'pyodide.ffi', '_pyodide', 'micropip']:
    try: importlib.import_module(name); out.append(name)
    except ImportError: pass
out`),
      )
      expect(result).toEqual([])
    },
    async control({ run }) {
      expect((await run(python(`import importlib\nimportlib.import_module('json').__name__`))).result).toBe('json')
    },
  },
  {
    id: 'P13-b',
    title: 'Node’s own internals, reached from a Node program, end at the sandbox',
    async attack({ run, canaries }) {
      const { result } = await run({
        language: 'node',
        code: `import { createRequire } from 'node:module'
import cp from 'node:child_process'
const require = createRequire(import.meta.url)
const out = []
for (const act of [() => require('fs').readFileSync(${JSON.stringify(canaries.filePath)}, 'utf8'), () => cp.execSync('cat ${canaries.filePath} 2>&1 || true').toString(), () => process.binding('fs') && 'binding', () => JSON.stringify(process.env), () => process.mainModule?.paths, () => require('internal/bootstrap/realm') && 'internals'])
  { try { out.push(String(act())) } catch (error) { out.push('refused') } }
export default () => out`,
      })
      expect((result as string[])[0]).toBe('refused')
      expect((result as string[])[1]).toMatch(/No such file/)
    },
  },
  {
    id: 'P14',
    title: 'daemons die with their run',
    async attack({ run }) {
      const marker = `71${process.pid}4`
      const ended = await run(
        bash(
          `setsid nohup sleep ${marker} >/dev/null 2>&1 & disown; (trap '' TERM HUP; (setsid sleep ${marker} &) &) ; sleep 0.1; echo started`,
        ),
      )
      expect(printed(ended)).toContain('started')
      await eventually(
        () => findProcesses(marker),
        (found) => found.length === 0,
        15_000,
      )
      expect(
        printed(await run(bash('ls /proc | grep -c "^[0-9]"; cat /proc/[0-9]*/cmdline | tr "\\0" " "'))),
      ).not.toContain(marker)
    },
    async control({ attacker }) {
      const marker = `72${process.pid}4`
      const { id } = await attacker(routes.runs.create, {
        query: { wait: 'false' },
        body: bash(`sleep ${marker}`, { limits: { timeoutMs: 120_000 } }),
      })
      // it sleeps until it has been seen
      await eventually(
        () => findProcesses(marker),
        (found) => found.length > 0,
        60_000,
      )
      expect((await attacker(routes.runs.cancel, { params: { id } })).status).toBe('cancelled')
    },
  },
  {
    id: 'P14-b',
    title: 'a fork bomb, a chain of double forks and threads that fork all end',
    async attack({ run }) {
      const marker = `73${process.pid}4`
      for (const request of [
        bash(`b() { b | b & }; b; sleep ${marker}`, { limits: { timeoutMs: 1500 } }),
        python(
          `import os, time\nfor _ in range(1000):\n    try:\n        if os.fork() == 0:\n            os.setsid()\n            if os.fork() == 0: time.sleep(${marker})\n            os._exit(0)\n    except OSError: pass`,
          { limits: { timeoutMs: 3000 } },
        ),
        python(
          `import threading, subprocess\nfor _ in range(100):\n    try: threading.Thread(target=lambda: subprocess.Popen(['sleep', '${marker}']), daemon=True).start()\n    except Exception: pass`,
          { limits: { timeoutMs: 3000 } },
        ),
      ])
        await run(request)
      await eventually(
        () => findProcesses(marker),
        (found) => found.length === 0,
        15_000,
      )
    },
  },
]
