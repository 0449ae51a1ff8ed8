import { checkPack } from './check-pack.ts'
import type { GitLimits } from './git-limits.ts'
import { GitRefused } from './git-refusal.ts'

/** What isomorphic-git needs of a file system, in memory: nothing that a repository names is ever a path of the machine. */
export function createMemoryFiles(limits: GitLimits) {
  const files = new Map<string, Buffer>()
  const folders = new Map<string, Set<string>>([['/', new Set()]])
  let bytes = 0

  const missing = (path: string) => Object.assign(new Error(`no ${path}`), { code: 'ENOENT' })
  const enter = (path: string): void => {
    const cut = path.lastIndexOf('/')
    const folder = cut <= 0 ? '/' : path.slice(0, cut)
    const known = folders.get(folder)
    if (known) known.add(path.slice(cut + 1))
    else {
      folders.set(folder, new Set([path.slice(cut + 1)]))
      enter(folder)
    }
  }
  const leave = (path: string): void => {
    const cut = path.lastIndexOf('/')
    folders.get(cut <= 0 ? '/' : path.slice(0, cut))?.delete(path.slice(cut + 1))
  }
  const stat = async (path: string) => {
    const file = files.get(path)
    if (!file && !folders.has(path)) throw missing(path)
    const times = { ctimeMs: 0, mtimeMs: 0, dev: 0, ino: 0, uid: 0, gid: 0 }
    return {
      ...times,
      mode: file ? 0o100644 : 0o40000,
      size: file?.length ?? 0,
      isFile: () => file !== undefined,
      isDirectory: () => file === undefined,
      isSymbolicLink: () => false,
    }
  }

  return {
    promises: {
      async readFile(path: string, options?: string | { encoding?: string }) {
        const file = files.get(path)
        if (!file) throw missing(path)
        const encoding = typeof options === 'string' ? options : options?.encoding
        return encoding === undefined ? file : file.toString(encoding as BufferEncoding)
      },
      async writeFile(path: string, content: string | Uint8Array) {
        const file = Buffer.from(content as Uint8Array)
        if (path.endsWith('.pack')) checkPack(file, limits)
        bytes += file.length - (files.get(path)?.length ?? 0)
        // the same objects packed, and once more as files of their own
        if (bytes > limits.packBytes + limits.unpackedBytes) {
          throw new GitRefused('too_large', 'The repository takes too much memory', 'url')
        }
        files.set(path, file)
        enter(path)
      },
      async mkdir(path: string) {
        if (folders.has(path)) return
        folders.set(path, new Set())
        enter(path)
      },
      async rmdir(path: string) {
        if (folders.delete(path)) leave(path)
      },
      async unlink(path: string) {
        if (!files.delete(path)) throw missing(path)
        leave(path)
      },
      async readdir(path: string) {
        const names = folders.get(path)
        if (!names) throw missing(path)
        return [...names]
      },
      stat,
      lstat: stat,
      async readlink(path: string): Promise<never> {
        throw missing(path)
      },
      async symlink(_target: string, path: string): Promise<never> {
        throw missing(path)
      },
    },
  }
}

export type MemoryFiles = ReturnType<typeof createMemoryFiles>
