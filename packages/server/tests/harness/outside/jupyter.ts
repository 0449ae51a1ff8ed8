import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const python = '/usr/bin/python3'
const nbconvert = '/usr/bin/jupyter-nbconvert'

/** Debian's nbformat, which `npm test` installs where it may. */
export const hasNbformat = existsSync('/usr/lib/python3/dist-packages/nbformat')
/** Debian's jupyter-nbconvert, where somebody has installed it. */
export const hasNbconvert = existsSync(nbconvert)

const validate = `
import json, sys, nbformat
notebook = json.load(open(sys.argv[1]))
nbformat.validate(notebook)
print(notebook["nbformat"], notebook["nbformat_minor"])
`

/** Validates a notebook against the schema of its own format; answers that format, such as `4.5`. */
export async function formatOfNotebook(text: string): Promise<string> {
  const { stdout } = await withFile(text, (path) => execute(python, ['-c', validate, path]))
  return stdout.trim().replace(' ', '.')
}

/** What Jupyter reads out of a notebook: its code as a Python script, texts as comments. */
export async function scriptByJupyter(text: string): Promise<string> {
  const argv = ['--to', 'python', '--stdout', '--log-level', 'ERROR']
  const { stdout } = await withFile(text, (path) => execute(nbconvert, [...argv, path]))
  return stdout
}

async function withFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'notebook-'))
  try {
    const path = join(folder, 'notebook.ipynb')
    await writeFile(path, text)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
