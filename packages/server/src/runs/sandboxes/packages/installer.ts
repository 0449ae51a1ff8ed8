import type { Duplex } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import { findActing, type Acting, type TeamCaller } from '../../../access/index.ts'
import { actFor, type Database, type Log } from '../../../base/index.ts'
import type { Preparation } from '../../../packages/index.ts'
import {
  longestInstallRequest,
  readInstallRequest,
  type InstallAnswer,
  type Installer,
  type InstallRequest,
} from '../../../runtimes/index.ts'
import type { SandboxRow } from '../sandbox.ts'
import type { ChangedPackages } from './change-packages.ts'

export interface InstallerDeps {
  database: Database
  log: Log
  /** The sandbox as it is now. */
  row(): SandboxRow
  change(caller: TeamCaller, asked: InstallRequest, preparation: Preparation): Promise<ChangedPackages>
}

// a program asks for a few; who asks for more is no honest one
const mostWaiting = 8
const mostInWindow = 60
const windowMs = 10 * 60_000
const sayMs = 10_000
const lingerMs = 10_000
const unreadBytes = 64 * 1024

/** Takes what `pip` and `npm` in a sandbox ask for, one after the other, with the rights its owner has now. */
export function createInstaller({ database, log, row, change }: InstallerDeps): Installer {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let begun: number[] = []

  return {
    accept(connection) {
      const closed = new AbortController()
      connection.on('error', () => closed.abort())
      connection.once('close', () => closed.abort())
      void answer(connection, closed.signal).finally(() => {
        connection.end()
        // one that does not read its answer holds nothing for long
        setTimeout(() => connection.destroy(), lingerMs).unref()
      })
    },
  }

  async function answer(connection: Duplex, signal: AbortSignal): Promise<void> {
    const say = (line: InstallAnswer) => {
      if (!signal.aborted && connection.writableLength < unreadBytes) connection.write(`${JSON.stringify(line)}\n`)
    }
    try {
      const asked = await readRequest(connection)
      checkRate()
      const done = await inTurn(() => {
        signal.throwIfAborted()
        return install(asked, { signal, onProgress: (text) => say({ type: 'progress', text }) })
      })
      const packages = done.lock?.packages.map(({ name, version }) => ({ name, version })) ?? []
      say({ type: 'done', packages, changed: done.changed })
    } catch (error) {
      const isKnown = error instanceof CoherexError
      if (!isKnown && !signal.aborted) log.error({ error, sandbox: row().id }, 'packages could not be installed')
      const message = isKnown ? error.message : 'Something went wrong on the server'
      say({ type: 'error', code: isKnown ? error.code : 'internal', message })
    }
  }

  async function install(asked: InstallRequest, preparation: Preparation): Promise<ChangedPackages> {
    const { teamId, personId, personName, id } = row()
    const acting: Acting = { via: 'session', credentialId: id, scopes: ['run'] }
    const now = await findActing(database, { teamId, personId, personName, acting })
    if ('lost' in now) throw new CoherexError('forbidden', `Cannot add packages: ${now.lost}`)
    const { caller } = now
    return actFor(caller.person.id, () => change(caller, asked, preparation))
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= mostWaiting)
      throw new CoherexError('quota_exceeded', 'Too many installs wait in this sandbox: try again when they are done')
    waiting++
    const done = turn.then(work, work)
    turn = done.catch(() => undefined) // told to whoever asked for it
    return done.finally(() => waiting--)
  }

  function checkRate(): void {
    const now = Date.now()
    begun = begun.filter((at) => now - at < windowMs)
    if (begun.length >= mostInWindow)
      throw new CoherexError('quota_exceeded', 'Too many installs in this sandbox: try again in some minutes')
    begun.push(now)
  }
}

/** The first line, within a size and a time. */
function readRequest(connection: Duplex): Promise<InstallRequest> {
  return new Promise((resolve, reject) => {
    let text = ''
    const settle = (work: () => void) => {
      clearTimeout(timer)
      connection.off('data', take)
      // what comes after it is for nobody
      connection.resume()
      work()
    }
    const refuse = () =>
      settle(() => reject(new CoherexError('invalid_input', 'This is no request for packages by name')))
    const timer = setTimeout(refuse, sayMs)
    const take = (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end === -1) return text.length > longestInstallRequest ? refuse() : undefined
      const asked = end > longestInstallRequest ? undefined : readInstallRequest(text.slice(0, end))
      if (!asked || asked.requirements.length + asked.remove.length === 0) return refuse()
      settle(() => resolve(asked))
    }
    connection.on('data', take)
    connection.once('close', refuse)
  })
}
