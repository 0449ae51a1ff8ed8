import { expect, test } from 'vitest'
import type { Machine } from './assemble.ts'
import { type Profile, seccompFilter, syscallName } from './profile.ts'
import { type Syscall, syscalls } from './syscalls.ts'

const machines = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const allow = 0x7fff0000
const told = 0x7fc00000
const kill = 0x80000000
const errno = (number: number) => 0x00050000 | number
const EPERM = 1
const ENOSYS = 38

/** The kernel's classic BPF machine, as far as filters here use it. */
function evaluate(filter: Buffer, call: { number: number; machine: number; args?: number[] }): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.machine >>> 0, 4)
  call.args?.forEach((arg, index) => data.writeBigUInt64LE(BigInt(arg), 16 + index * 8))
  let accumulator = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, yes, no] = [filter.readUInt16LE(at * 8), filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x20) accumulator = data.readUInt32LE(value)
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0
    else if (code === 0x15) at += accumulator === value ? yes : no
    else if (code === 0x35) at += accumulator >= value ? yes : no
    else if (code === 0x25) at += accumulator > value ? yes : no
    else if (code === 0x06) return value
    else throw new Error(`Unknown instruction ${code}`)
  }
  throw new Error('The filter has no end')
}

function verdict(
  name: Syscall,
  args: number[] = [],
  profile: Profile = 'guest',
  machine: Machine = 'x64',
  isHeard = false,
): number | null {
  const number = syscalls[name][machine === 'x64' ? 0 : 1]
  if (number === null) return null
  return evaluate(seccompFilter(profile, machine, { isHeard }), { number, machine: machines[machine], args })
}

const forbidden: Syscall[] = [
  ...(['bpf', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'keyctl', 'add_key', 'request_key'] as const),
  ...(['userfaultfd', 'perf_event_open', 'ptrace', 'kexec_load', 'kexec_file_load', 'mount', 'umount2'] as const),
  ...(['pivot_root', 'chroot', 'unshare', 'setns', 'open_by_handle_at', 'name_to_handle_at'] as const),
  ...([
    'process_vm_readv',
    'process_vm_writev',
    'pidfd_getfd',
    'init_module',
    'finit_module',
    'delete_module',
  ] as const),
  ...(['fsopen', 'fsmount', 'move_mount', 'open_tree', 'mount_setattr', 'fanotify_init', 'vmsplice'] as const),
  ...(['quotactl', 'swapon', 'swapoff', 'reboot', 'settimeofday', 'clock_settime', 'sethostname'] as const),
  ...(['acct', 'syslog', 'kcmp', 'seccomp', 'process_madvise', 'shmget', 'msgget', 'semget', 'mq_open'] as const),
]

test.each(['x64', 'arm64'] as const)(
  '[launcher.4] on %s both profiles refuse what leads out of a sandbox',
  (machine) => {
    for (const name of forbidden) {
      expect([name, verdict(name, [0, 0, 0], 'guest', machine) ?? errno(EPERM)]).toEqual([name, errno(EPERM)])
      expect([errno(EPERM), kill]).toContain(verdict(name, [0, 0, 0], 'isolate', machine) ?? kill)
    }
  },
)

test.each(['x64', 'arm64'] as const)('[launcher.4] on %s ordinary calls pass', (machine) => {
  for (const name of ['read', 'openat', 'mmap', 'execve', 'futex', 'getrandom', 'statx', 'pidfd_open'] as const) {
    expect([name, verdict(name, [], 'guest', machine)]).toEqual([name, allow])
  }
})

test('[launcher.4] what nobody listed is refused, new calls of a newer kernel included', () => {
  const filter = seccompFilter('guest', 'x64')
  const listed = new Set<number | null>(Object.values(syscalls).map(([x64]) => x64))
  for (let number = 0; number < 1000; number++) {
    if (!listed.has(number)) expect(evaluate(filter, { number, machine: machines.x64 })).toBe(errno(EPERM))
  }
})

test('[launcher.4] calls through another table end the process', () => {
  const filter = seccompFilter('guest', 'x64')
  expect(evaluate(filter, { number: 1, machine: 0x40000003 })).toBe(kill)
  expect(evaluate(filter, { number: 0x40000001, machine: machines.x64 })).toBe(kill)
  expect(evaluate(seccompFilter('guest', 'arm64'), { number: 63, machine: 0x40000028 })).toBe(kill)
})

test('[launcher.4] clone() makes processes and threads, never namespaces; clone3() is as if it were not there', () => {
  const [newNet, newUser, newNs, threadFlags, sigchld] = [0x40000000, 0x10000000, 0x20000, 0x3d0f00, 17]
  expect(verdict('clone', [sigchld])).toBe(allow)
  expect(verdict('clone', [threadFlags])).toBe(allow)
  for (const flag of [newNet, newUser, newNs]) expect(verdict('clone', [flag | sigchld])).toBe(errno(EPERM))
  expect(verdict('clone3')).toBe(errno(ENOSYS))
})

test.each(['x64', 'arm64'] as const)('[launcher.4] on %s a guest limits itself and nobody else', (machine) => {
  for (const profile of ['guest', 'isolate'] as const) {
    expect(verdict('prlimit64', [0, 7], profile, machine)).toBe(allow)
    for (const pid of [1, 2, 7, 0xffff_ffff]) {
      expect([pid, verdict('prlimit64', [pid, 7], profile, machine)]).toEqual([pid, errno(EPERM)])
    }
    for (const name of ['sched_setaffinity', 'sched_setscheduler', 'sched_setparam'] as const) {
      expect(verdict(name, [1], profile, machine)).toBe(errno(EPERM))
      for (const id of [0, 2, 4711]) expect(verdict(name, [id], profile, machine)).toBe(allow)
    }
    expect(verdict('setpriority', [0, 1], profile, machine)).toBe(errno(EPERM))
    expect(verdict('setpriority', [0, 0], profile, machine)).toBe(allow)
  }
  // the driver limits what it started before it knew the run
  expect(verdict('prlimit64', [7, 7], 'ahead', machine)).toBe(allow)
  expect(verdict('prlimit64', [1, 7], 'ahead', machine)).toBe(errno(EPERM))
})

test('[launcher.4] only unix and internet sockets can be made', () => {
  for (const family of [1, 2, 10]) expect(verdict('socket', [family, 1, 0])).toBe(allow)
  // netlink, packet, alg, vsock, bluetooth, can, x25, and whatever else there is
  for (const family of [16, 17, 38, 40, 31, 29, 9, 0, 45]) expect(verdict('socket', [family, 1, 0])).toBe(errno(EPERM))
})

test('[launcher.4] a look at an argument sees the low half, as the kernel does', () => {
  // high bits that the kernel ignores must not hide TIOCSTI
  expect(verdict('ioctl', [0, 0x5412])).toBe(errno(EPERM))
  expect(verdict('ioctl', [0, 0x1_0000_5412])).toBe(errno(EPERM))
  expect(verdict('ioctl', [0, 0x5401])).toBe(allow)
})

test('[launcher.4] mknod makes pipes and files, never devices', () => {
  expect(verdict('mknodat', [0, 0, 0o010644])).toBe(allow)
  expect(verdict('mknodat', [0, 0, 0o060644])).toBe(errno(EPERM))
  expect(verdict('mknodat', [0, 0, 0o020644])).toBe(errno(EPERM))
})

test.each(['x64', 'arm64'] as const)(
  '[zygote.6] on %s a filter that is heard tells of what begins a way out, and else decides the same',
  (machine) => {
    const calls: [Syscall, number[]][] = [
      ...Object.keys(syscalls).map((name): [Syscall, number[]] => [name as Syscall, [1, 1, 1]]),
      ...[0x40000000 | 17, 17, 0x3d0f00].map((flags): [Syscall, number[]] => ['clone', [flags]]),
      ...[1, 2, 10, 16, 17, 38, 40].map((family): [Syscall, number[]] => ['socket', [family, 1, 0]]),
      ...[0x5412, 0x5401].map((request): [Syscall, number[]] => ['ioctl', [0, request]]),
      ...[8, 256].map((entries): [Syscall, number[]] => ['io_uring_setup', [entries]]),
      ...[0o010644, 0o060644].map((mode): [Syscall, number[]] => ['mknodat', [0, 0, mode]]),
    ]
    const heard = calls.flatMap(([name, args]) => {
      const [quiet, loud] = [verdict(name, args, 'guest', machine), verdict(name, args, 'guest', machine, true)]
      // whoever listens refuses as the filter itself would
      if (loud !== told) expect([name, args, loud]).toEqual([name, args, quiet])
      else expect([name, args, quiet]).toEqual([name, args, errno(EPERM)])
      return loud === told ? [`${name} ${args[0]}`] : []
    })
    expect(heard).toEqual(
      expect.arrayContaining(['ptrace 1', 'unshare 1', 'mount 1', 'bpf 1', `clone ${0x40000000 | 17}`]),
    )
    expect(heard).toEqual(expect.arrayContaining(['socket 17', 'socket 38', 'socket 40', 'ioctl 0']))
    // what libraries and tools try in passing
    expect(heard).toEqual(expect.arrayContaining(['io_uring_setup 1', 'io_uring_enter 1', 'io_uring_register 1']))
    for (const name of ['shmget', 'mq_open', 'syslog', 'name_to_handle_at', 'vmsplice', 'io_setup'])
      expect(heard).not.toContain(`${name} 1`)
    expect(heard).not.toContain('socket 16')
    // libuv's own, at every start of Node
    expect(heard).not.toContain('io_uring_setup 256')
  },
)

test('[zygote.6] a call is named by its number', () => {
  expect([syscallName(101, 'x64'), syscallName(117, 'arm64'), syscallName(9999, 'x64')]).toEqual([
    'ptrace',
    'ptrace',
    'call 9999',
  ])
})

test('[launcher.5] an isolate makes threads, and neither processes nor sockets', () => {
  expect(verdict('clone', [0x3d0f00], 'isolate')).toBe(allow)
  expect(verdict('mknod', [1, 1, 0], 'isolate')).toBe(errno(EPERM))
  expect(verdict('io_uring_setup', [256], 'isolate')).toBe(errno(EPERM))
  // no JavaScript can ask for these: whoever does is no longer the engine
  expect(verdict('clone', [17], 'isolate')).toBe(kill)
  for (const name of [
    'io_uring_setup',
    'fork',
    'vfork',
    'socket',
    'connect',
    'bind',
    'ptrace',
    'unshare',
    'mount',
    'bpf',
  ] as const) {
    expect([name, verdict(name, [1, 1, 0], 'isolate')]).toEqual([name, kill])
  }
})
