import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CoherexError } from '@coherex/contract'
import type { FileChange, SandboxFile, SandboxFiles } from '../../sandbox.ts'
import { isInside } from '../produced-files.ts'
import { KeeperError, type KeeperLink } from './keeper-link.ts'
import { isRecord, type Question } from './keeper-messages.ts'
import type { KeeperStream } from './keeper-stream.ts'
import { readSandboxFile } from './read-sandbox-file.ts'

// more would only be asked for by someone who forgets to stop
const maxWatches = 64
// an honest keeper tells twenty times a second of each
const maxTellingsPerSecond = 200

export interface WatchedFiles extends SandboxFiles {
  /** False when nobody watches there, or it tells more than an honest keeper would. */
  changed(watch: number, changes: FileChange[]): boolean
}

/** Files of the home, through the keeper: the host touches no path of a guest. */
export function createSandboxFiles(link: KeeperLink): WatchedFiles {
  const watches = new Map<number, (change: FileChange) => void>()
  /** Stopped, but the keeper may not know yet. */
  const stopping = new Set<number>()
  let lastWatch = 0
  let told = { second: 0, count: 0 }

  const ask = async (what: string, path: string, question: Question, streams?: KeeperStream[]): Promise<unknown> => {
    try {
      return await link.ask(question, streams)
    } catch (error) {
      throw error instanceof KeeperError ? explain(error.code, what, path) : error
    }
  }
  const file = (value: unknown): SandboxFile => {
    const read = readSandboxFile(value)
    if (!read) throw new CoherexError('unavailable', 'The sandbox tells of a file in a way that cannot be read')
    return read
  }

  return {
    async list(path, options = {}) {
      checkPath(path, 'list', true)
      const recursive = options.recursive ?? false
      const told = await ask('list', path, { act: 'list', path, recursive })
      const items: unknown = isRecord(told) ? told['items'] : undefined
      if (isRecord(told) && told['isCut'] === true) options.onCut?.()
      // names that cannot be shown, and so not asked for either, are left out
      return Array.isArray(items) ? items.flatMap((item) => readSandboxFile(item) ?? []) : []
    },
    async stat(path) {
      checkPath(path, 'look at', true)
      try {
        return readSandboxFile(await link.ask({ act: 'stat', path }))
      } catch (error) {
        if (error instanceof KeeperError) return undefined
        throw error
      }
    },
    async read(path): Promise<Readable> {
      checkPath(path, 'read')
      const stream = link.stream({ isWritable: false })
      await ask('read', path, { act: 'read', path }, [stream])
      return stream
    },
    async write(path, content, kept) {
      checkPath(path, 'write')
      const stream = link.stream({ isReadable: false })
      const told = ask('write', path, { act: 'write', path, ...(kept && { kept }) }, [stream]).catch(
        (error: unknown) => {
          // nobody takes the rest: whoever sends it need not go on
          stream.destroy(error as Error)
          throw error
        },
      )
      const [sent, written] = await Promise.allSettled([pipeline(content, stream), told])
      if (sent.status === 'rejected') throw sent.reason
      if (written.status === 'rejected') throw written.reason
      return file(written.value)
    },
    async makeDirectory(path) {
      checkPath(path, 'make')
      await ask('make', path, { act: 'make-directory', path })
    },
    async link(path, target, modifiedAt) {
      checkPath(path, 'link')
      await ask('link', path, { act: 'link', path, target, modifiedAt })
    },
    async setTime(path, modifiedAt) {
      checkPath(path, 'change')
      await ask('change', path, { act: 'set-time', path, modifiedAt })
    },
    async move(from, to) {
      checkPath(from, 'move')
      checkPath(to, 'move to')
      await ask('move', from, { act: 'move', path: from, to })
    },
    async remove(path) {
      checkPath(path, 'remove')
      await ask('remove', path, { act: 'remove', path })
    },
    async watch(path, onChange) {
      checkPath(path, 'watch', true)
      if (watches.size >= maxWatches) {
        throw new CoherexError('quota_exceeded', `Cannot watch "${path}": ${maxWatches} watches are open`)
      }
      const watch = ++lastWatch
      watches.set(watch, onChange)
      try {
        await ask('watch', path, { act: 'watch', watch, path })
      } catch (error) {
        watches.delete(watch)
        throw error
      }
      return () => {
        if (!watches.delete(watch)) return
        stopping.add(watch)
        const stopped = () => void stopping.delete(watch)
        link.ask({ act: 'unwatch', watch }).then(stopped, stopped)
      }
    },
    changed(watch, changes) {
      const second = Math.floor(performance.now() / 1000)
      told = told.second === second ? { second, count: told.count + 1 } : { second, count: 1 }
      const onChange = watches.get(watch)
      if (!onChange && !stopping.has(watch)) return false
      if (told.count > maxTellingsPerSecond * (watches.size + stopping.size)) return false
      for (const change of changes) if (change.path === '' || isInside(change.path)) onChange?.(change)
      return true
    },
  }
}

function checkPath(path: string, what: string, mayBeHome = false): void {
  if (isInside(path) || (mayBeHome && path === '')) return
  throw new CoherexError(
    'invalid_input',
    `Cannot ${what} ${JSON.stringify(path.slice(0, 200))}: it is no path in the sandbox`,
  )
}

function explain(code: string, what: string, path: string): CoherexError {
  const failed = `Cannot ${what} "${path}"`
  switch (code) {
    case 'ENOENT':
      return new CoherexError('not_found', `${failed}: there is no such file`)
    case 'ELOOP':
    case 'ENOTDIR':
      return new CoherexError('conflict', `${failed}: a part of the way is a link or no directory`)
    case 'EISDIR':
      return new CoherexError('conflict', `${failed}: it is a directory`)
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new CoherexError('conflict', `${failed}: something is there already`)
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new CoherexError('quota_exceeded', `${failed}: the disk of the sandbox is full`)
    case 'EACCES':
    case 'EPERM':
      return new CoherexError('forbidden', `${failed}: the sandbox does not allow it`)
    case 'ECANCELED':
      return new CoherexError('conflict', `${failed}: it was given up`)
    default:
      return new CoherexError('conflict', `${failed}: the sandbox could not (${code})`)
  }
}
