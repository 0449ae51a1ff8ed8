import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import type { Egress } from '../../egress/index.ts'
import { type ArchiveHost, ArchiveRefused, fetchArchive, UnpackThread } from '../archives/index.ts'
import { countFetched } from '../count-fetched.ts'
import type { LayOutOptions, ResolvedPackage } from '../package-source.ts'
import type { Interpreter } from './interpreter.ts'
import type { WheelStore } from './wheel-store.ts'

export interface LayOutDeps {
  egress: Egress
  /** The index they are of; any other place of files is on the public internet. */
  hosts: readonly ArchiveHost[]
  /** Whose they are; undefined for what every team may have. */
  owner: string | undefined
  /** By integrity, on the file system of the sets. */
  store: WheelStore
  interpreter: Interpreter
  /** Makes a tarball of the bytecode of what is unpacked; false where there is none. */
  compile(directory: string, file: string, signal: AbortSignal): Promise<boolean>
  /** Makes a wheel of a source distribution; the file it is in. */
  build(source: ResolvedPackage, signal: AbortSignal): Promise<string>
}

const maxFiles = 200_000
const atOnce = 4

/** Whether every wheel is there as it was unpacked, for all teams. */
export async function areKept(
  packages: readonly ResolvedPackage[],
  { store, interpreter }: Pick<LayOutDeps, 'store' | 'interpreter'>,
): Promise<boolean> {
  for (const one of packages) {
    if (interpreter.packages[one.name] === one.version) continue
    if ((await store.find(storeName(one, interpreter, undefined))) === undefined) return false
  }
  return true
}

/** Fetches, checks and unpacks wheels into `site` and `bin` of an empty directory. */
export async function layOut(
  packages: readonly ResolvedPackage[],
  directory: string,
  { egress, hosts, owner, store, interpreter, compile, build, ...options }: LayOutDeps & LayOutOptions,
): Promise<{ modules: string[] }> {
  const { maxBytes, signal, onProgress } = options
  // what every program finds anyway is there once, and in the zygotes
  const needed = packages.filter(({ name, version }) => interpreter.packages[name] !== version)
  await mkdir(store.directory, { recursive: true, mode: 0o755 })
  const thread = new UnpackThread()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  let unpacked = 0
  const fetched = countFetched(needed.length, onProgress)

  /** What is wrong with bytecode is no reason to do without the package. Half of it would be worse than none. */
  const addBytecode = async (inside: string, beside: string): Promise<void> => {
    const [file, made] = [join(beside, 'bytecode'), join(beside, 'compiled')]
    if (!(await compile(inside, file, either))) return
    await mkdir(made, { mode: 0o755 })
    const limits = { maxFiles, maxBytes }
    try {
      await thread.run({ kind: 'bytecode', file, directory: made, limits }, either)
      await thread.run({ kind: 'link', file: made, directory: inside, limits }, either)
    } catch (error) {
      either.throwIfAborted()
      if (!(error instanceof ArchiveRefused)) throw error
    }
  }

  const keep = async (one: ResolvedPackage): Promise<string> => {
    const name = storeName(one, interpreter, owner)
    const known = await store.find(name)
    if (known !== undefined) return known
    const kept = join(store.directory, name)
    const beside = join(store.directory, `.${randomUUID()}`)
    await mkdir(beside, { mode: 0o755 })
    try {
      const wheel = one.isSource ? await build(one, either) : join(beside, 'archive')
      if (!one.isSource) {
        const archive = { url: one.url, integrity: one.integrity, maxBytes }
        await fetched.during(one.name, (onPiece) =>
          fetchArchive(archive, wheel, { egress, hosts, signal: either, onPiece }),
        )
      }
      const { size } = await stat(wheel)
      const limits = { maxFiles, maxBytes, archiveBytes: size }
      const inside = join(beside, 'unpacked')
      await mkdir(inside, { mode: 0o755 })
      await thread.run({ kind: 'wheel', file: wheel, directory: inside, limits }, either)
      await addBytecode(inside, beside)
      // another run may have been faster, with the same content
      await rename(inside, kept).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
      return kept
    } finally {
      await rm(beside, { recursive: true, force: true })
    }
  }

  const kept = new Map<ResolvedPackage, string>()
  const waiting = [...needed]
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      try {
        kept.set(one, await keep(one))
      } catch (error) {
        stop.abort(error)
        signal.throwIfAborted()
        throw explain(error, one, maxBytes)
      }
      fetched.finish()
    }
  }
  const workers = Array.from({ length: atOnce }, work)
  try {
    // the first to fail ends the others
    await Promise.all(workers)
    for (const one of needed) {
      const limits = { maxFiles, maxBytes: Math.max(0, maxBytes - unpacked) }
      const job = { kind: 'link', file: kept.get(one) ?? '', directory, limits } as const
      const linked = await thread.run(job, signal).catch((error: unknown) => {
        throw explain(error, one, maxBytes)
      })
      unpacked += linked.bytes
    }
  } finally {
    await Promise.allSettled(workers)
    await thread.close()
  }
  await mkdir(join(directory, 'site'), { recursive: true, mode: 0o755 })
  await mkdir(join(directory, 'bin'), { recursive: true, mode: 0o755 })
  await store.tidy()
  return { modules: await modulesIn(join(directory, 'site')) }
}

/**
 * By content and owner: knowing the hash of a wheel of someone's own index does not make it yours. What is built here is not what
 * someone else built.
 */
function storeName(
  { integrity, isSource }: ResolvedPackage,
  { version }: Interpreter,
  owner: string | undefined,
): string {
  const hex = Buffer.from(integrity.replace(/^sha\d+-/, ''), 'base64').toString('hex')
  // with bytecode of one Python
  return [hex, version, ...(isSource ? ['built'] : []), ...(owner === undefined ? [] : [owner])].join('-')
}

function explain(error: unknown, { name, version }: ResolvedPackage, maxBytes: number): unknown {
  if (!(error instanceof ArchiveRefused)) return error
  const { code } = error
  if (code === 'too_large') {
    const most = Math.floor(maxBytes / 1_000_000)
    const message = `Cannot add ${name} ${version}: ${error.message}. A set of packages may take ${most} MB; admins set that in the rules of packages`
    return new CoherexError('too_large', message, { cause: error })
  }
  return new CoherexError(code, `Cannot add ${name} ${version}: ${error.message}`, { cause: error })
}

/** Names that can be imported: folders and files of modules at the top. */
async function modulesIn(site: string): Promise<string[]> {
  const found = new Set<string>()
  for (const entry of await readdir(site, { withFileTypes: true })) {
    const name = entry.isDirectory() ? entry.name : /^(\w+)(?:\.py|(?:\.[\w-]+)?\.so)$/.exec(entry.name)?.[1]
    if (name && /^[A-Za-z_]\w*$/.test(name) && name !== '__pycache__') found.add(name)
  }
  return [...found].sort()
}
