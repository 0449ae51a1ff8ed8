import { existsSync } from 'node:fs'
import { guestUser, systemDirectories } from './guest-root.ts'
import type { LaunchSpec } from './launcher.ts'

// bwrap's two processes and prlimit count as well
export const ownProcesses = 3

const devices = ['null', 'zero', 'full', 'random', 'urandom']

// what a plain user may read of the kernel and has no use for; each costs a mount, so only those that tell something
const hidden = ['cmdline', 'kallsyms', 'keys', 'key-users']

/** Everything of bwrap that shapes the sandbox. Passed by descriptor, because pid 1's command line is readable inside. */
export function bwrapOptions(spec: LaunchSpec, paths: { etc: string; stage: string }): string[] {
  const bindHome = spec.readOnly ? '--ro-bind' : '--bind'
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ...['--disable-userns', '--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ...(spec.isFirst ? ['--as-pid-1'] : []),
    ...['--uid', String(guestUser.uid), '--gid', String(guestUser.gid), '--hostname', 'sandbox'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', paths.etc, '/etc'],
    ...systemDirectories().flatMap(({ path, link }) => (link ? ['--symlink', link, path] : ['--ro-bind', path, path])),
    ...(spec.links ?? []).flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--proc', '/proc'],
    ...hidden.flatMap((name) => (existsSync(`/proc/${name}`) ? ['--ro-bind', '/dev/null', `/proc/${name}`] : [])),
    ...['--dir', '/dev', ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`])],
    ...['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
    ...['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
    ...(spec.hasTerminals ? terminals(paths.stage) : []),
    // shared memory files count as disk
    ...['--symlink', '/tmp', '/dev/shm', '--symlink', '/tmp', '/var/tmp'],
    ...[bindHome, `${paths.stage}/home`, spec.home, bindHome, `${paths.stage}/tmp`, '/tmp'],
    ...spec.binds.flatMap(({ host, guest }) => ['--ro-bind', host, guest]),
    ...['--remount-ro', '/proc', '--remount-ro', '/', '--chdir', spec.home, '--clearenv'],
    ...Object.entries(spec.env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

// the sandbox's own terminals, mounted by enter.sh: /dev/tty is whichever of them controls the caller
function terminals(stage: string): string[] {
  return [
    ...['--dev-bind', `${stage}/pts`, '/dev/pts', '--symlink', 'pts/ptmx', '/dev/ptmx'],
    ...['--dev-bind', '/dev/tty', '/dev/tty'],
  ]
}

/** The program behind the limits that only bind from inside: the user namespace has to exist first. */
export function limitedCommand({ argv, limits }: LaunchSpec): string[] {
  // a little over the disk, so that a full disk says so before this limit ends the process
  const fileBytes = (limits.diskMb + 1) * 1024 * 1024
  const processes = limits.processes + ownProcesses
  return [
    ...[
      '/usr/bin/prlimit',
      '--core=0:0',
      `--nofile=${limits.openFiles}:${limits.openFiles}`,
      `--fsize=${fileBytes}:${fileBytes}`,
    ],
    ...['--memlock=65536:65536', '--msgqueue=0:0', '--sigpending=1024:1024', `--nproc=${processes}:${processes}`],
    ...(limits.cpuSeconds === undefined ? [] : [`--cpu=${limits.cpuSeconds}:${limits.cpuSeconds}`]),
    '--',
    ...argv,
  ]
}
