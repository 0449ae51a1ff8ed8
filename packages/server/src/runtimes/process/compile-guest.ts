import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildOnce } from '../build-once.ts'
import type { MadeFiles } from '../make-once.ts'
import { compilePython } from './compile-python.ts'
import { type BasePython, systemPython } from './languages/base-python.ts'

const source = join(import.meta.dirname, 'guest')
const wasmSource = join(import.meta.dirname, '../wasm/guest')
const inside = '/opt/coherex'

const modules = { bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node24' } as const

/** Puts what runs inside into `target`, ready to load: bytecode for Python, plain modules for Node. Halves their start. */
export async function compileGuest(target: string, base: Pick<BasePython, 'python' | 'hidden'>): Promise<string> {
  for (const part of ['python', 'bin', 'front', 'site', 'r', 'session', 'keeper']) {
    const filter = (path: string) => !/__pycache__$|\.ts$/.test(path)
    cpSync(join(source, part), join(target, part), { recursive: true, filter })
  }
  const python = { source, copy: target, inside, folders: ['python', 'session', 'keeper'] }
  const [bytecode, further, programs, sessions, single] = await Promise.all([
    compilePython({ ...python, interpreter: systemPython }),
    base.python === systemPython ? {} : compilePython({ ...python, interpreter: base.python }),
    // two entries that share their modules: the program's `coherex` must be the one that main fills
    buildOnce('guest-node', {
      entryPoints: [join(source, 'node/main.ts'), join(source, 'node/coherex.ts')],
      ...modules,
    }),
    buildOnce('guest-node-session', {
      entryPoints: [join(source, 'session/node/main.ts'), join(source, 'session/node/coherex.ts')],
      ...modules,
    }),
    // one file each: a program that reads forty modules starts twice as slowly
    buildOnce('guest-single', {
      entryPoints: {
        'sql/main': join(source, 'sql/main.ts'),
        'sql/session': join(source, 'sql/session.ts'),
        'wasm/main': join(wasmSource, 'main.ts'),
      },
      outExtension: { '.js': '.cjs' },
      bundle: true,
      minifySyntax: true,
      platform: 'node',
      format: 'cjs',
      target: 'node24',
      external: ['*.node'],
    }),
  ])
  put(target, { ...bytecode, ...further, 'site/hidden.txt': Buffer.from(base.hidden.join('\n')) })
  put(target, single)
  const asModules = { 'package.json': Buffer.from(JSON.stringify({ type: 'module' })) }
  put(join(target, 'node'), { ...programs, ...asModules })
  put(join(target, 'session/node'), { ...sessions, ...asModules })
  return target
}

function put(directory: string, files: MadeFiles): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
