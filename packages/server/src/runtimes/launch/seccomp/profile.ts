import { assembleFilter, type Machine, type Rule, type Verdict } from './assemble.ts'
import { type Syscall, syscalls } from './syscalls.ts'

/**
 * `guest` runs programs that start programs; `ahead` is a guest whose driver limits a process that it started before it knew the run;
 * `isolate` is one Node process that needs neither processes nor sockets.
 */
export type Profile = 'guest' | 'ahead' | 'isolate'

// Python, Bash, Node and numpy need these. What is not listed is refused, so a new kernel adds nothing by itself.
const always = `
  read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close close_range
  stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 poll ppoll select pselect6
  epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd signalfd4
  timerfd_create timerfd_settime timerfd_gettime pipe pipe2 dup dup2 dup3 fcntl flock fsync fdatasync sync_file_range
  truncate ftruncate fallocate fadvise64 getdents getdents64 getcwd chdir fchdir rename renameat renameat2
  mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat readlink readlinkat
  chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime utimes futimesat utimensat
  lseek readahead splice tee copy_file_range sendfile getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
  inotify_init inotify_init1 inotify_add_watch inotify_rm_watch
  mmap munmap mprotect mremap brk madvise msync mincore mlock mlock2 munlock mlockall munlockall memfd_create membarrier
  pkey_alloc pkey_free pkey_mprotect
  rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo
  sigaltstack restart_syscall pause alarm getitimer setitimer nanosleep clock_nanosleep clock_gettime clock_getres
  gettimeofday time times getrusage timer_create timer_settime timer_gettime timer_getoverrun timer_delete
  execve execveat exit exit_group wait4 waitid set_tid_address set_robust_list get_robust_list futex futex_waitv rseq
  arch_prctl prctl getrlimit setrlimit getpriority
  sched_yield sched_getaffinity sched_getscheduler sched_getparam
  sched_get_priority_max sched_get_priority_min sched_rr_get_interval sched_getattr
  getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups
  setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid capget
  getpgid getpgrp getsid setpgid setsid kill tkill tgkill pidfd_open pidfd_send_signal uname sysinfo getrandom getcpu
  landlock_create_ruleset landlock_add_rule landlock_restrict_self`

const sockets = `
  socketpair connect accept accept4 bind listen sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown
  getsockname getpeername setsockopt getsockopt`

const notPermitted = { errno: 1 }
const notImplemented = { errno: 38 }

const families = { unix: 1, inet: 2, inet6: 10 }
/** Asked for by everything that lists the machine's addresses. */
const netlink = 16
/** mount, cgroup, uts, ipc, user, pid and net namespaces; time is not reachable through clone(). */
const namespaceFlags = 0x7e020000
const sharesMemoryAsThread = 0x00010000
const terminalInjection = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c, TIOCCONS: 0x541d, TIOCSETD: 0x5423 }
const fileTypes = { mask: 0o170000, none: 0, fifo: 0o010000, regular: 0o100000, socket: 0o140000 }

// what libuv, and so Node, asks of io_uring_setup() at every start: without a ring the other two calls have nothing to work on
const libuvEntries = 256

// refused like all that is not listed, but no honest program makes them in passing: each begins a known way out of a sandbox
const telling = `
  io_uring_enter io_uring_register
  ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp bpf perf_event_open userfaultfd
  keyctl add_key request_key
  unshare setns mount umount2 pivot_root chroot fsopen fsmount move_mount open_tree mount_setattr open_by_handle_at
  init_module finit_module delete_module kexec_load kexec_file_load
  swapon swapoff reboot settimeofday clock_settime sethostname setdomainname acct`

/** Of those who share a user id the first process of a sandbox is another: its limits, cores and priority are not the guest's to set. */
const firstProcess = 1
const itself = 0

const shared: Rule[] = [
  ...all(always, 'allow'),
  ...all(telling, 'tell'),
  {
    syscall: 'io_uring_setup',
    look: { argument: 0, cases: [{ anyOf: [libuvEntries], verdict: notPermitted }] },
    verdict: 'tell',
  },
  // threads are named by numbers of their own, so that of the others only the first is known
  notOfFirst('sched_setaffinity', 0),
  notOfFirst('sched_setscheduler', 0),
  notOfFirst('sched_setparam', 0),
  notOfFirst('setpriority', 1),
  // glibc falls back to clone(), whose flags can be read here; those of clone3() lie behind a pointer
  { syscall: 'clone3', verdict: notImplemented },
  {
    syscall: 'ioctl',
    look: { argument: 1, cases: [{ anyOf: Object.values(terminalInjection), verdict: 'tell' }] },
    verdict: 'allow',
  },
  // 0 is plain Linux, 0xffffffff only asks
  {
    syscall: 'personality',
    look: { argument: 0, cases: [{ anyOf: [0, 0xffffffff], verdict: 'allow' }] },
    verdict: notPermitted,
  },
]

// who may set limits of other processes could end the driver by them, and with it the run's verdict
const limitsOfItself: Rule = {
  syscall: 'prlimit64',
  look: { argument: 0, cases: [{ anyOf: [itself], verdict: 'allow' }] },
  verdict: notPermitted,
}

const common: Rule[] = [
  ...shared,
  ...all(sockets, 'allow'),
  ...all('fork vfork', 'allow'),
  {
    syscall: 'clone',
    look: { argument: 0, mask: namespaceFlags, cases: [{ anyOf: [0], verdict: 'allow' }] },
    verdict: 'tell',
  },
  // no netlink, packet, vsock, alg or any other family: each is a kernel subsystem of its own
  {
    syscall: 'socket',
    look: {
      argument: 0,
      cases: [
        { anyOf: Object.values(families), verdict: 'allow' },
        { anyOf: [netlink], verdict: notPermitted },
      ],
    },
    verdict: 'tell',
  },
  deviceFree('mknod', 1),
  deviceFree('mknodat', 2),
]

const guest: Rule[] = [...common, limitsOfItself]
const ahead: Rule[] = [...common, notOfFirst('prlimit64', 0)]

const isolate: Rule[] = [
  ...shared,
  limitsOfItself,
  {
    syscall: 'clone',
    look: {
      argument: 0,
      mask: namespaceFlags | sharesMemoryAsThread,
      cases: [{ anyOf: [sharesMemoryAsThread], verdict: 'allow' }],
    },
    verdict: 'tell',
  },
  ...all('fork vfork socket connect bind listen accept accept4', 'tell'),
  ...all('recvmsg sendmsg shutdown getsockname getpeername setsockopt getsockopt', 'allow'),
]

/**
 * The filter as bwrap's --seccomp reads it. With `isHeard` there is somebody whom the kernel tells of the telling calls and who refuses them.
 * Where nobody listens, those of a guest fail, and those of an isolate end it: JavaScript cannot make one, so somebody else runs there.
 */
export function seccompFilter(profile: Profile, machine: Machine, { isHeard = false } = {}): Buffer {
  if (profile === 'isolate') return assembleFilter(machine, withoutListener(isolate, 'kill'), notPermitted)
  const rules = profile === 'ahead' ? ahead : guest
  return assembleFilter(machine, isHeard ? rules : withoutListener(rules, notPermitted), notPermitted)
}

/** The name of a call by its number, for whoever is told of it. */
export function syscallName(number: number, machine: Machine): string {
  const at = machine === 'x64' ? 0 : 1
  return Object.entries(syscalls).find(([, numbers]) => numbers[at] === number)?.[0] ?? `call ${number}`
}

function withoutListener(rules: Rule[], instead: Verdict): Rule[] {
  const quiet = (verdict: Verdict) => (verdict === 'tell' ? instead : verdict)
  return rules.map(({ look, verdict, ...rule }) => {
    const cases = look?.cases.map(({ anyOf, verdict }) => ({ anyOf, verdict: quiet(verdict) }))
    return { ...rule, ...(look && cases && { look: { ...look, cases } }), verdict: quiet(verdict) }
  })
}

function all(names: string, verdict: Verdict): Rule[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ syscall: name as Syscall, verdict }))
}

function notOfFirst(syscall: Syscall, argument: 0 | 1): Rule {
  return { syscall, look: { argument, cases: [{ anyOf: [firstProcess], verdict: notPermitted }] }, verdict: 'allow' }
}

function deviceFree(syscall: Syscall, argument: 1 | 2): Rule {
  const { mask, ...types } = fileTypes
  return {
    syscall,
    look: { argument, mask, cases: [{ anyOf: Object.values(types), verdict: 'allow' }] },
    verdict: 'tell',
  }
}
