// bubblewrap around a command, with nothing of ours: what our own sandboxes are compared with.
import { spawn } from 'node:child_process'
import { findBasePython } from '../packages/server/src/runtimes/index.ts'

const { site } = await findBasePython()

const options = [
  '--unshare-all --die-with-parent --new-session',
  '--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64',
  // where Debian's numerical libraries are chosen
  '--ro-bind-try /etc/alternatives /etc/alternatives',
  '--proc /proc --dev /dev --tmpfs /tmp',
  // the packages that our own Python has
  ...(site ? [`--ro-bind ${site} /opt/base --setenv PYTHONPATH /opt/base`] : []),
].flatMap((line) => line.split(' '))

export function runBareSandbox(argv: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const user = process.getuid?.() === 0 ? { uid: 0x70000fff, gid: 0x70000fff } : {}
    const child = spawn('/usr/bin/bwrap', [...options, ...argv], {
      ...user,
      env: {},
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout?.resume()
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`bwrap exited with ${code}`))))
  })
}
