import { inspect } from '../inspect.ts'
import { decodeUtf8 } from '../text-coding.ts'
import { Buffer } from './buffer.ts'
import type { FileOperations } from './file-operations.ts'
import { join } from './path.ts'

type Encoding = string | null | undefined
type EncodingOption = Encoding | { encoding?: Encoding; flag?: string }

interface Found {
  path: string
  type: 'file' | 'directory'
  size: number
  modifiedAt: string
}

interface Listed {
  name: string
  type: 'file' | 'directory'
}

/** Each operation once, as steps: run to the end at once (fs.*Sync) or with waiting between them (fs.promises). */
type Steps = Generator<[method: string, ...args: unknown[]], unknown, unknown>

function createSteps(stdin: string | undefined) {
  const steps = {
    *readFile(path: unknown, options?: EncodingOption): Steps {
      const encoding = typeof options === 'object' && options ? options.encoding : options
      if (path === 0 || path === '/dev/stdin') return decode(encodeText(stdin ?? ''), encoding)
      return decode((yield ['read', toPath(path), { encoding: 'bytes' }]) as Uint8Array, encoding)
    },
    *writeFile(path: unknown, data: unknown, options?: EncodingOption): Steps {
      const append = typeof options === 'object' && options?.flag?.startsWith('a')
      if (typeof options === 'object' && options?.flag?.includes('x') && (yield ['exists', toPath(path)])) {
        throw alreadyExists('open', path)
      }
      yield [append ? 'append' : 'write', toPath(path), toData(data, options)]
      return undefined
    },
    *appendFile(path: unknown, data: unknown, options?: EncodingOption): Steps {
      yield ['append', toPath(path), toData(data, options)]
      return undefined
    },
    *stat(path: unknown, options?: { throwIfNoEntry?: boolean }): Steps {
      if (options?.throwIfNoEntry === false && !(yield ['exists', toPath(path)])) return undefined
      return toStats((yield ['stat', toPath(path)]) as Found)
    },
    *access(path: unknown): Steps {
      yield ['stat', toPath(path)]
      return undefined
    },
    *mkdir(path: unknown, options?: { recursive?: boolean } | number): Steps {
      const recursive = typeof options === 'object' && Boolean(options.recursive)
      yield ['mkdir', toPath(path), { recursive }]
      return undefined
    },
    *readdir(path: unknown, options?: Encoding | { withFileTypes?: boolean; recursive?: boolean }): Steps {
      const given = typeof options === 'object' && options ? options : {}
      const root = toPath(path)
      const found: (string | Dirent)[] = []
      const waiting = ['']
      for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
        for (const { name, type } of (yield ['readdir', join(root, folder)]) as Listed[]) {
          const inside = folder === '' ? name : `${folder}/${name}`
          found.push(given.withFileTypes ? new Dirent(name, type, join(root, folder)) : inside)
          if (given.recursive && type === 'directory') waiting.push(inside)
        }
      }
      return found
    },
    *unlink(path: unknown): Steps {
      yield ['delete', toPath(path)]
      return undefined
    },
    *rmdir(path: unknown): Steps {
      yield ['rmdir', toPath(path)]
      return undefined
    },
    *rm(path: unknown, options: { recursive?: boolean; force?: boolean } = {}): Steps {
      if (options.force && !(yield ['exists', toPath(path)])) return undefined
      const found = (yield ['stat', toPath(path)]) as Found
      if (found.type === 'file') yield ['delete', toPath(path)]
      else if (options.recursive) yield ['rmdir', toPath(path), { recursive: true }]
      else
        throw Object.assign(new Error(`Path is a directory: rm returned EISDIR '${toPath(path)}'`), {
          code: 'ERR_FS_EISDIR',
        })
      return undefined
    },
    *rename(from: unknown, to: unknown): Steps {
      yield ['rename', toPath(from), toPath(to)]
      return undefined
    },
    *copyFile(from: unknown, to: unknown, mode?: number): Steps {
      if (mode === constants.COPYFILE_EXCL && (yield ['exists', toPath(to)])) throw alreadyExists('copyfile', to)
      yield ['write', toPath(to), yield ['read', toPath(from), { encoding: 'bytes' }]]
      return undefined
    },
    *mkdtemp(prefix: string): Steps {
      const path = prefix + globalThis.Math.random().toString(36).slice(2, 8).padEnd(6, '0')
      yield ['mkdir', path, { recursive: true }]
      return path
    },
  }
  return { ...steps, lstat: steps.stat, realpath: (path: unknown): Steps => realpath(path) }
}

function* realpath(path: unknown): Steps {
  return ((yield ['stat', toPath(path)]) as Found).path
}

/** node:fs: the promise, the callback and the sync form of each operation. */
export function createFs(files: FileOperations, stdin: string | undefined) {
  const promises: Record<string, (...args: unknown[]) => Promise<unknown>> = {}
  const module: Record<string, unknown> = { constants, Dirent, Stats }
  for (const [name, operation] of Object.entries(createSteps(stdin))) {
    const begin = operation as (...args: unknown[]) => Steps
    promises[name] = async (...args) => {
      const steps = begin(...args)
      let step = steps.next()
      while (!step.done)
        step = await files.later(...step.value).then(
          (value) => steps.next(value),
          (error: unknown) => steps.throw(error),
        )
      return step.value
    }
    module[`${name}Sync`] = (...args: unknown[]) => {
      const steps = begin(...args)
      let step = steps.next()
      while (!step.done) step = steps.next(files.now(...step.value))
      return step.value
    }
    module[name] = (...args: unknown[]) => {
      const done = args.pop()
      if (typeof done !== 'function') throw new TypeError(`fs.${name}: the last argument must be a callback`)
      void promises[name]!(...args).then(
        (value) => done(null, value) as unknown,
        (error: unknown) => done(error) as unknown,
      )
    }
  }
  const existsSync = (path: unknown) => {
    try {
      return files.now('exists', toPath(path)) === true
    } catch {
      return false
    }
  }
  return { ...module, existsSync, promises: { ...promises, constants } }
}

const constants = { F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, COPYFILE_EXCL: 1, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2 }

class Dirent {
  readonly name: string
  readonly parentPath: string
  readonly #type: string

  constructor(name: string, type: string, parentPath: string) {
    this.name = name
    this.parentPath = parentPath
    this.#type = type
  }

  isFile(): boolean {
    return this.#type === 'file'
  }

  isDirectory(): boolean {
    return this.#type === 'directory'
  }

  isSymbolicLink(): boolean {
    return false
  }
}

class Stats {
  readonly size: number
  readonly mtime: Date
  readonly mtimeMs: number
  readonly mode: number

  constructor(found: Found) {
    this.size = found.size
    this.mtime = new Date(found.modifiedAt)
    this.mtimeMs = this.mtime.getTime()
    this.mode = found.type === 'directory' ? 0o040755 : 0o100644
  }

  isFile(): boolean {
    return this.mode >= 0o100000
  }

  isDirectory(): boolean {
    return !this.isFile()
  }

  isSymbolicLink(): boolean {
    return false
  }
}

function alreadyExists(syscall: string, path: unknown): Error {
  const code = 'EEXIST'
  const message = `${code}: file already exists, ${syscall} '${toPath(path)}'`
  return Object.assign(new Error(message), { code, syscall, path: toPath(path) })
}

function toStats(found: Found): Stats {
  return new Stats(found)
}

function toPath(path: unknown): string {
  if (typeof path === 'string') return path.startsWith('file://') ? decodeURIComponent(path.slice(7)) : path
  if (path instanceof Uint8Array) return decodeUtf8(path).text
  if (typeof path === 'object' && path !== null && 'pathname' in path) return decodeURIComponent(String(path.pathname))
  throw Object.assign(
    new TypeError(`The "path" argument must be a string, a Buffer or a URL. Received ${inspect(path)}`),
    { code: 'ERR_INVALID_ARG_TYPE' },
  )
}

function toData(data: unknown, options: EncodingOption): string | Uint8Array {
  const encoding = typeof options === 'object' && options ? options.encoding : options
  if (typeof data === 'string') {
    if (!encoding || /^utf-?8$/i.test(encoding)) return data.toWellFormed()
    return new Uint8Array((Buffer as unknown as BufferLike).from(data, encoding) as unknown as Uint8Array)
  }
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  throw Object.assign(new TypeError(`The "data" argument must be a string or bytes. Received ${inspect(data)}`), {
    code: 'ERR_INVALID_ARG_TYPE',
  })
}

interface BufferLike {
  from(bytes: Uint8Array | string, encoding?: string): { toString(encoding?: string): string }
}

function encodeText(text: string): Uint8Array {
  return (Buffer as unknown as BufferLike).from(text, 'utf8') as unknown as Uint8Array
}

function decode(bytes: Uint8Array, encoding: Encoding): unknown {
  const buffer = (Buffer as unknown as BufferLike).from(bytes)
  if (!encoding || encoding === 'buffer') return buffer
  if (encoding === 'utf8' || encoding === 'utf-8') return decodeUtf8(bytes).text
  return buffer.toString(encoding)
}
