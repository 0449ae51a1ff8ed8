import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { makeOnce, project, type MadeFiles } from '../make-once.ts'
import { systemPython } from './languages/base-python.ts'

const run = promisify(execFile)

/**
 * Bytecode of the Python in some folders of `source`, for one interpreter, by its path.
 * @param copy where the same folders are, to be compiled in
 * @param inside where they are for the guest
 */
export function compilePython(options: {
  interpreter: string
  source: string
  copy: string
  inside: string
  folders: string[]
}): Promise<MadeFiles> {
  const { interpreter, source, copy, inside, folders } = options
  const sources = filesOf(source, folders, '.py').map((path) => relative(project, join(source, path)))
  const { size, mtimeMs } = statSync(interpreter)
  return makeOnce({
    name: interpreter === systemPython ? 'guest-python' : 'guest-python-chosen',
    stamp: JSON.stringify([realpathSync(interpreter), size, mtimeMs, inside, sources]),
    async make() {
      const named = ['-s', copy, '-p', inside]
      const argv = ['-I', '-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', ...named]
      await run(interpreter, [...argv, ...folders.map((folder) => join(copy, folder))], { env: {} })
      const files = filesOf(copy, folders, '.pyc').map((path) => [path, readFileSync(join(copy, path))] as const)
      return { sources, files: Object.fromEntries(files) }
    },
  })
}

function filesOf(directory: string, folders: string[], ending: string): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(directory, folder), { recursive: true }).map((path) => join(folder, String(path))),
    )
    .filter((path) => path.endsWith(ending))
    .toSorted()
}
