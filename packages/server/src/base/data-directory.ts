import { constants } from 'node:fs'
import { access, chmod, link, mkdir, readFile, rename, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'
import { syncDirectory } from './sync-directory.ts'

const leastFreeMb = 100

/** Another process holds the directory: most likely the running server. */
export class DirectoryInUseError extends StartError {}

export interface DataDirectory {
  path: string
  /** A file of the directory that only we read; made by `create` when it is not there. */
  privateFile(name: string, create: () => string): Promise<string>
  /** Whole or as it was before, also after a loss of power. */
  replacePrivateFile(name: string, text: string): Promise<void>
  /** Lets the next instance in. */
  release(): Promise<void>
}

/** Makes the directory, holds it for this process alone, and checks that it can be used. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await makeDirectory(path)
  const lock = await holdLock(path)
  const release = () => new Promise<void>((resolve) => lock.close(() => resolve()))
  try {
    await checkWritable(path)
    await checkSpace(path)
  } catch (error) {
    await release()
    throw error
  }

  return {
    path,
    async privateFile(name, create) {
      const file = join(path, name)
      const known = await readFile(file, 'utf8').catch(absent)
      if (known !== undefined) return known
      const beside = await writeBeside(file, create())
      // of two processes that start at once, one makes the file and both read the same
      await link(beside, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await unlink(beside)
      await syncDirectory(path)
      return readFile(file, 'utf8')
    },
    replacePrivateFile: (name, text) => replacePrivateFile(path, name, text),
    release,
  }
}

/** Of a directory that another process may hold. */
export async function replacePrivateFile(path: string, name: string, text: string): Promise<void> {
  const file = join(path, name)
  await rename(await writeBeside(file, text), file)
  await syncDirectory(path)
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function writeBeside(file: string, text: string): Promise<string> {
  const beside = `${file}.${process.pid}`
  await unlink(beside).catch(absent)
  await writeFile(beside, text, { mode: 0o600, flag: 'wx', flush: true })
  return beside
}

async function makeDirectory(path: string): Promise<void> {
  try {
    // others may pass through, because the database runs as another user; what is inside is closed to them
    const made = await mkdir(path, { recursive: true, mode: 0o711 })
    if (made) await openWay(made, path)
  } catch (error) {
    throw notWritable(path, error)
  }
}

async function checkWritable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    // root passes every access check, also on a read-only file system
    const probe = join(path, `.probe-${process.pid}`)
    await writeFile(probe, '')
    await unlink(probe)
  } catch (error) {
    throw notWritable(path, error)
  }
}

async function checkSpace(path: string): Promise<void> {
  const disk = await statfs(path)
  const freeMb = Math.floor((disk.bavail * disk.bsize) / 1024 / 1024)
  if (freeMb < leastFreeMb) throw diskFull(path, freeMb)
}

function notWritable(path: string, error: unknown): StartError {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return diskFull(path, 0)
  return new StartError(`Cannot write to the data directory ${path}: ${reasonOf(error)}`)
}

/** A strict umask would close what we just made to the database's user. */
async function openWay(first: string, last: string): Promise<void> {
  for (let at = last; at.length >= first.length; at = dirname(at)) await chmod(at, 0o711)
}

function diskFull(path: string, freeMb: number): StartError {
  return new StartError(`The disk is full: ${path} has ${freeMb} MB free and Coherex needs at least ${leastFreeMb} MB`)
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'it is not a directory',
    EEXIST: 'it is not a directory',
  }
  return reasons[code ?? ''] ?? code ?? String(error)
}

/**
 * A listening socket is the lock: the kernel gives it to one process and takes it back however that process ends.
 * On Linux the name is abstract and made from the inode, so that two paths to one directory meet.
 */
async function holdLock(path: string): Promise<Server> {
  const stats = await stat(path)
  const abstract = process.platform === 'linux'
  const name = abstract ? `\0coherex-${stats.dev}-${stats.ino}` : join(path, 'lock.sock')
  const server = createServer((socket) => socket.destroy())
  server.unref()
  if (!abstract) await unlinkDeadSocket(name)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(name, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw notWritable(path, error)
    throw new DirectoryInUseError(`The data directory ${path} is used by another running Coherex`)
  })
  return server
}

async function unlinkDeadSocket(name: string): Promise<void> {
  const { connect } = await import('node:net')
  const alive = await new Promise<boolean>((resolve) => {
    const socket = connect(name, () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
  if (!alive) await unlink(name).catch(() => undefined) // it was not there
}
