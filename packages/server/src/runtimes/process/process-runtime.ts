import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CoherexError, type RunError } from '@coherex/contract'
import type { TypeChecker } from '../isolate/typecheck/check-types.ts'
import type { Launcher, LaunchSpec } from '../launch/index.ts'
import { setsInside } from '../package-set.ts'
import type { BundleStore } from '../packages/bundle-store.ts'
import type { Limits, Outcome, Program, RunOptions, Runtime } from '../runtime.ts'
import type { SandboxLimits, SandboxSpec } from '../sandbox.ts'
import { compileGuest } from './compile-guest.ts'
import type { GuestCommand } from './guest-command.ts'
import {
  baseInside,
  type BasePython,
  findBasePython,
  ownInside,
  systemPython,
  packagesIn,
} from './languages/base-python.ts'
import { duckDbModules } from './languages/duckdb-modules.ts'
import { findLanguages, withBasePython } from './languages/find-languages.ts'
import { processLanguages } from './languages/languages.ts'
import { NodePackages } from './languages/node-packages.ts'
import { unpackOperatorPackages } from './languages/operator-packages.ts'
import { createLiveSandboxes, type LiveSandbox, type LiveSandboxes } from './live/index.ts'
import { AheadPool } from './pools/ahead-pool.ts'
import { type ReadySandbox, startReadySandbox } from './pools/ready-sandbox.ts'
import { WarmPool } from './pools/warm-pool.ts'
import { isInside } from './produced-files.ts'
import { runInSandbox } from './run-in-sandbox.ts'
import { createPythonZygotes, type PythonZygotes, type PythonZygotesOptions } from './zygotes/python-zygotes.ts'

export interface ProcessRuntimeOptions {
  launcher: Launcher
  /** Sandboxes kept ready. */
  poolSize?: number
  /** Sandboxes that live on: how many are kept ready, the limits those have, and when a Python session is loaded ahead. Left out, none is. */
  live?: { ready: number; limits: SandboxLimits; sessionsAfterMs?: number }
  /** Zygotes that are forked, of a bare Python and of one with the data stack: how many forks are kept ready, and more about them. Left out, there are none. */
  zygotes?: Pick<PythonZygotesOptions, 'ahead' | 'dataAfterMs' | 'availableMb' | 'tuning' | 'setTuning'>
  /** What a run gets that asks for nothing; only such runs are served from the pool. */
  defaults: Limits
  /** The Node that runs `node` programs: the server's own unless told otherwise. */
  nodePath?: string
  /** What runs Python programs, with its packages. Left out, it is the system's with what that has. */
  basePython?: BasePython
  /** A folder of the operator with wheels for Python programs. */
  packagesDir?: string
  /** What JavaScript and TypeScript have in isolates, and so here: packages, and a checker of types. Left out, there are none. */
  bundles?: BundleStore
  types?: TypeChecker
  /** Further programs that guests are shown, such as an engine of the operator's. */
  binds?: LaunchSpec['binds']
  /** The directory of package sets, which every guest sees and none can list. */
  setsDir?: string
  onFailure?(error: unknown): void
}

export interface ProcessRuntime extends Runtime {
  readonly name: 'process'
  readonly stats: { ready: number; hits: number; misses: number }
  /** Undefined where it was made without. */
  readonly zygotes: PythonZygotes | undefined
  /** Undefined where no sandbox can be made. */
  readonly live: LiveSandboxes | undefined
  open(spec: SandboxSpec): Promise<LiveSandbox>
  /** Runs a program by a command of the caller's, in the same kind of sandbox; for runtimes that are a program themselves. */
  runCommand(program: Program, options: RunOptions, command: GuestCommand): Promise<Outcome>
}

const home = '/home/guest'
const guest = '/opt/coherex'
const nodeInside = '/opt/node/bin/node'
const nodeCommand = [nodeInside, '--no-warnings', '--expose-internals', `${guest}/node/main.js`]

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/coherex/bin:/opt/node/bin:/home/guest/.local/bin:/tmp/.local/bin',
  HOME: home,
  USER: 'guest',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  // caches of tools are no files of the program
  XDG_CACHE_HOME: '/tmp/.cache',
  MPLCONFIGDIR: '/tmp/.cache/matplotlib',
  MPLBACKEND: 'agg',
  // charts as data that a reader's browser draws
  PLOTLY_RENDERER: 'plotly_mimetype',
  PYTHONDONTWRITEBYTECODE: '1',
  // one guest must not take every core by default
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  NUMEXPR_MAX_THREADS: '1',
}

/** `python3` in a shell is what runs programs, and the commands of the stack come after all others. */
function environmentFor({ python, site }: BasePython): Record<string, string> {
  const folder = dirname(python)
  const before = folder === dirname(systemPython) ? [] : [folder]
  return {
    ...environment,
    PATH: [...before, environment.PATH, ...(site ? [`${baseInside}/bin`] : [])].join(':'),
  }
}

/** An interpreter that reads no settings of ours finds them among its packages, which it has at another place then. */
function ownPackages(ownSite: string, settings: string): LaunchSpec['binds'] {
  return [
    { host: ownSite, guest: ownInside },
    { host: settings, guest: ownSite },
  ]
}

interface Taken {
  sandbox: ReadySandbox
  /** It was ready, or is a fork of something that was. */
  warm: boolean
}

/** Python, Bash and Node as processes of a sandbox that lives for one run. */
export async function createProcessRuntime(options: ProcessRuntimeOptions): Promise<ProcessRuntime> {
  const { launcher, poolSize = 6, defaults, nodePath = process.execPath, packagesDir, onFailure = () => {} } = options
  const isPossible = launcher.unavailable() === undefined && existsSync(systemPython)
  const base = options.basePython ?? (await findBasePython())
  const { python } = base
  const guestDirectory = isPossible ? await compileGuest(launcher.directory('guest'), base) : ''
  const offered =
    isPossible && packagesDir && (await unpackOperatorPackages(packagesDir, launcher.directory('packages')))
  await options.bundles?.open()
  const nodePackages = options.bundles && new NodePackages(options.bundles)
  const languages = withBasePython(findLanguages(processLanguages), base, offered ? packagesIn(offered) : {})
  const shown = new Map([...languages.values()].flatMap(({ binds }) => binds).map((bind) => [bind.guest, bind]))
  const duckDb = duckDbModules()
  const retiring = new Set<Promise<void>>()
  const active = new Set<ReadySandbox>()
  let isClosed = false

  const specFor = (limits: Limits): LaunchSpec => ({
    argv: [python, '-I', '-B', '-X', 'utf8', `${guest}/python/driver.py`],
    binds: [
      { host: guestDirectory, guest: '/opt/coherex' },
      { host: nodePath, guest: nodeInside },
      ...(offered ? [{ host: offered, guest: '/opt/packages' }] : []),
      ...(options.setsDir ? [{ host: options.setsDir, guest: setsInside }] : []),
      ...(nodePackages?.binds ?? []),
      ...duckDb,
      ...shown.values(),
      ...base.binds,
      ...(base.site ? [{ host: base.site, guest: baseInside }] : []),
      ...(base.ownSite ? ownPackages(base.ownSite, join(guestDirectory, 'site')) : []),
      ...(options.binds ?? []),
    ],
    env: environmentFor(base),
    home,
    readOnly: false,
    limits,
    seccomp: 'guest',
  })
  const pool = new WarmPool({
    size: isPossible ? poolSize : 0,
    start: () => startReadySandbox(launcher, specFor(defaults)),
    onFailure,
  })

  const ahead = new Map(
    [...languages].flatMap(([language, { command }]) =>
      command?.startsAhead && isPossible ? [[language, aheadPoolOf(command)] as const] : [],
    ),
  )

  function aheadPoolOf(command: GuestCommand): AheadPool {
    const plain = specFor(defaults)
    const spec: LaunchSpec = { ...plain, argv: [...plain.argv, JSON.stringify(command)], seccomp: 'ahead' }
    return new AheadPool({ start: () => startReadySandbox(launcher, spec), onFailure })
  }

  const unavailable = (): string | undefined => {
    if (isClosed) return 'it is closed'
    return (
      launcher.unavailable() ??
      (existsSync(systemPython) ? undefined : `${systemPython} is missing; run: apt-get install -y python3`)
    )
  }

  // disk, inodes and processes are fixed when a sandbox is made; the rest can still be set
  const fitsPool = (limits: Limits) =>
    limits.diskMb === defaults.diskMb &&
    limits.inodes === defaults.inodes &&
    limits.processes <= defaults.processes &&
    limits.openFiles <= defaults.openFiles

  const zygotes =
    options.zygotes && isPossible
      ? createPythonZygotes({
          ...options.zygotes,
          ...{ launcher, defaults, fits: fitsPool, onFailure },
          spec: { ...specFor(defaults), driver: `${guest}/python`, python },
        })
      : undefined

  const live: LiveSandboxes | undefined = isPossible
    ? createLiveSandboxes({
        ...{ launcher, place: specFor(defaults), python, onFailure },
        ...options.live,
      })
    : undefined

  const take = async (program: Program, { limits, signal, network, domain }: RunOptions): Promise<Taken> => {
    // a process that runs already can no longer be kept from writing
    const held = program.readOnly || network || !fitsPool(limits) ? undefined : ahead.get(program.language)
    const waiting = await held?.take(signal)
    if (waiting) return { sandbox: waiting, warm: true }
    const forked = await zygotes?.take(program, { limits, signal, domain, hasLink: network !== undefined })
    if (forked) return { sandbox: forked, warm: true }
    if (!fitsPool(limits)) return { sandbox: await startReadySandbox(launcher, specFor(limits)), warm: false }
    const warm = pool.stats.ready > 0
    return { sandbox: await pool.take(signal), warm }
  }

  return {
    name: 'process',
    zygotes,
    live,
    get stats() {
      return pool.stats
    },
    health() {
      const slowness = zygotes?.slowness()
      const reason =
        unavailable() ?? launcher.weakness() ?? (slowness && `Python with pandas starts slowly here: ${slowness}`)
      return { available: unavailable() === undefined, ...(reason !== undefined && { reason }) }
    },
    refuses(program) {
      const reason = unavailable()
      if (reason) return `no sandbox can be made: ${reason}`
      const found = languages.get(program.language)
      if (!found) return `it does not run ${program.language}`
      if (found.missing) return found.missing
      if (program.typecheck && !(options.types && program.language === 'typescript')) return 'it does not check types'
      if (program.fixed) return 'its clock cannot be fixed'
      if (program.language === 'python' || program.packages.length === 0) return undefined
      return nodePackages ? nodePackages.refuses(program) : 'it offers packages to Python programs only'
    },
    language: (name) => languages.get(name),
    run: (program, runOptions) => execute(program, runOptions, languages.get(program.language)?.command),
    runCommand: execute,
    async open(spec) {
      const reason = unavailable()
      if (!live || reason) throw new CoherexError('unavailable', `Cannot open a sandbox: ${reason}`)
      return live.open(spec)
    },
    async warm() {
      const forRuns = async () => {
        await zygotes?.warm()
        // what forks serve needs no other sandbox kept ready
        if (zygotes?.isLoaded.plain) pool.resize(0)
        await pool.full()
      }
      // at once, because whoever asks for a sandbox meanwhile waits for what is on its way
      await Promise.all([forRuns(), live?.warm()])
    },
    async close() {
      isClosed = true
      await Promise.all([
        pool.close(),
        zygotes?.close(),
        live?.close(),
        ...[...ahead.values()].map((one) => one.close()),
      ])
      await Promise.all([...active].map(({ launched }) => launched.kill()))
      await Promise.all(retiring)
    },
  }

  async function execute(program: Program, runOptions: RunOptions, command?: GuestCommand): Promise<Outcome> {
    const climbing = [program.entry, ...Object.keys(program.files)].find((path) => !isInside(path))
    if (climbing !== undefined) {
      const message = `The path ${JSON.stringify(climbing.slice(0, 200))} cannot be used`
      return endedEarly({ kind: 'validation', message })
    }
    if (runOptions.signal.aborted) return endedEarly(cancelled)
    const imports = nodePackages?.importsOf(program) ?? []
    const wrong = program.typecheck && (await options.types?.check(program, imports, runOptions))
    if (wrong) return endedEarly(wrong)
    const bundles = imports.length > 0 ? await nodePackages?.bundlesOf(imports) : undefined
    let taken: Taken
    try {
      taken = await take(program, runOptions)
    } catch (error) {
      if (runOptions.signal.aborted) return endedEarly(cancelled)
      throw error
    }
    const { sandbox, warm } = taken
    active.add(sandbox)
    try {
      const outcome = await runInSandbox({
        sandbox,
        program,
        options: runOptions,
        nodeCommand,
        bundles,
        command,
        onRetired(retirement) {
          retiring.add(retirement)
          void retirement.finally(() => retiring.delete(retirement))
        },
      })
      return { ...outcome, warm, ...(sandbox.hasModule && { kept: true }) }
    } finally {
      active.delete(sandbox)
      // after the answer: the next sandbox is made in the time of nobody
      setImmediate(() => {
        pool.refill()
        zygotes?.refill()
        ahead.get(program.language)?.used()
      })
    }
  }
}

const cancelled: RunError = { kind: 'cancelled', message: 'The run was cancelled' }

/** Before anything of it ran. */
function endedEarly(error: RunError): Outcome {
  return {
    status: error.kind === 'cancelled' ? 'cancelled' : 'failed',
    error,
    ...{ files: [], truncated: false, durationMs: 0, peakMemoryMb: null, signs: [] },
  }
}
