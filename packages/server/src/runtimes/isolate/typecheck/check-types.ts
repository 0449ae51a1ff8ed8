import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunError } from '@coherex/contract'
import { buildFileOnce } from '../../build-once.ts'
import type { Launcher } from '../../launch/index.ts'
import { allowedPackage } from '../../packages/allow-list.ts'
import type { Program, RunOptions } from '../../runtime.ts'
import { packageDirectory, writeWhole } from '../build-app.ts'
import { isModulePath } from '../child/resolve.ts'
import { findGivenParameters } from './given-parameters.ts'

export interface TypeCheckerOptions {
  launcher: Launcher
  cacheDir: string
  /** Where package sets are, on the host; left out, their types are not known. */
  setsDir?: string
}

const maxCheckMs = 20_000
const keptVerdicts = 200
const packagesFrom = new URL('../../packages/', import.meta.url).href
// a package without types of its own is fine: its imports are any
const untyped = 'TS7016'
// a parameter, or a part of one, that is any
const implicit = new Set(['TS7006', 'TS7031'])

/** Asks the TypeScript compiler about a program, in a sandbox of its own each time: it never shares a process between guests. */
export class TypeChecker {
  readonly #options: TypeCheckerOptions
  readonly #verdicts = new Map<string, RunError | undefined>()
  #script: Promise<string> | undefined

  constructor(options: TypeCheckerOptions) {
    this.#options = options
  }

  /**
   * The first type error, with all of them in its stack; undefined when there is none. `packages`: specifiers of those the program imports,
   * whose types are shown to the compiler.
   */
  async check(
    program: Program,
    packages: string[],
    options: Pick<RunOptions, 'limits' | 'signal'>,
  ): Promise<RunError | undefined> {
    const files = sourcesOf(program)
    const key = createHash('sha256')
      .update(JSON.stringify([program.entry, files, program.set?.folder]))
      .digest('base64')
    if (this.#verdicts.has(key)) return this.#verdicts.get(key)
    const error = await this.#compile(program, { files, packages }, options)
    if (error && error.kind !== 'syntax') return error
    this.#verdicts.set(key, error)
    if (this.#verdicts.size > keptVerdicts) this.#verdicts.delete(this.#verdicts.keys().next().value ?? '')
    return error
  }

  async #compile(
    program: Program,
    { files, packages }: { files: Record<string, string>; packages: string[] },
    { limits, signal }: Pick<RunOptions, 'limits' | 'signal'>,
  ): Promise<RunError | undefined> {
    const timeoutMs = Math.min(limits.timeoutMs, maxCheckMs)
    const { setsDir } = this.#options
    const ofSet = program.set?.language === 'javascript' ? program.set : undefined
    const names = [...new Set(packages.flatMap((specifier) => allowedPackage(specifier) ?? []))]
    const launched = await this.#options.launcher.launch({
      argv: ['/app/node', '/app/check.mjs'],
      binds: [
        { host: process.execPath, guest: '/app/node' },
        { host: await this.#build(), guest: '/app/check.mjs' },
        {
          host: join(
            packageDirectory(`@typescript/typescript-${process.platform}-${process.arch}`, compilerUrl()),
            'lib',
          ),
          guest: '/app/typescript',
        },
        { host: join(import.meta.dirname, 'globals.d.ts'), guest: '/app/types/coherex.d.ts' },
        { host: packageDirectory('@types/node'), guest: '/home/node_modules/@types/node' },
        {
          host: packageDirectory('undici-types', new URL('x.ts', `file://${packageDirectory('@types/node')}/`).href),
          guest: '/home/node_modules/undici-types',
        },
        ...names
          .filter((name) => !ofSet?.modules.includes(name))
          .map((name) => ({ host: packageDirectory(name, packagesFrom), guest: `/home/node_modules/${name}` })),
        // looked into after those above
        ...(ofSet && setsDir ? [{ host: join(setsDir, ofSet.folder, 'node_modules'), guest: '/node_modules' }] : []),
      ],
      env: { GOMAXPROCS: '2' },
      home: '/home/guest',
      readOnly: false,
      limits: { memoryMb: 768, processes: 64, openFiles: 256, diskMb: 16, inodes: 2000 },
      seccomp: 'guest',
    })
    let verdict: RunError | undefined
    const end = (error: RunError) => {
      verdict ??= error
      void launched.kill()
    }
    const timer = setTimeout(
      () => end({ kind: 'timeout', message: `Checking types took longer than ${timeoutMs} ms` }),
      timeoutMs,
    )
    const cancel = () => end({ kind: 'cancelled', message: 'The run was cancelled' })
    signal.addEventListener('abort', cancel, { once: true })
    let printed = ''
    launched.stdout.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString('utf8')).slice(0, 256 * 1024)))
    launched.stderr.resume()
    launched.stdin.end(JSON.stringify({ ...files, 'tsconfig.json': configOf(program) }))
    const { code, outOfMemory } = await launched.ended
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    if (verdict) return verdict
    if (outOfMemory)
      return { kind: 'memory', message: 'The types could not be checked: the compiler ran out of memory' }
    if (code !== 0) return { kind: 'internal', message: 'The types could not be checked: the compiler gave up' }
    return firstError(printed, program)
  }

  #build(): Promise<string> {
    this.#script ??= this.#bundle()
    return this.#script
  }

  async #bundle(): Promise<string> {
    const entry = join(import.meta.dirname, 'main.ts')
    const text = await buildFileOnce('isolate-check-types.mjs', {
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    })
    const directory = join(this.#options.cacheDir, 'isolate')
    await mkdir(directory, { recursive: true, mode: 0o755 })
    const file = join(directory, `check-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
    if (!existsSync(file)) await writeWhole(file, text)
    return file
  }
}

function compilerUrl(): string {
  return new URL('x.js', `file://${packageDirectory('typescript')}/`).href
}

function sourcesOf(program: Program): Record<string, string> {
  const others = Object.entries(program.files).flatMap(([path, content]) =>
    isModulePath(path) && typeof content === 'string' && path !== 'tsconfig.json' ? [[path, content] as const] : [],
  )
  return Object.fromEntries([...others, [entryPath(program), program.code]])
}

// the compiler goes by the name: a TypeScript program called main.js is still TypeScript
function entryPath({ entry }: Program): string {
  return /\.[mc]?tsx?$/.test(entry) ? entry : `${entry}.ts`
}

function configOf(program: Program): string {
  return JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'ESNext',
      lib: ['ESNext'],
      module: 'Preserve',
      moduleResolution: 'Bundler',
      moduleDetection: 'force',
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      allowJs: true,
      skipLibCheck: true,
      types: ['node'],
    },
    files: [entryPath(program), '/app/types/coherex.d.ts'],
  })
}

// TypeScript knows no `npm:` in front of a name: such an import is any
function isPinned(code: string, message = ''): boolean {
  return code === 'TS2307' && message.includes("'npm:")
}

function firstError(printed: string, program: Program): RunError | undefined {
  const isGivenParameter = findGivenParameters(program.code)
  const isGiven = (path: string, code: string, place: { line: number; column: number }) =>
    implicit.has(code) && path === entryPath(program) && isGivenParameter(place)
  const found = printed.split('\n').flatMap((line) => {
    const [, path, row, column, code, message] = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line) ?? []
    if (path === undefined || code === undefined || code === untyped || isPinned(code, message)) return []
    const place = { line: Number(row), column: Number(column) }
    return isGiven(path, code, place) ? [] : [{ path, ...place, text: `${code}: ${message}` }]
  })
  const [first] = found
  if (!first) return undefined
  return {
    kind: 'syntax',
    message: first.text,
    line: first.line,
    column: first.column,
    stack: found
      .map(({ path, line, column, text }) => `${path}:${line}:${column} ${text}`)
      .slice(0, 100)
      .join('\n'),
  }
}
