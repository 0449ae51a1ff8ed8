import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildScript } from '../build-script.ts'

const run = promisify(execFile)
const source = join(import.meta.dirname, 'guest')
const wasmSource = join(import.meta.dirname, '../wasm/guest')

const modules = { bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node24' } as const

/** Puts what runs inside into `target`, ready to load: bytecode for Python, plain modules for Node. Halves their start. */
export async function compileGuest(target: string): Promise<string> {
  for (const part of ['python', 'bin', 'r', 'session', 'keeper']) {
    const filter = (path: string) => !/__pycache__$|\.ts$/.test(path)
    cpSync(join(source, part), join(target, part), { recursive: true, filter })
  }
  const compiled = ['python', 'session', 'keeper'].map((part) => join(target, part))
  const compile = ['-I', '-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', ...compiled]
  await Promise.all([
    run('/usr/bin/python3', compile, { env: {} }),
    buildScript({
      // two entries that share their modules: the program's `coherex` must be the one that main fills
      entryPoints: [join(source, 'node/main.ts'), join(source, 'node/coherex.ts')],
      outdir: join(target, 'node'),
      ...modules,
    }),
    buildScript({
      entryPoints: [join(source, 'session/node/main.ts'), join(source, 'session/node/coherex.ts')],
      outdir: join(target, 'session/node'),
      ...modules,
    }),
    // one file each: a program that reads forty modules starts twice as slowly
    buildScript({
      entryPoints: {
        'sql/main': join(source, 'sql/main.ts'),
        'sql/session': join(source, 'sql/session.ts'),
        'wasm/main': join(wasmSource, 'main.ts'),
      },
      outdir: target,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      minifySyntax: true,
      platform: 'node',
      format: 'cjs',
      target: 'node24',
      external: ['*.node'],
    }),
  ])
  for (const part of ['node', 'session/node']) {
    writeFileSync(join(target, part, 'package.json'), JSON.stringify({ type: 'module' }))
  }
  return target
}
