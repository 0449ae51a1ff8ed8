import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CoherexError } from '@coherex/contract'
import { z } from 'zod'
import type { Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import type { ResolvedPackage } from '../package-source.ts'
import { buildProgram } from './build-program.ts'
import { normalizeName, parseRequirements } from './requirement.ts'
import { readInside, runInside, withSandbox, writeInside } from './resolver-sandbox.ts'

export interface BuildDeps {
  open(spec: SandboxSpec): Promise<Sandbox>
  python: string
  /** Where wheels that were built are kept. */
  directory: string
  pythonVersion: string
  fetch(source: ResolvedPackage, file: string): Promise<void>
  /** Resolves what a build needs and lays it out, wheels alone. */
  layOutTools(requirements: readonly string[], directory: string): Promise<void>
  signal: AbortSignal
}

const told = z.object({
  requires: z.array(z.string().max(500)).max(100).optional(),
  wheel: z.string().max(300).optional(),
})
const buildMs = 600_000
const maxWheel = 500_000_000
const limits = { memoryMb: 1536, processes: 256, diskMb: 1500, inodes: 100_000 }

/** A wheel made of a source distribution, in sandboxes without network; its file. What was built once is taken again. */
export async function buildSource(source: ResolvedPackage, deps: BuildDeps): Promise<string> {
  const { directory, pythonVersion } = deps
  const hex = Buffer.from(source.integrity.replace(/^sha256-/, ''), 'base64').toString('hex')
  const kept = join(directory, `${hex}-${pythonVersion}`)
  const known = await wheelIn(kept)
  if (known) return known
  const beside = join(directory, `.${randomUUID()}`)
  await mkdir(join(beside, 'tools'), { recursive: true, mode: 0o755 })
  await mkdir(join(beside, 'wheel'), { mode: 0o755 })
  try {
    const archive = join(beside, 'source')
    await deps.fetch(source, archive)
    // sandboxes read it as another user
    await chmod(archive, 0o644)
    const { requires } = await ask(source, archive, beside, 'requires', deps)
    let wanted = requires ?? []
    // a backend may want more once it is there
    for (let round = 0; round < 2; round++) {
      await rm(join(beside, 'tools'), { recursive: true, force: true })
      await mkdir(join(beside, 'tools'), { mode: 0o755 })
      await deps.layOutTools(readTools(source, wanted), join(beside, 'tools'))
      const built = await ask(source, archive, beside, 'build', deps)
      if (built.wheel !== undefined) {
        await rename(join(beside, 'wheel'), kept).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        })
        return join(kept, basename(built.wheel))
      }
      wanted = [...wanted, ...(built.requires ?? [])]
    }
    throw failed(source, 'its build wants ever more packages')
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

async function wheelIn(directory: string): Promise<string | undefined> {
  const files = await readdir(directory).catch(() => [])
  const wheel = files.find((name) => name.endsWith('.whl'))
  return wheel && join(directory, wheel)
}

function readTools(source: ResolvedPackage, requires: readonly string[]): string[] {
  try {
    return parseRequirements(requires).map(({ text }) => text)
  } catch (error) {
    throw failed(source, `of what its build needs: ${(error as Error).message}`)
  }
}

async function ask(
  source: ResolvedPackage,
  archive: string,
  shown: string,
  act: 'requires' | 'build',
  { open, python, signal }: BuildDeps,
): Promise<z.infer<typeof told>> {
  return withSandbox({ open, shown, signal, limits }, async (sandbox) => {
    await writeInside(sandbox, 'build.py', buildProgram)
    const argv = [python, '-I', 'build.py', `/opt/template/${basename(archive)}`, act]
    const said = await runInside(sandbox, argv, { timeoutMs: buildMs })
    const text = await readInside(sandbox, 'told.json', 100_000)
    const read = said.code === 0 && text ? told.safeParse(JSON.parse(text.toString('utf8'))) : undefined
    if (!read?.success) throw failed(source, lastLines(said.stderr || said.stdout))
    const { wheel } = read.data
    if (wheel !== undefined) await takeOut(sandbox, source, wheel, join(shown, 'wheel'))
    return read.data
  })
}

async function takeOut(sandbox: Sandbox, source: ResolvedPackage, wheel: string, directory: string): Promise<void> {
  const [name = '', version = ''] = wheel.split('-')
  const isSame = normalizeName(name) === source.name && /^[\w.!+-]{1,250}\.whl$/.test(wheel) && version !== ''
  const file = isSame ? await sandbox.files.stat(`dist/${wheel}`) : undefined
  if (file?.type !== 'file' || file.size > maxWheel) throw failed(source, 'its build made no wheel of it')
  await pipeline(await sandbox.files.read(`dist/${wheel}`), createWriteStream(join(directory, wheel), { flags: 'wx' }))
}

function lastLines(text: string): string {
  const lines = text.trim().split('\n').slice(-5)
  return `its build failed: ${lines.join(' ').slice(-600) || 'it said nothing'}`
}

function failed({ name, version }: ResolvedPackage, why: string): CoherexError {
  return new CoherexError('invalid_input', `Cannot build ${name} ${version}: ${why}`)
}
