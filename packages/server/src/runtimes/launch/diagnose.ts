import { existsSync, readFileSync } from 'node:fs'

/** What an operator can do about a sandbox that did not start, from what the tools said and the kernel's switches. */
export function diagnose(stderr: string): string {
  if (setting('/proc/sys/user/max_user_namespaces') === '0') {
    return 'user namespaces are switched off; run: sysctl -w user.max_user_namespaces=28633'
  }
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    return 'unprivileged user namespaces are switched off; run: sysctl -w kernel.unprivileged_userns_clone=1'
  }
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return 'AppArmor restricts user namespaces; run: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
  }
  if (isContainer()) {
    if (/proc/.test(stderr)) {
      return 'this container masks /proc, so no sandbox can mount its own; start it with --security-opt systempaths=unconfined'
    }
    return 'this container forbids namespaces; start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined'
  }
  return `the sandbox did not start (${firstLine(stderr) || 'no message'})`
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}

function setting(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 200) ?? ''
}
