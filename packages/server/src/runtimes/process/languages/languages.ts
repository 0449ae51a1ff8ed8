import type { Language } from '@coherex/contract'
import type { GuestCommand } from '../guest-command.ts'
import { duckDbModules } from './duckdb-modules.ts'

/** One language of the process runtime: what shows that it is there, how it is started and what it needs. */
export interface ProcessLanguage {
  /** Programs it is run by, all of them needed. Looked for where programs are installed for all users. */
  programs: readonly string[]
  /** What else it needs and this machine does not have. */
  lacks?(): string | undefined
  /** Asks the first program for its version, in one line. */
  version: readonly string[]
  /** What a run gets that does not ask for another amount. */
  memoryMb?: number
  /** The packages of Debian and Ubuntu that bring it, or a sentence where none do. */
  install: { apt: readonly string[] } | { how: string }
  /** Left out where the driver runs it itself. `programs` are absolute, in the order above. */
  command?(programs: readonly string[]): GuestCommand
}

// {entry} is the program's file and {built} where a compiler puts what it makes: in /tmp, so it is no file of the run
export const compilerErrors = [
  String.raw`^(?:\./)?{entry}:(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)$`,
]

/** A language that a compiler turns into a program of its own. */
const compiled = (compile: readonly string[], errors: readonly string[], runErrors: readonly string[] = []) =>
  ({ compile, run: ['{built}'], env: {}, channel: 'none', errors: { compile: errors, run: runErrors } }) as const

const nodeGuest = { programs: [], version: [], install: { how: 'it comes with Coherex' } } as const

/** Every language that is a process. A new one is a row here and in the contract's `languageFacts`. */
export const processLanguages: Partial<Record<Language, ProcessLanguage>> = {
  python: { programs: ['python3'], version: ['--version'], install: { apt: ['python3'] } },
  bash: { programs: ['bash'], version: ['--version'], install: { apt: ['bash'] } },
  node: nodeGuest,
  javascript: { ...nodeGuest, memoryMb: 128 },
  typescript: { ...nodeGuest, memoryMb: 128 },
  sql: {
    ...nodeGuest,
    lacks: () => (duckDbModules().length > 0 ? undefined : 'DuckDB has no library for this machine'),
    memoryMb: 512,
    command: () => ({
      run: ['/opt/node/bin/node', '--no-warnings', '--expose-gc', '/opt/coherex/sql/main.cjs'],
      startsAhead: true,
      env: {},
      channel: 'socket',
      errors: { compile: [], run: [] },
    }),
  },
  r: {
    programs: ['Rscript'],
    version: ['--version'],
    memoryMb: 512,
    install: { apt: ['r-base-core'] },
    command: ([rscript = '']) => ({
      run: [rscript, '--vanilla', '--no-echo', '/opt/coherex/r/main.R', '{entry}'],
      env: { R_PROFILE_USER: '', R_DEFAULT_INTERNET_TIMEOUT: '1', R_LIBS_USER: '/tmp/.cache/R' },
      channel: 'pipes',
      errors: { compile: [], run: [] },
    }),
  },
  julia: {
    programs: ['julia'],
    version: ['--version'],
    memoryMb: 1024,
    install: {
      how: 'Debian 12 has no package: unpack the archive of julialang.org/downloads to /opt/julia, so that /opt/julia/bin/julia is there',
    },
    command: ([julia = '']) => ({
      run: [julia, '--startup-file=no', '--history-file=no', '--color=no', '--threads=1', '{entry}'],
      env: { JULIA_DEPOT_PATH: '/tmp/.cache/julia:', JULIA_CPU_TARGET: 'native' },
      channel: 'none',
      errors: {
        compile: [],
        run: [
          String.raw`^ERROR: (?:LoadError: )?(?P<message>.*)$`,
          String.raw`^\s*(?:\[\d+\] .*)?@ \S*\s*(?:\S*/)?{entry}:(?P<line>\d+)`,
          String.raw`^in expression starting at \S*{entry}:(?P<line>\d+)`,
        ],
        syntax: '(?i)^(?:syntax:|parseerror)',
      },
    }),
  },
  ruby: {
    programs: ['ruby'],
    version: ['--version'],
    install: { apt: ['ruby'] },
    command: ([ruby = '']) => ({
      run: [ruby, '-EUTF-8:UTF-8', '{entry}'],
      env: {},
      channel: 'none',
      errors: {
        compile: [],
        run: [
          String.raw`^{entry}:(?P<line>\d+): (?P<message>syntax error.*)$`,
          String.raw`^(?:{entry}:(?P<line>\d+)|\S+:\d+):in [${'`'}'].*?': (?P<message>.*)$`,
          String.raw`^\s+from {entry}:(?P<line>\d+):in `,
          String.raw`^{entry}:(?P<line>\d+): (?P<message>.*)$`,
        ],
        syntax: '^syntax error',
      },
    }),
  },
  go: {
    programs: ['go'],
    version: ['version'],
    memoryMb: 1024,
    install: { apt: ['golang-go'] },
    command: ([go = '']) => ({
      ...compiled(
        // without the paths of the build cut out: Debian's library is compiled with them, and is taken as it is
        [go, 'build', '-o', '{built}', '{entry}'],
        [String.raw`^(?:\./)?{entry}:(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$`, String.raw`^(?P<message>\S.*)$`],
        [
          String.raw`^(?:panic|fatal error): (?P<message>.*?)(?: \[recovered\])?$`,
          String.raw`^\s+\S*{entry}:(?P<line>\d+)(?: \+0x|$)`,
        ],
      ),
      // one core, and a heap that is given back before the sandbox is full
      env: {
        GOCACHE: '/tmp/.cache/go',
        GOPATH: '/tmp/.cache/gopath',
        GOFLAGS: '-mod=mod',
        GOPROXY: 'off',
        GOMAXPROCS: '2',
      },
    }),
  },
  c: {
    programs: ['gcc'],
    version: ['--version'],
    install: { apt: ['gcc', 'libc6-dev'] },
    command: ([gcc = '']) => compiled([gcc, '-O2', '-g1', '-o', '{built}', '{entry}', '-lm'], compilerErrors),
  },
  cpp: {
    programs: ['g++'],
    version: ['--version'],
    memoryMb: 512,
    install: { apt: ['g++'] },
    command: ([gpp = '']) => compiled([gpp, '-std=c++20', '-O1', '-o', '{built}', '{entry}'], compilerErrors),
  },
  rust: {
    programs: ['rustc'],
    version: ['--version'],
    memoryMb: 1024,
    install: { apt: ['rustc'] },
    command: ([rustc = '']) =>
      compiled(
        [rustc, '--edition', '2021', '-O', '-o', '{built}', '{entry}'],
        [String.raw`^error(?:\[\w+\])?: (?P<message>.*)$`, String.raw`^\s*--> {entry}:(?P<line>\d+):(?P<column>\d+)$`],
        [
          String.raw`^thread '.*?'.* panicked at {entry}:(?P<line>\d+):(?P<column>\d+):\n(?P<message>.*)$`,
          String.raw`^thread '.*?' panicked at '(?P<message>.*)', {entry}:(?P<line>\d+):(?P<column>\d+)`,
        ],
      ),
  },
}

/** What a run of a language gets that asks for no memory; undefined where nothing special is known. */
export function memoryMbOf(language: Language): number | undefined {
  return processLanguages[language]?.memoryMb
}

/** How to get a language, as a sentence an operator can act on. */
export function installHint({ install }: Pick<ProcessLanguage, 'install'>): string {
  if ('how' in install) return install.how
  return `apt-get install -y --no-install-recommends ${install.apt.join(' ')}, then start Coherex again`
}
