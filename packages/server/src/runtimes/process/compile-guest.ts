import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)
const source = join(import.meta.dirname, 'guest')

/** Puts what runs inside into `target`, ready to load: bytecode for Python, plain modules for Node. Halves their start. */
export async function compileGuest(target: string): Promise<string> {
  for (const part of ['python', 'bin']) {
    cpSync(join(source, part), join(target, part), { recursive: true, filter: (path) => !path.endsWith('__pycache__') })
  }
  const compile = ['-I', '-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', join(target, 'python')]
  await Promise.all([
    run('/usr/bin/python3', compile, { env: {} }),
    build({
      // two entries that share their modules: the program's `coherex` must be the one that main fills
      entryPoints: [join(source, 'node/main.ts'), join(source, 'node/coherex.ts')],
      outdir: join(target, 'node'),
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
    }),
  ])
  writeFileSync(join(target, 'node/package.json'), JSON.stringify({ type: 'module' }))
  return target
}
