import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { buildFileOnce } from '../build-once.ts'
import type { Launcher } from '../launch/index.ts'
import { makeOnce, onlyFile } from '../make-once.ts'
import { heldHead, heldStatics, takeBuiltins } from './hold-builtins.ts'
import { makeSnapshot } from './make-snapshot.ts'
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
export async function buildApp(cacheDir: string, launcher: Launcher): Promise<App> {
  const files = await Promise.all([
    bundleChild('child.cjs', 'child/main.ts'),
    bundleChild('make-snapshot.cjs', 'child/make-snapshot.ts'),
    bundleGuest('core.js', {
      path: 'guest/core.ts',
      head: `((builtins) => ${heldHead}`,
      last: `globalThis.__coherex = part.furnish(globalThis, builtins) })(...builtins))(${takeBuiltins})`,
    }),
    bundleGuest('console.js', { path: 'guest/console.ts', head: heldHead, last: 'return part.createConsole })' }),
    bundleGuest('extras.js', { path: 'guest/extras.ts', head: heldHead, last: 'return part.createExtras })' }),
  ])
  const content = [...files.map(({ text }) => text), process.version, process.arch].join('\0')
  const hash = createHash('sha256').update(content).digest('hex')
  const directory = join(cacheDir, 'isolate', hash.slice(0, 16))
  await mkdir(directory, { recursive: true, mode: 0o755 })
  for (const { name, text } of files) await writeWhole(join(directory, name), text)

  const bindsOf = (names: string[]) => names.map((name) => ({ host: join(directory, name), guest: `/app/${name}` }))
  const transform = packageDirectory('oxc-transform')
  const machinery = [
    { host: process.execPath, guest: '/app/node' },
    ...installed.map((name) => ({ host: packageDirectory(name), guest: `/app/node_modules/${name}` })),
    ...scopes.map((name) => ({ host: join(dirname(transform), name), guest: `/app/node_modules/${name}` })),
  ]
  const snapshot = join(directory, 'core.snapshot')
  if (!existsSync(snapshot)) {
    const binds = [...machinery, ...bindsOf(['make-snapshot.cjs', 'core.js'])]
    const make = async () => ({ sources: [], files: { snapshot: await makeSnapshot(launcher, binds) } })
    await writeWhole(snapshot, onlyFile(await makeOnce({ name: 'isolate-core.snapshot', stamp: hash, make })))
  }
  return {
    argv: [
      '/app/node',
      '--v8-pool-size=1',
      `--stack-size=${ownStackKb}`,
      '--disable-warning=ExperimentalWarning',
      '/app/child.cjs',
      '/app',
    ],
    binds: [...machinery, ...bindsOf(['child.cjs', 'core.snapshot', 'console.js', 'extras.js'])],
  }
}

interface Bundle {
  name: string
  text: string
}

function bundleChild(name: string, path: string): Promise<Bundle> {
  return bundle(name, { entryPoints: [source(path)], platform: 'node', format: 'cjs', external: native })
}

/** A part of the guest library as one expression, evaluated in an isolate where there is nothing else. */
function bundleGuest(
  name: string,
  { path, head, last }: { path: string; head: string; last: string },
): Promise<Bundle> {
  return bundle(name, {
    entryPoints: [source(path)],
    platform: 'neutral',
    mainFields: ['main'],
    format: 'iife',
    globalName: 'part',
    minifySyntax: true,
    minifyWhitespace: true,
    alias: { 'node:buffer': source('guest/wire-buffer.ts') },
    define: heldStatics,
    banner: { js: head },
    footer: { js: last },
  })
}

async function bundle(name: string, options: BuildOptions): Promise<Bundle> {
  const all = { ...options, bundle: true, target: 'node26', logLevel: 'silent' } as const
  return { name, text: (await buildFileOnce(`isolate-${name}`, all)).toString('utf8') }
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
