import { Buffer } from 'node:buffer'
import { fromWire, toWire } from '../../protocol/value.ts'

/** A failure with the code that POSIX has for it. */
class FileError extends Error {
  readonly code: string

  constructor(code: string, path: string) {
    super(`${code}: ${path}`)
    this.code = code
  }
}

interface Options {
  bytes: number
  entries: number
  readOnly: boolean
}

/**
 * The run's own files in memory, with the methods of the FILES capability (capabilities/SPEC.md). It stands in for node:fs
 * where FILES was not granted; the host is handed what was written.
 */
export function createScratch(given: Map<string, Buffer>, limits: Options) {
  const files = new Map<string, { bytes: Buffer; modifiedAt: number; isNew: boolean }>()
  const folders = new Set<string>([''])
  let used = 0

  const store = (path: string, bytes: Buffer, isNew: boolean) => {
    const before = files.get(path)?.bytes.length ?? 0
    if (!files.has(path) && files.size + folders.size > limits.entries) throw new FileError('ENOSPC', path)
    if (used - before + bytes.length > limits.bytes) throw new FileError('ENOSPC', path)
    makeParents(path)
    used += bytes.length - before
    files.set(path, { bytes, modifiedAt: Date.now(), isNew })
  }
  const makeParents = (path: string) => {
    const parts = path.split('/').slice(0, -1)
    for (let depth = 1; depth <= parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      if (files.has(folder)) throw new FileError('ENOTDIR', path)
      folders.add(folder)
    }
  }
  const fileAt = (path: string) => {
    const file = files.get(path)
    if (!file) throw new FileError(folders.has(path) ? 'EISDIR' : 'ENOENT', path)
    return file
  }
  const writable = (path: string) => {
    if (limits.readOnly) throw new FileError('EROFS', path)
    if (folders.has(path)) throw new FileError('EISDIR', path)
    return path
  }
  const inside = (folder: string) => (path: string) => folder === '' || path.startsWith(`${folder}/`)
  const remove = (path: string) => {
    used -= files.get(path)?.bytes.length ?? 0
    files.delete(path)
  }

  const methods: Record<string, (...args: unknown[]) => unknown> = {
    read: (path) => new Uint8Array(fileAt(clean(path)).bytes),
    write: (path, data) => void store(writable(clean(path)), toBytes(data), true),
    append: (path, data) => {
      const target = writable(clean(path))
      store(target, Buffer.concat([files.get(target)?.bytes ?? Buffer.alloc(0), toBytes(data)]), true)
    },
    delete: (path) => {
      const target = writable(clean(path))
      fileAt(target)
      remove(target)
    },
    stat: (path) => {
      const target = clean(path)
      if (folders.has(target))
        return { path: `/${target}`, type: 'directory', size: 0, modifiedAt: new Date(0).toISOString() }
      const { bytes, modifiedAt } = fileAt(target)
      return { path: `/${target}`, type: 'file', size: bytes.length, modifiedAt: new Date(modifiedAt).toISOString() }
    },
    exists: (path) => files.has(clean(path)) || folders.has(clean(path)),
    mkdir: (path, options) => {
      const target = clean(path)
      const recursive = (options as { recursive?: boolean } | undefined)?.recursive === true
      if (limits.readOnly) throw new FileError('EROFS', target)
      if (files.has(target) || (folders.has(target) && !recursive)) throw new FileError('EEXIST', target)
      if (!recursive && !folders.has(target.split('/').slice(0, -1).join('/'))) throw new FileError('ENOENT', target)
      if (files.size + folders.size > limits.entries) throw new FileError('ENOSPC', target)
      makeParents(`${target}/x`)
    },
    readdir: (path) => {
      const folder = clean(path ?? '')
      if (!folders.has(folder)) throw new FileError(files.has(folder) ? 'ENOTDIR' : 'ENOENT', folder)
      const depth = folder === '' ? 0 : folder.split('/').length
      const direct = (name: string) => name !== '' && inside(folder)(name) && name.split('/').length === depth + 1
      const listed = [
        ...[...folders]
          .filter(direct)
          .map((name) => ({ name: name.split('/').at(-1) ?? '', type: 'directory', size: 0 })),
        ...[...files]
          .filter(([name]) => direct(name))
          .map(([name, file]) => ({ name: name.split('/').at(-1) ?? '', type: 'file', size: file.bytes.length })),
      ]
      return listed.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    rmdir: (path, options) => {
      const folder = clean(path)
      if (limits.readOnly) throw new FileError('EROFS', folder)
      if (folder === '') throw new FileError('EBUSY', '/')
      if (!folders.has(folder)) throw new FileError(files.has(folder) ? 'ENOTDIR' : 'ENOENT', folder)
      const below = [...files.keys(), ...folders].filter(inside(folder))
      if (below.length > 0 && (options as { recursive?: boolean } | undefined)?.recursive !== true)
        throw new FileError('ENOTEMPTY', folder)
      for (const name of below) {
        remove(name)
        folders.delete(name)
      }
      folders.delete(folder)
    },
    rename: (from, to) => {
      const source = clean(from)
      const target = clean(to)
      if (limits.readOnly) throw new FileError('EROFS', source)
      if (inside(source)(target) && source !== target) throw new FileError('EINVAL', target)
      const moved = files.get(source)
      if (moved) {
        remove(source)
        return store(writable(target), moved.bytes, true)
      }
      if (!folders.has(source)) throw new FileError('ENOENT', source)
      if (files.has(target)) throw new FileError('ENOTDIR', target)
      makeParents(`${target}/x`)
      for (const name of [...folders].filter((folder) => folder === source || inside(source)(folder))) {
        folders.delete(name)
        folders.add(target + name.slice(source.length))
      }
      for (const [name, file] of [...files].filter(([name]) => inside(source)(name))) {
        remove(name)
        store(target + name.slice(source.length), file.bytes, true)
      }
      return undefined
    },
  }
  for (const [path, bytes] of given) store(clean(path), bytes, false)

  return {
    /** One call as JSON, answered as JSON; never throws. */
    answer(method: string, args: string): string {
      try {
        const act = Object.hasOwn(methods, method) ? methods[method] : undefined
        if (!act) throw new FileError('EINVAL', method)
        return JSON.stringify({ value: toWire(act(...(fromWire(JSON.parse(args)) as unknown[])) ?? null) })
      } catch (error) {
        const code = error instanceof FileError ? error.code : 'EINVAL'
        return JSON.stringify({ error: { code, message: error instanceof Error ? error.message : code } })
      }
    },
    written: () => [...files].flatMap(([path, file]) => (file.isNew ? [{ path, bytes: file.bytes }] : [])),
  }
}

function clean(path: unknown): string {
  const text = String(path)
  // control characters, backslashes and lone surrogates have no place in a name that others will see
  if (text.length > 1024 || /[\0-\x1f\\]/.test(text) || !text.isWellFormed())
    throw new FileError('EINVAL', text.slice(0, 100))
  const parts: string[] = []
  for (const part of text.split('/')) {
    if (part === '..' && parts.pop() === undefined) throw new FileError('EINVAL', text)
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.join('/')
}

function toBytes(data: unknown): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  if (data instanceof Uint8Array) return Buffer.from(data)
  throw new FileError('EINVAL', 'data')
}
