import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { buildScript } from '../build-script.ts'
import { ownStackKb } from './messages.ts'

/** What a child runs, as files and directories of the host and their places inside the sandbox. */
export interface App {
  argv: string[]
  binds: { host: string; guest: string }[]
}

// native code and its loaders, used as they are installed; the rest becomes one file
const native = ['isolated-vm', 'oxc-transform', 'oxc-parser']
const installed = [...native, 'node-gyp-build']
const scopes = ['@oxc-transform', '@oxc-parser']

/** Bundles the child and the guest library, once per content. */
export async function buildApp(cacheDir: string): Promise<App> {
  const [child, core, print, extras] = await Promise.all([
    bundle({ entryPoints: [source('child/main.ts')], platform: 'node', format: 'esm', external: native }),
    bundleGuest('guest/core.ts', 'globalThis.__coherex = part.furnish(globalThis)'),
    bundleGuest('guest/console.ts', 'return part.createConsole'),
    bundleGuest('guest/extras.ts', 'return part.createExtras'),
  ])
  const hash = createHash('sha256').update([child, core, print, extras].join('\0')).digest('hex').slice(0, 16)
  const directory = join(cacheDir, 'isolate', hash)
  await mkdir(directory, { recursive: true, mode: 0o755 })
  await writeWhole(join(directory, 'child.mjs'), child)
  await writeWhole(join(directory, 'core.js'), core)
  await writeWhole(join(directory, 'console.js'), print)
  await writeWhole(join(directory, 'extras.js'), extras)

  const transform = packageDirectory('oxc-transform')
  return {
    argv: [
      '/app/node',
      // isolated-vm cannot live with node's own startup snapshot
      '--no-node-snapshot',
      '--v8-pool-size=1',
      `--stack-size=${ownStackKb}`,
      '--disable-warning=ExperimentalWarning',
      '/app/child.mjs',
      '/app',
    ],
    binds: [
      { host: process.execPath, guest: '/app/node' },
      ...['child.mjs', 'core.js', 'console.js', 'extras.js'].map((name) => ({
        host: join(directory, name),
        guest: `/app/${name}`,
      })),
      ...installed.map((name) => ({ host: packageDirectory(name), guest: `/app/node_modules/${name}` })),
      ...scopes.map((name) => ({ host: join(dirname(transform), name), guest: `/app/node_modules/${name}` })),
    ],
  }
}

/** A part of the guest library as one expression, evaluated in an isolate where there is nothing else. */
function bundleGuest(path: string, last: string): Promise<string> {
  return bundle({
    entryPoints: [source(path)],
    platform: 'neutral',
    mainFields: ['main'],
    format: 'iife',
    globalName: 'part',
    minifySyntax: true,
    minifyWhitespace: true,
    alias: { 'node:buffer': source('guest/wire-buffer.ts') },
    banner: { js: '(() => {' },
    footer: { js: `${last} })()` },
  })
}

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await buildScript({
    ...options,
    bundle: true,
    write: false,
    target: 'node26',
    logLevel: 'silent',
  })
  return outputFiles?.[0]?.text ?? ''
}

/** Readers see the old file or the new one, never half of it. */
export async function writeWhole(file: string, text: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await writeFile(temporary, text, { mode: 0o644 })
  await rename(temporary, file)
}

export function packageDirectory(name: string, from: string = import.meta.url): string {
  const file = findPackageJSON(name, from)
  if (!file) throw new Error(`The package "${name}" is not installed`)
  return dirname(file)
}

function source(path: string): string {
  return join(import.meta.dirname, path)
}
