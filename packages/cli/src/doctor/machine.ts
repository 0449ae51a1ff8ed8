import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { probe, type Ran } from '../launch.ts'

/** What can be learned about a machine. One place, so that the advice for other machines can be tested on this one. */
export interface Machine {
  platform: string
  isRoot: boolean
  nodeVersion: string
  /** The file's text without its end of line; undefined when it cannot be read. */
  read(path: string): Promise<string | undefined>
  exists(path: string): Promise<boolean>
  isWritable(path: string): Promise<boolean>
  /** Permission bits, or undefined when it is not there. */
  mode(path: string): Promise<number | undefined>
  freeMb(path: string): Promise<number | undefined>
  run(argv: string[], options?: { unprivileged?: boolean }): Promise<Ran>
  isPortFree(port: number): Promise<boolean>
}

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    nodeVersion: process.versions.node,
    read: (path) =>
      readFile(path, 'utf8').then(
        (text) => text.trim(),
        () => undefined,
      ),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    isWritable: (path) =>
      access(path, constants.W_OK).then(
        () => true,
        () => false,
      ),
    mode: (path) =>
      stat(path).then(
        (stats) => stats.mode & 0o777,
        () => undefined,
      ),
    freeMb: (path) =>
      statfs(path).then(
        ({ bavail, bsize }) => Math.floor((bavail * bsize) / 1024 / 1024),
        () => undefined,
      ),
    run: probe,
    isPortFree: (port) =>
      new Promise((resolve) => {
        const server = createServer()
        server.once('error', () => resolve(false))
        server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
      }),
  }
}
