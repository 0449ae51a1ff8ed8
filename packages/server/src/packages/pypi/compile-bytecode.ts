import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import { runInside, withSandbox, writeInside } from './resolver-sandbox.ts'

export interface CompileOptions {
  open(spec: SandboxSpec): Promise<Sandbox>
  /** The interpreter whose bytecode it is, as sandboxes see it. */
  python: string
  signal: AbortSignal
}

const longestMs = 120_000
const maxBytes = 400_000_000

// tests of packages are half of their text and hardly ever imported; what cannot be compiled is text for another Python
const program = `
import importlib.util, io, os, py_compile, sys, tarfile
root = "/opt/template/site"
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
with tarfile.open("bytecode.tar.gz", "w:gz", compresslevel=1) as bundle:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in ("tests", "test", "__pycache__")]
        for name in files:
            if not name.endswith(".py"):
                continue
            path = os.path.join(folder, name)
            try:
                made = py_compile.compile(path, "/tmp/one.pyc", doraise=True, invalidation_mode=mode)
            except Exception:
                continue
            inside = importlib.util.cache_from_source(os.path.relpath(path, "/opt/template"))
            bundle.add("/tmp/one.pyc", "package/" + inside)
`

/**
 * Bytecode of the modules below `site` of a directory, as a tarball in a file; false where none could be made, and programs do
 * without. It is compiled in a sandbox: the text is a stranger's, and its bytecode is a guest's word like the text.
 */
export async function compileBytecode(
  directory: string,
  file: string,
  { open, python, signal }: CompileOptions,
): Promise<boolean> {
  try {
    return await withSandbox({ open, shown: directory, signal }, async (sandbox) => {
      await writeInside(sandbox, 'compile.py', program)
      const { code } = await runInside(sandbox, [python, '-I', '-W', 'ignore', 'compile.py'], { timeoutMs: longestMs })
      const made = code === 0 ? await sandbox.files.stat('bytecode.tar.gz') : undefined
      if (made?.type !== 'file' || made.size > maxBytes) return false
      await pipeline(await sandbox.files.read('bytecode.tar.gz'), createWriteStream(file, { flags: 'wx' }))
      return true
    })
  } catch {
    signal.throwIfAborted()
    // a sandbox that died of a package's text: the package works without
    return false
  }
}
