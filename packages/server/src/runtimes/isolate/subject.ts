// For tests: an isolate runtime on this machine's real sandboxes, and what is left of it afterwards.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLauncher } from '../launch/index.ts'
import type { Subject } from '../runtime.contract.ts'
import { type IsolateOptions, IsolateRuntime } from './isolate-runtime.ts'

export interface IsolateSubject extends Subject {
  runtime: IsolateRuntime
  directory: string
}

// bundles of packages survive between test files; everything else is the test's own
const cacheDir = join(tmpdir(), 'coherex-isolate-test-cache')

export async function openIsolate(options: Partial<IsolateOptions> = {}): Promise<IsolateSubject> {
  const directory = mkdtempSync(join(tmpdir(), 'coherex-isolate-'))
  // mkdtemp keeps it to the owner, and the sandbox's user is another
  chmodSync(directory, 0o755)
  const launcher = await createLauncher({ stateDir: join(directory, 'state') })
  const unavailable = launcher.unavailable()
  if (unavailable) throw new Error(unavailable)
  const before = new Set(sandboxes())
  const runtime = new IsolateRuntime({ launcher, cacheDir, spares: 1, maxChildren: 6, ...options })
  return {
    runtime,
    directory,
    async close() {
      await runtime.close()
      await launcher.close()
      rmSync(directory, { recursive: true, force: true })
    },
    leftovers: () => [
      ...sandboxes().filter((pid) => !before.has(pid) && isOwn(pid)),
      ...(existsSync(directory) ? readdirSync(directory) : []),
    ],
  }
}

/** Pids of every process that runs a child of this runtime, in whatever sandbox. */
export function sandboxes(): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).startsWith('/app/node\0'),
  )
}

// other test files have children of their own: a child of ours has this process among its ancestors
function isOwn(pid: string): boolean {
  for (let at = pid; at !== '0' && at !== '';) {
    if (Number(at) === process.pid) return true
    const stat = read(`/proc/${at}/stat`)
    at = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
  }
  return false
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
