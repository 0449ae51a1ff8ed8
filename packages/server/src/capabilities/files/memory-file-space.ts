import { type DirectoryEntry, fileError, type FileQuota, type FileSpace, type FileStat } from './file-space.ts'
import { parsePath, showPath } from './parse-path.ts'

interface FileNode {
  type: 'file'
  /** Longer than the file when it grows by appending. */
  bytes: Uint8Array
  size: number
  modifiedAt: Date
  /** Where its bytes come from when they are first needed. */
  load?: () => Promise<Uint8Array>
  /** Where it was at the start, until it is written to. */
  given?: string
}

interface DirectoryNode {
  type: 'directory'
  // a Map: names such as __proto__ are only names
  children: Map<string, FileNode | DirectoryNode>
  modifiedAt: Date
}

type Node = FileNode | DirectoryNode

// A file crosses pipes in one piece: one file is bounded more tightly than the space, whatever is asked for.
const scratchQuota: FileQuota = { maxBytes: 64_000_000, maxFileBytes: 16_000_000, maxFiles: 10_000 }

/** A file whose bytes are fetched when somebody reads it. */
export interface LazyFile {
  size: number
  load(): Promise<Uint8Array>
}

/** A space that knows which of its files are as they were given. */
export interface MemoryFileSpace extends FileSpace {
  /** Whether a file is the one that was given at this path, and nobody wrote to it. */
  isAsGiven(path: string): boolean
}

export interface MemoryFileSpaceOptions {
  kind?: FileSpace['kind']
  quota?: Partial<FileQuota>
  readOnly?: boolean
  /** What is there from the start; counts against the quota. */
  files?: Readonly<Record<string, string | Uint8Array | LazyFile>>
}

/** Scratch files of one run. Every operation is done in one turn, so concurrent callers see whole states. */
export function createMemoryFileSpace(options: MemoryFileSpaceOptions = {}): MemoryFileSpace {
  const asked = { ...scratchQuota, ...options.quota }
  const quota = { ...asked, maxFileBytes: Math.min(asked.maxFileBytes, scratchQuota.maxFileBytes) }
  const root: DirectoryNode = { type: 'directory', children: new Map(), modifiedAt: new Date() }
  let usedBytes = 0
  let usedEntries = 0
  let readOnly = false

  for (const [path, data] of Object.entries(options.files ?? {})) {
    give(path, typeof data === 'string' ? Buffer.from(data) : data)
  }
  readOnly = options.readOnly ?? false

  function give(path: string, data: Uint8Array | LazyFile): void {
    const isLazy = !(data instanceof Uint8Array)
    put(path, isLazy ? new Uint8Array() : data, isLazy ? { size: data.size } : {})
    const node = find(parsePath(path), path)
    if (node.type !== 'file') return
    node.given = showPath(parsePath(path))
    if (isLazy) node.load = () => data.load()
  }

  /** The bytes of a file, fetched when they are not here yet. */
  async function load(node: FileNode): Promise<void> {
    if (!node.load) return
    const bytes = await node.load()
    // someone else may have fetched them, or written others, meanwhile
    if (!node.load) return
    delete node.load
    usedBytes += bytes.length - node.size
    node.bytes = bytes
    node.size = bytes.length
  }

  function find(segments: readonly string[], path: string): Node {
    let node: Node = root
    for (const segment of segments) {
      if (node.type === 'file') throw fileError('ENOTDIR', path)
      const child = node.children.get(segment)
      if (!child) throw fileError('ENOENT', path)
      node = child
    }
    return node
  }

  function nodeAt(path: string): Node | undefined {
    let node: Node | undefined = root
    for (const segment of parsePath(path)) node = node?.type === 'directory' ? node.children.get(segment) : undefined
    return node
  }

  function findDirectory(segments: readonly string[], path: string): DirectoryNode {
    const node = find(segments, path)
    if (node.type === 'file') throw fileError('ENOTDIR', path)
    return node
  }

  /** How many directories are missing on the way; refuses when a file is in it. */
  function countMissing(segments: readonly string[], path: string): number {
    let node: Node = root
    for (const [index, segment] of segments.entries()) {
      if (node.type === 'file') throw fileError('ENOTDIR', path)
      const child = node.children.get(segment)
      if (!child) return segments.length - index
      node = child
    }
    if (node.type === 'file') throw fileError('ENOTDIR', path)
    return 0
  }

  function makeDirectories(segments: readonly string[]): DirectoryNode {
    let node = root
    for (const segment of segments) {
      let child = node.children.get(segment)
      if (!child) {
        child = { type: 'directory', children: new Map(), modifiedAt: new Date() }
        node.children.set(segment, child)
        node.modifiedAt = new Date()
        usedEntries++
      }
      if (child.type === 'file') throw new Error('makeDirectories() was called without countMissing()')
      node = child
    }
    return node
  }

  function checkWritable(path: string): void {
    if (readOnly) throw fileError('EROFS', path)
  }

  function checkRoom(path: string, { bytes, entries }: { bytes: number; entries: number }): void {
    if (usedBytes + bytes > quota.maxBytes || usedEntries + entries > quota.maxFiles) throw fileError('ENOSPC', path)
  }

  // Everything is checked before anything changes: a refused write leaves no directories behind.
  function put(
    path: string,
    bytes: Uint8Array,
    { isAppend = false, size: sizeToCome }: { isAppend?: boolean; size?: number } = {},
  ): void {
    checkWritable(path)
    const segments = parsePath(path)
    const name = segments.at(-1)
    if (name === undefined) throw fileError('EISDIR', path)
    const parents = segments.slice(0, -1)
    const missing = countMissing(parents, path)
    const old = missing === 0 ? findDirectory(parents, path).children.get(name) : undefined
    if (old?.type === 'directory' || path.endsWith('/')) throw fileError('EISDIR', path)
    const size = sizeToCome ?? (isAppend && old ? old.size + bytes.length : bytes.length)
    if (size > quota.maxFileBytes) throw fileError('EFBIG', path)
    checkRoom(path, { bytes: size - (old?.size ?? 0), entries: missing + (old ? 0 : 1) })

    const directory = makeDirectories(parents)
    usedBytes += size - (old?.size ?? 0)
    if (!old) {
      usedEntries++
      directory.modifiedAt = new Date()
    }
    const modifiedAt = new Date()
    if (isAppend && old) {
      old.bytes = grow(old, size)
      old.bytes.set(bytes, old.size)
      old.size = size
      old.modifiedAt = modifiedAt
      delete old.given
      return
    }
    directory.children.set(name, { type: 'file', bytes: Uint8Array.from(bytes), size, modifiedAt })
  }

  function remove(parent: DirectoryNode, name: string, node: Node): void {
    const { bytes, entries } = measure(node)
    parent.children.delete(name)
    parent.modifiedAt = new Date()
    usedBytes -= bytes
    usedEntries -= entries
  }

  function split(path: string): { segments: string[]; parent: string[]; name: string } {
    const segments = parsePath(path)
    const name = segments.at(-1)
    if (name === undefined) throw fileError('EBUSY', path)
    return { segments, parent: segments.slice(0, -1), name }
  }

  return {
    kind: options.kind ?? 'scratch',
    quota,
    get readOnly() {
      return readOnly
    },
    async read(path) {
      const node = find(parsePath(path), path)
      if (node.type === 'directory') throw fileError('EISDIR', path)
      await load(node)
      return node.bytes.slice(0, node.size)
    },
    async write(path, bytes) {
      put(path, bytes)
    },
    async append(path, bytes) {
      // whether it may be appended to is put()'s to say
      const node = nodeAt(path)
      if (node?.type === 'file') await load(node)
      put(path, bytes, { isAppend: true })
    },
    async delete(path) {
      checkWritable(path)
      const segments = parsePath(path)
      const node = find(segments, path)
      if (node.type === 'directory') throw fileError('EISDIR', path)
      remove(findDirectory(segments.slice(0, -1), path), segments.at(-1) ?? '', node)
    },
    async stat(path): Promise<FileStat> {
      const segments = parsePath(path)
      const { type, modifiedAt, ...node } = find(segments, path)
      const size = 'size' in node ? node.size : 0
      return { path: showPath(segments), type, size, modifiedAt: modifiedAt.toISOString() }
    },
    async exists(path) {
      return nodeAt(path) !== undefined
    },
    async mkdir(path, { recursive = false } = {}) {
      checkWritable(path)
      const segments = parsePath(path)
      if (recursive) {
        checkRoom(path, { bytes: 0, entries: countMissing(segments, path) })
        makeDirectories(segments)
        return
      }
      const name = segments.at(-1)
      if (name === undefined) throw fileError('EEXIST', path)
      const parent = findDirectory(segments.slice(0, -1), path)
      if (parent.children.has(name)) throw fileError('EEXIST', path)
      checkRoom(path, { bytes: 0, entries: 1 })
      makeDirectories(segments)
    },
    async readdir(path): Promise<DirectoryEntry[]> {
      const { children } = findDirectory(parsePath(path), path)
      return [...children]
        .map(([name, node]) => ({ name, type: node.type, size: node.type === 'file' ? node.size : 0 }))
        .toSorted((a, b) => compare(a.name, b.name))
    },
    async rmdir(path, { recursive = false } = {}) {
      checkWritable(path)
      const { segments, parent, name } = split(path)
      const node = findDirectory(segments, path)
      if (!recursive && node.children.size > 0) throw fileError('ENOTEMPTY', path)
      remove(findDirectory(parent, path), name, node)
    },
    async rename(from, to) {
      checkWritable(from)
      const source = split(from)
      const target = split(to)
      const node = find(source.segments, from)
      const depth = target.segments.length + deepest(node)
      // parsePath() bounds each path that is spoken; a moved tree must stay within reach of it
      if (depth > 32) throw fileError('ENAMETOOLONG', to)
      if (showPath(source.segments) === showPath(target.segments)) return
      if (node.type === 'directory' && `${showPath(target.segments)}/`.startsWith(`${showPath(source.segments)}/`)) {
        throw fileError('EINVAL', to)
      }
      const missing = countMissing(target.parent, to)
      const old = missing === 0 ? findDirectory(target.parent, to).children.get(target.name) : undefined
      if (old?.type === 'directory' && node.type === 'file') throw fileError('EISDIR', to)
      if (old?.type === 'file' && node.type === 'directory') throw fileError('ENOTDIR', to)
      if (old?.type === 'directory' && old.children.size > 0) throw fileError('ENOTEMPTY', to)
      checkRoom(to, { bytes: 0, entries: missing })

      const sourceParent = findDirectory(source.parent, from)
      if (old) remove(findDirectory(target.parent, to), target.name, old)
      sourceParent.children.delete(source.name)
      sourceParent.modifiedAt = new Date()
      const directory = makeDirectories(target.parent)
      directory.children.set(target.name, node)
      directory.modifiedAt = new Date()
    },
    isAsGiven(path) {
      const node = nodeAt(path)
      return node?.type === 'file' && node.given === showPath(parsePath(path))
    },
    async list(path) {
      const segments = parsePath(path)
      const found: { path: string; size: number }[] = []
      collect(find(segments, path), segments, found)
      return found.toSorted((a, b) => compare(a.path, b.path))
    },
  }
}

function grow(file: FileNode, size: number): Uint8Array {
  if (size <= file.bytes.length) return file.bytes
  const bytes = new Uint8Array(Math.max(size, Math.min(file.bytes.length * 2, size + 1_000_000)))
  bytes.set(file.bytes.subarray(0, file.size))
  return bytes
}

function measure(node: Node): { bytes: number; entries: number } {
  if (node.type === 'file') return { bytes: node.size, entries: 1 }
  const total = { bytes: 0, entries: 1 }
  for (const child of node.children.values()) {
    const { bytes, entries } = measure(child)
    total.bytes += bytes
    total.entries += entries
  }
  return total
}

function deepest(node: Node): number {
  if (node.type === 'file') return 0
  return Math.max(0, ...[...node.children.values()].map((child) => 1 + deepest(child)))
}

function collect(node: Node, segments: string[], found: { path: string; size: number }[]): void {
  if (node.type === 'file') {
    found.push({ path: showPath(segments), size: node.size })
    return
  }
  for (const [name, child] of node.children) collect(child, [...segments, name], found)
}

// by code unit, so that every machine sorts alike
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
