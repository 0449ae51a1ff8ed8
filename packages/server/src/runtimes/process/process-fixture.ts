import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languageFacts, type OutputLine } from '@coherex/contract'
import type { Capabilities } from '../../capabilities/index.ts'
import { createLauncher } from '../launch/index.ts'
import type { Limits, Outcome, Program, SandboxNetwork } from '../runtime.ts'
import { createProcessRuntime, type ProcessRuntimeOptions } from './process-runtime.ts'

export const defaults: Limits = {
  // the time only ends what hangs: a busy machine takes long for anything
  ...{ timeoutMs: 50_000, cpuMs: 20_000, memoryMb: 256, outputBytes: 1_000_000 },
  ...{ processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 },
}

export interface Ask extends Partial<Omit<Program, 'language' | 'code'>> {
  limits?: Partial<Limits>
  capabilities?: Capabilities
  signal?: AbortSignal
  keep?: string[]
  network?: SandboxNetwork
  onOutput?(line: OutputLine): void
}

export type Told = Outcome & {
  lines: OutputLine[]
  stdout: string
  stderr: string
  displays: Record<string, unknown>[]
}

/** A process runtime on a launcher of its own, for tests. */
export async function createFixture(uidBase: number, options: Partial<ProcessRuntimeOptions> = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), 'coherex-process-'))
  chmodSync(stateDir, 0o755)
  const launcher = await createLauncher({ stateDir, uidBase })
  const runtime = await createProcessRuntime({ launcher, defaults, poolSize: 2, ...options })

  const run = async (language: Program['language'], code: string, ask: Ask = {}): Promise<Told> => {
    const {
      limits,
      capabilities = {},
      signal = new AbortController().signal,
      keep,
      network,
      onOutput,
      ...program
    } = ask
    const lines: OutputLine[] = []
    const outcome = await runtime.run(
      {
        ...{
          language,
          code,
          entry: languageFacts[language].entry,
          files: {},
          env: {},
          packages: [],
          typecheck: false,
          readOnly: false,
        },
        ...program,
      },
      {
        limits: { ...defaults, ...limits },
        ...{ signal, capabilities, domain: 'test', onStart() {} },
        ...(keep && { keep }),
        ...(network && { network }),
        onOutput(line) {
          lines.push(line)
          onOutput?.(line)
        },
      },
    )
    const text = (stream: string) =>
      lines.map((line) => (line.stream === stream && 'text' in line ? line.text : '')).join('')
    const displays = lines.flatMap((line) => (line.stream === 'display' ? [line.data] : []))
    return { ...outcome, lines, stdout: text('stdout'), stderr: text('stderr'), displays }
  }

  return {
    runtime,
    launcher,
    stateDir,
    run,
    python: (code: string, ask?: Ask) => run('python', code, ask),
    bash: (code: string, ask?: Ask) => run('bash', code, ask),
    node: (code: string, ask?: Ask) => run('node', code, ask),
    async close() {
      await runtime.close()
      await launcher.close()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>
