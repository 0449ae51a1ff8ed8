import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CoherexError } from '@coherex/contract'
import { version as esbuildVersion } from 'esbuild'
import type { Launcher } from '../launch/index.ts'
import type { PackageSet } from '../package-set.ts'
import { readSpecifier } from './package-specifier.ts'
import { Turns } from './turns.ts'

export interface SetBundlesOptions {
  launcher: Launcher
  /** Where the sets are, on the host. */
  setsDir: string
  /** Bundles are put below it, in a folder that guests cannot list. */
  directory: string
}

/** Raise when bundles of the same sources come out differently. */
const bundlerVersion = 1
const mostOfOneProgram = 50
const mostKept = 2000
const keptFailures = 1000
const atOnce = 2
/** Beside those of runs, which do not wait for pages. */
const pagesAtOnce = 1
const longestMs = 30_000
const maxBytes = 16 * 1024 * 1024
const inside = 'sets'

type Made = Record<string, string>

/**
 * Packages of sets as files an isolate can evaluate. A package may import any file by its path, so that the bundler runs
 * in a sandbox which has nothing but the set. All that a program imports is one bundle: two packages share what both need.
 */
export class SetBundles {
  readonly #options: SetBundlesOptions
  readonly #known = new Map<string, Promise<Made>>()
  readonly #failures = new Map<string, string>()
  readonly #turns = new Turns(atOnce)
  readonly #pageTurns = new Turns(pagesAtOnce)

  constructor(options: SetBundlesOptions) {
    this.#options = options
  }

  /** Why an isolate cannot have them, where that is known. */
  refuses(set: PackageSet, specifiers: readonly string[]): string | undefined {
    return this.#failures.get(keyOf(set, specifiers))
  }

  /** File names by specifier, below the directory of bundles. Throws where they cannot be bundled. */
  async ensure(set: PackageSet, specifiers: readonly string[]): Promise<Made> {
    if (specifiers.length === 0) return {}
    const key = keyOf(set, specifiers)
    const failure = this.#failures.get(key)
    if (failure !== undefined) throw new CoherexError('invalid_input', failure)
    const known = this.#known.get(key)
    if (known) return known
    const making = this.#ensure(key, set, specifiers.toSorted())
    this.#known.set(key, making)
    // an operator may empty the cache, and a guest names the specifiers: none is known for ever
    if (this.#known.size > mostKept) this.#known.delete(this.#known.keys().next().value ?? '')
    making.catch(() => this.#known.delete(key))
    return making
  }

  /**
   * A function in JavaScript for a page: it takes `require` for what the page has itself, and gives the exports by
   * specifier. Throws where they cannot be bundled, or the signal is aborted.
   */
  async forPage(
    set: PackageSet,
    specifiers: readonly string[],
    { ofPage, signal }: { ofPage: readonly string[]; signal: AbortSignal },
  ): Promise<string> {
    const folder = join(this.#options.directory, inside)
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
    const file = join(folder, `${keyOf(set, [...specifiers, ...ofPage.map((name) => `!${name}`)])}-page.js`)
    const now = new Date()
    const kept = await utimes(file, now, now)
      .then(() => readFile(file, 'utf8'))
      .catch(() => undefined)
    if (kept !== undefined) return kept
    const options = ['--loader:.css=empty', ...ofPage.map((name) => `--external:${name}`)]
    const bundle = () => this.#bundle(set, specifiers, { who: 'a page', options, signal })
    const text = await this.#pageTurns.take(bundle, signal)
    // a namespace of esbuild has no mark by which a page would know its default export
    const parts = specifiers.map((one, at) => `${JSON.stringify(one)}: { ...bundle.part${at}, __esModule: true }`)
    const page = `(function (require) { ${text}\nreturn { ${parts.join(', ')} } })`
    await writeWhole(file, page)
    await tidy(folder)
    return page
  }

  async #ensure(key: string, set: PackageSet, specifiers: readonly string[]): Promise<Made> {
    const folder = join(this.#options.directory, inside)
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
    const names = specifiers.map((specifier, at) => [specifier, `${key}-${at}.js`] as const)
    const made = Object.fromEntries(names.map(([specifier, name]) => [specifier, `${inside}/${name}`]))
    const now = new Date()
    const isThere = await Promise.all(names.map(([, name]) => utimes(join(folder, name), now, now))).catch(
      () => undefined,
    )
    if (isThere) return made
    try {
      const text = await this.#turns.take(() => this.#bundle(set, specifiers))
      await Promise.all(
        names.map(([, name], at) => writeWhole(join(folder, name), partOf(text, key, at, names.length))),
      )
    } catch (error) {
      if (error instanceof CoherexError && error.code === 'invalid_input') this.#remember(key, error.message)
      throw error
    }
    await tidy(folder)
    return made
  }

  #remember(key: string, why: string): void {
    this.#failures.set(key, why)
    if (this.#failures.size > keptFailures) this.#failures.delete(this.#failures.keys().next().value ?? '')
  }

  /** The text of a program that leaves `bundle` with one property for each specifier. */
  async #bundle(
    set: PackageSet,
    specifiers: readonly string[],
    { who, options, signal }: { who: string; options: readonly string[]; signal?: AbortSignal } = {
      who: 'an isolate',
      options: [],
    },
  ): Promise<string> {
    const { launcher, setsDir } = this.#options
    const launched = await launcher.launch({
      argv: ['/app/esbuild', ...bundleArguments, ...options],
      binds: [
        { host: bundlerPath(), guest: '/app/esbuild' },
        { host: join(setsDir, set.folder, 'node_modules'), guest: '/home/node_modules' },
      ],
      env: { GOMAXPROCS: '2' },
      home: '/home/guest',
      readOnly: false,
      limits: { memoryMb: 768, processes: 64, openFiles: 1024, diskMb: 8, inodes: 200 },
      seccomp: 'guest',
    })
    const timer = setTimeout(() => void launched.kill(), longestMs)
    const leave = () => void launched.kill()
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    const chunks: Buffer[] = []
    let size = 0
    let complaint = ''
    launched.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) void launched.kill()
      else chunks.push(chunk)
    })
    launched.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(0, 4000)))
    launched.stdin.on('error', () => {}) // one that has ended reads nothing
    launched.stdin.end(entryOf(specifiers))
    const { code } = await launched.ended
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
    signal?.throwIfAborted()
    if (code === 0 && size > 0) return Buffer.concat(chunks).toString('utf8')
    const names = specifiers.join('", "').slice(0, 300)
    const why = size > maxBytes ? 'they are larger than 16 MB' : whyOf(complaint)
    throw new CoherexError('invalid_input', `${who} cannot have "${names}": ${why}`)
  }
}

const bundleArguments = [
  ...['--bundle', '--format=iife', '--global-name=bundle', '--platform=browser', '--target=es2024'],
  ...['--minify-syntax', '--minify-whitespace', '--legal-comments=none', '--log-level=error', '--log-limit=3'],
  '--define:process.env.NODE_ENV="production"',
]

function entryOf(specifiers: readonly string[]): string {
  const lines = specifiers.map((specifier, at) => {
    const { name, subpath } = readSpecifier(specifier) ?? { name: '', subpath: '' }
    return `import * as part${at} from ${JSON.stringify(name + subpath)}`
  })
  return [...lines, `export { ${specifiers.map((_, at) => `part${at}`).join(', ')} }`].join('\n')
}

/** A function expression that gives the exports of one specifier; whichever comes first evaluates all of them. */
function partOf(text: string, key: string, at: number, of: number): string {
  if (of === 1) return `(function () { ${text}\nreturn bundle.part0 })`
  const all = `globalThis[Symbol.for(${JSON.stringify(`coherex.set.${key}`)})]`
  return `(function () { return (${all} ??= (function () { ${text}\nreturn bundle })()).part${at} })`
}

function keyOf({ folder }: PackageSet, specifiers: readonly string[]): string {
  const of = specifiers.slice(0, mostOfOneProgram).toSorted()
  const content = JSON.stringify([folder, of, esbuildVersion, bundlerVersion])
  return createHash('sha256').update(content).digest('hex').slice(0, 40)
}

function whyOf(complaint: string): string {
  const [, module] = /Could not resolve "([^"\n]{1,200})"/.exec(complaint) ?? []
  return module === undefined ? 'they cannot be bundled' : `they need "${module}", which is not among them`
}

function bundlerPath(): string {
  const near = findPackageJSON('esbuild', import.meta.url)
  const found = near && findPackageJSON(`@esbuild/${process.platform}-${process.arch}`, pathToFileURL(near))
  if (!found) throw new CoherexError('unavailable', 'Packages cannot be bundled: esbuild is not installed')
  return join(dirname(found), 'bin/esbuild')
}

async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.part`
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, file)
}

/** Keeps those that were used last. */
async function tidy(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= mostKept) return
  const used = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const old = used.toSorted((a, b) => a.at - b.at).slice(0, names.length - mostKept * 0.9)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
