import { Buffer } from 'node:buffer'
import { posix } from 'node:path'
import { type IFileSystem, InMemoryFs } from 'just-bash'
import type { CallHost } from './host-calls.ts'

type Content = string | Uint8Array
type Encoding = Parameters<IFileSystem['writeFile']>[2]
interface HostStat {
  type: 'file' | 'directory'
  size: number
  modifiedAt: string
}

const systemDirectories = ['/bin', '/usr', '/dev', '/proc']

/** Names of commands and devices live here and end with the process; everything else is the run's space, at the host. */
export function createSpaceFileSystem(call: CallHost): IFileSystem {
  const system = new InMemoryFs({}, { maxTotalBytes: 4_000_000 })
  // The space keeps no modes; what chmod says holds as long as this shell lives.
  const modes = new Map<string, number>()
  const clean = (path: string) => posix.resolve('/', path)
  const isSystem = (path: string) =>
    systemDirectories.some((directory) => clean(path) === directory || clean(path).startsWith(`${directory}/`))
  const files = (method: string, ...args: unknown[]) => call('FILES', method, args)

  const stat: IFileSystem['stat'] = async (path) => {
    if (isSystem(path)) return system.stat(path)
    const { type, size, modifiedAt } = (await files('stat', path)) as HostStat
    const isDirectory = type === 'directory'
    return {
      isFile: !isDirectory,
      isDirectory,
      isSymbolicLink: false,
      mode: modes.get(clean(path)) ?? (isDirectory ? 0o755 : 0o644),
      size,
      mtime: new Date(modifiedAt),
      // there are no links: a file is its path. Commands that replace files ask for it
      identity: clean(path),
    }
  }
  const readFileBuffer: IFileSystem['readFileBuffer'] = async (path) => {
    if (isSystem(path)) return system.readFileBuffer(path)
    return Buffer.from((await files('read', path, { encoding: 'base64' })) as string, 'base64')
  }
  const put = async (method: 'write' | 'append', path: string, content: Content, encoding: Encoding) => {
    if (isSystem(path))
      return method === 'write' ? system.writeFile(path, content, encoding) : system.appendFile(path, content, encoding)
    await files(method, path, toBytes(content, encoding).toString('base64'), { encoding: 'base64' })
  }
  const readdirWithFileTypes = async (path: string) => {
    if (isSystem(path)) return system.readdirWithFileTypes(path)
    const entries = (await files('readdir', path)) as { name: string; type: string }[]
    return entries.map(({ name, type }) => ({
      name,
      isFile: type === 'file',
      isDirectory: type === 'directory',
      isSymbolicLink: false,
    }))
  }
  const exists: IFileSystem['exists'] = async (path) => {
    if (isSystem(path)) return system.exists(path)
    // a name that cannot be is a name that is not
    return (await files('exists', path).catch(() => false)) as boolean
  }
  const copy = async (from: string, to: string, recursive: boolean): Promise<void> => {
    const source = await stat(from)
    if (!source.isDirectory) return put('write', to, await readFileBuffer(from), undefined)
    if (!recursive) throw failure('EISDIR', 'illegal operation on a directory', from)
    await fileSystem.mkdir(to, { recursive: true })
    for (const { name } of await readdirWithFileTypes(from)) await copy(`${from}/${name}`, `${to}/${name}`, true)
  }

  const fileSystem: IFileSystem & Pick<InMemoryFs, 'mkdirSync' | 'writeFileSync' | 'writeFileLazy'> = {
    // the shell lays out /bin and /dev with these when it is made
    mkdirSync: system.mkdirSync.bind(system),
    writeFileSync: system.writeFileSync.bind(system),
    writeFileLazy: system.writeFileLazy.bind(system),
    stat,
    lstat: stat,
    exists,
    readFileBuffer,
    readdirWithFileTypes,
    async readFile(path, options) {
      if (isSystem(path)) return system.readFile(path, options)
      const encoding = (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
      return Buffer.from(await readFileBuffer(path)).toString(encoding === 'binary' ? 'latin1' : encoding)
    },
    writeFile: (path, content, encoding) => put('write', path, content, encoding),
    appendFile: (path, content, encoding) => put('append', path, content, encoding),
    async mkdir(path, options) {
      if (isSystem(path)) return system.mkdir(path, options)
      await files('mkdir', path, { recursive: options?.recursive ?? false })
    },
    readdir: async (path) => (await readdirWithFileTypes(path)).map(({ name }) => name),
    async rm(path, { recursive = false, force = false } = {}) {
      if (isSystem(path)) return system.rm(path, { recursive, force })
      if (force && !(await exists(path))) return
      const { isDirectory } = await stat(path)
      await (isDirectory ? files('rmdir', path, { recursive }) : files('delete', path))
      modes.delete(clean(path))
    },
    cp: (from, to, options) => copy(from, to, options?.recursive ?? false),
    async mv(from, to) {
      if (!isSystem(from) && !isSystem(to)) return void (await files('rename', from, to))
      await copy(from, to, true)
      await fileSystem.rm(from, { recursive: true })
    },
    resolvePath: (base, path) => posix.resolve('/', base, path),
    getAllPaths: () => [],
    async chmod(path, mode) {
      if (isSystem(path)) return system.chmod(path, mode)
      await stat(path)
      if (modes.size < 10_000) modes.set(clean(path), mode)
    },
    async symlink(_, link) {
      throw failure('ENOTSUP', 'there are no links here, copy with cp', link)
    },
    async link(_, link) {
      throw failure('ENOTSUP', 'there are no links here, copy with cp', link)
    },
    async readlink(path) {
      throw failure('EINVAL', 'not a link', path)
    },
    async realpath(path) {
      if (!isSystem(path)) await stat(path)
      return clean(path)
    },
    async utimes(path) {
      if (isSystem(path)) return
      // the space keeps its own times; touch of what is missing was a write before this
      await stat(path)
    },
  }
  return fileSystem
}

function toBytes(content: Content, options: Encoding): Buffer {
  if (typeof content !== 'string') return Buffer.from(content)
  const encoding = (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
  return Buffer.from(content, encoding === 'binary' ? 'latin1' : encoding)
}

function failure(code: string, why: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${why}, '${path}'`), { code })
}
