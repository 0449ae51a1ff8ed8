import { installLine, type Finding } from './finding.ts'
import type { Machine } from './machine.ts'

/** The tool that makes sandboxes, and whether the kernel lets it. */
export async function checkSandbox(machine: Machine): Promise<Finding[]> {
  if (machine.platform !== 'linux') {
    const fix = 'run Coherex on Linux, in a virtual machine or a container, to run code on the server'
    return [{ name: 'sandboxes', state: 'missing', found: `none on ${machine.platform}`, fix }]
  }
  const version = await machine.run(['bwrap', '--version'])
  if (version.code !== 0) {
    const fix = installLine(['bubblewrap'], machine.isRoot)
    return [{ name: 'bubblewrap', state: 'missing', found: 'not installed; no code runs on the server', fix }]
  }
  return [
    { name: 'bubblewrap', state: 'ok', found: version.output.replace('bubblewrap ', '') },
    await checkNamespaces(machine),
    await checkCgroups(machine),
  ]
}

const emptySandbox = ['bwrap', '--ro-bind', '/', '/', '--unshare-all', '--die-with-parent']

/** Tries it, because the settings that forbid it differ from system to system; they only explain a failure. */
async function checkNamespaces(machine: Machine): Promise<Finding> {
  const name = 'user namespaces'
  const plain = await machine.run([...emptySandbox, 'true'], { unprivileged: true })
  if (plain.code !== 0)
    return { name, state: 'missing', found: `refused: ${plain.output}`, fix: await whyNoNamespace(machine) }

  const withProc = await machine.run([...emptySandbox, '--proc', '/proc', 'true'], { unprivileged: true })
  if (withProc.code !== 0) {
    const fix = (await isContainer(machine))
      ? 'the container hides parts of /proc: start it with --security-opt systempaths=unconfined'
      : 'parts of /proc are mounted over, which keeps a sandbox from having its own'
    return { name, state: 'missing', found: `a sandbox cannot have its own /proc: ${withProc.output}`, fix }
  }
  return { name, state: 'ok', found: 'a sandbox was created and removed' }
}

async function whyNoNamespace(machine: Machine): Promise<string> {
  const sysctl = (name: string) => machine.read(`/proc/sys/${name.replaceAll('.', '/')}`)
  const set = (setting: string) =>
    `${machine.isRoot ? '' : 'sudo '}sysctl -w ${setting}, and keep it in /etc/sysctl.d/coherex.conf`

  if (await isContainer(machine)) {
    return 'the container forbids it: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined'
  }
  if ((await sysctl('kernel.apparmor_restrict_unprivileged_userns')) === '1') {
    return `Ubuntu restricts it: give bwrap an AppArmor profile with userns, or ${set('kernel.apparmor_restrict_unprivileged_userns=0')}`
  }
  if ((await sysctl('kernel.unprivileged_userns_clone')) === '0') return set('kernel.unprivileged_userns_clone=1')
  if ((await sysctl('user.max_user_namespaces')) === '0') return set('user.max_user_namespaces=15000')
  return 'the kernel forbids it: it needs CONFIG_USER_NS'
}

async function isContainer(machine: Machine): Promise<boolean> {
  return (await machine.exists('/.dockerenv')) || (await machine.exists('/run/.containerenv'))
}

const withoutCgroups = 'memory and processes are bounded by rlimits and a watcher instead'

async function checkCgroups(machine: Machine): Promise<Finding> {
  const name = 'cgroups'
  const controllers = await machine.read('/sys/fs/cgroup/cgroup.controllers')
  // a hybrid system shows v2 without the controllers that v1 holds
  if (controllers?.split(' ').includes('memory')) {
    const own =
      (await machine.read('/proc/self/cgroup'))
        ?.split('\n')
        .find((line) => line.startsWith('0::'))
        ?.slice(3) ?? '/'
    if (await machine.isWritable(`/sys/fs/cgroup${own}`)) return { name, state: 'ok', found: 'version 2' }
    const fix = 'start Coherex with systemd-run --user --scope -p Delegate=yes, or as a service with Delegate=yes'
    return { name, state: 'weak', found: `version 2, not ours to use; ${withoutCgroups}`, fix }
  }
  if ((await machine.isWritable('/sys/fs/cgroup/memory')) && (await machine.isWritable('/sys/fs/cgroup/pids'))) {
    return { name, state: 'ok', found: 'version 1' }
  }
  const fix = machine.isRoot
    ? 'give the container a writable /sys/fs/cgroup'
    : 'start Coherex as root or as a systemd service with Delegate=yes'
  return { name, state: 'weak', found: `none that we may use; ${withoutCgroups}`, fix }
}
