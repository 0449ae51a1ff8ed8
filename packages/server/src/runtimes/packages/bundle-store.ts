import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { version as esbuildVersion } from 'esbuild'
import { buildScript } from '../build-script.ts'
import { allowedPackage, allowedPackages } from './allow-list.ts'

/** Raise when bundles of the same sources come out differently. */
const bundlerVersion = 1

/** A guest names them, and each is a build: one program does not keep the bundler from all others. */
const mostOfOneProgram = 200

/** Packages as single files an isolate can evaluate, made once per version and kept on disk. */
export class BundleStore {
  /** What is bound into sandboxes, read-only. */
  readonly directory: string
  readonly #known = new Map<string, Promise<string | undefined>>()

  constructor(cacheDir: string) {
    this.directory = join(cacheDir, 'bundles')
  }

  async open(): Promise<void> {
    const made = await mkdir(this.directory, { recursive: true, mode: 0o755 })
    // whatever was in it before is gone with it
    if (made !== undefined) this.#known.clear()
  }

  /** File names by specifier; those that name no file of their package are left out, and so is what one program has no need of. */
  async ensure(specifiers: readonly string[]): Promise<Record<string, string>> {
    const found = await Promise.all(
      specifiers
        .slice(0, mostOfOneProgram)
        .map(async (specifier) => [specifier, await this.#ensureOne(specifier)] as const),
    )
    return Object.fromEntries(found.flatMap(([specifier, file]) => (file === undefined ? [] : [[specifier, file]])))
  }

  #ensureOne(specifier: string): Promise<string | undefined> {
    const known = this.#known.get(specifier)
    if (known) return known
    // a guest names the specifiers: those that fail are forgotten, or their number would be the guest's to choose
    const making = this.#make(specifier).then((file) => {
      if (file === undefined) this.#known.delete(specifier)
      return file
    })
    this.#known.set(specifier, making)
    return making
  }

  async #make(specifier: string): Promise<string | undefined> {
    const name = allowedPackage(specifier)
    // a build that fails is dear, outside of any run's limits, and forgotten
    if (name === undefined || !isThere(specifier)) return undefined
    const key = [specifier, allowedPackages[name], esbuildVersion, bundlerVersion].join('\0')
    const prefix = `${specifier.replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
    const kept = (await readdir(this.directory)).find((file) => file.startsWith(`${prefix}.`) && file.endsWith('.js'))
    if (kept) return kept

    const text = await bundle(specifier)
    if (text === undefined) return undefined
    const file = `${prefix}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`
    const temporary = join(this.directory, `${file}.${process.pid}.part`)
    await writeFile(temporary, text, { mode: 0o644 })
    await rename(temporary, join(this.directory, file))
    return file
  }
}

const { resolve } = createRequire(import.meta.url)

function isThere(specifier: string): boolean {
  try {
    return resolve(specifier) !== ''
  } catch {
    return false
  }
}

/** A function expression that evaluates the package and returns its exports. */
async function bundle(specifier: string): Promise<string | undefined> {
  try {
    const { outputFiles } = await buildScript({
      stdin: {
        contents: `import * as exported from ${JSON.stringify(specifier)}\nexport { exported }`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'bundle',
      platform: 'browser',
      target: 'es2024',
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    })
    const [output] = outputFiles
    return output && `(function () { ${output.text}\nreturn bundle.exported })`
  } catch {
    // no such subpath, or one that needs what a browser has not: the import then fails in the guest's own line
    return undefined
  }
}
