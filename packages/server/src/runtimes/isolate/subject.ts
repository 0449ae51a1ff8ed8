// For tests: an isolate runtime on this machine's real sandboxes, and what is left of it afterwards.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLauncher, type Launched, type Launcher } from '../launch/index.ts'
import { BundleStore } from '../packages/bundle-store.ts'
import type { Subject } from '../runtime.contract.ts'
import { type IsolateOptions, IsolateRuntime } from './isolate-runtime.ts'
import { TypeChecker } from './typecheck/check-types.ts'

export interface IsolateSubject extends Subject {
  runtime: IsolateRuntime
  /** How many sandboxes it has started so far. */
  launches(): number
}

// bundles of packages survive between test files; everything else is the test's own
const cacheDir = join(tmpdir(), 'coherex-isolate-test-cache')
const bundles = new BundleStore(cacheDir)

// launchers of one process share a control group, so the subjects of one test file share a launcher
let shared: { launcher: Promise<Launcher>; directory: string; users: number } | undefined

function borrowLauncher() {
  if (!shared) {
    const directory = mkdtempSync(join(tmpdir(), 'coherex-isolate-'))
    // mkdtemp keeps it to the owner, and the sandbox's user is another
    chmodSync(directory, 0o755)
    shared = { launcher: createLauncher({ stateDir: join(directory, 'state') }), directory, users: 0 }
  }
  shared.users++
  return shared
}

async function returnLauncher(): Promise<void> {
  if (!shared || --shared.users > 0) return
  const { launcher, directory } = shared
  shared = undefined
  await (await launcher).close()
  rmSync(directory, { recursive: true, force: true })
}

export async function openIsolate(
  options: Partial<IsolateOptions> = {},
  toArguments = (argv: string[]) => argv,
): Promise<IsolateSubject> {
  const { launcher: borrowed, directory } = borrowLauncher()
  const launcher = await borrowed
  const unavailable = launcher.unavailable()
  if (unavailable) throw new Error(unavailable)
  const launched: Launched[] = []
  const recording: Launcher = {
    ...launcher,
    async launch(spec) {
      const sandbox = await launcher.launch({ ...spec, argv: toArguments(spec.argv) })
      launched.push(sandbox)
      return sandbox
    },
  }
  const types = new TypeChecker({ launcher: recording, cacheDir })
  const runtime = new IsolateRuntime({
    launcher: recording,
    cacheDir,
    bundles,
    types,
    spares: 1,
    maxChildren: 6,
    ...options,
  })
  return {
    runtime,
    async close() {
      await runtime.close()
      await returnLauncher()
    },
    leftovers: () => [
      ...launched.filter(({ pid }) => existsSync(`/proc/${pid}`)).map(({ pid }) => `process ${pid}`),
      ...(shared?.directory === directory || !existsSync(directory) ? [] : readdirSync(directory)),
    ],
    launches: () => launched.length,
  }
}
