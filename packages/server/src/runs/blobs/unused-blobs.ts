import { randomInt } from 'node:crypto'
import { blobFolders, blobGraceMs, forEachTeam, type Blobs, type Database, type Log } from '../../base/index.ts'
import { unusedBlobs, type BlobsInUse } from './blob-use.ts'

export interface UnusedBlobsOptions {
  database: Database
  blobs: Blobs
  log: Log
  /** What rows of the rooms above name. */
  usedAbove: BlobsInUse
  /** How long after their release bytes are looked at. */
  graceMs?: number
}

const removeEveryMs = 60_000
// one of 256 folders each time: all of them within a day
const sweepEveryMs = 5 * 60_000
/** How long bytes may wait for their first row before a sweep takes them for left behind. */
const abandonedMs = 24 * 60 * 60_000
const blobsAtOnce = 1000
// some 20 MB; those beyond are found by a sweep
const mostReleased = 100_000
// what a team overwrites in ten minutes of honest work; more of it counts as stored, or it could fill the disk past its quota
const freeBytes = 1024 * 1024 * 1024

/**
 * Removes bytes that no row names. Not when they are released: whoever has just put the same bytes, or copies the row that
 * named them, stores a row of their own within the grace time, and is seen then.
 */
export class UnusedBlobs {
  readonly #options: UnusedBlobsOptions
  /** By `team/hash`, those released first before the others. */
  readonly #released = new Map<string, { at: number; bytes: number }>()
  /** Of each team, what lies on the disk for nobody. */
  readonly #waitingBytes = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[]
  #work: Promise<void> = Promise.resolve()
  // a server that is started anew each day comes to every folder too
  #folder = randomInt(blobFolders.length)
  #isClosed = false
  readonly #tellFailure = (error: unknown) =>
    this.#options.log.error({ error }, 'bytes that nobody names could not be looked for')

  constructor(options: UnusedBlobsOptions) {
    this.#options = options
    this.#timers = [
      setInterval(() => this.#inTurn(() => this.removeReleased()), removeEveryMs).unref(),
      setInterval(() => {
        this.#folder = (this.#folder + 1) % blobFolders.length
        const folder = blobFolders[this.#folder]
        if (folder) this.#inTurn(() => this.sweep(folder))
      }, sweepEveryMs).unref(),
    ]
  }

  /** Takes blobs that rows named until now; others may still name them. */
  release(teamId: string, hashes: Iterable<string>): void {
    for (const hash of hashes) {
      const name = `${teamId}/${hash}`
      // to the end of the line
      this.#drop(name, teamId)
      if (this.#released.size >= mostReleased) continue
      const entry = { at: Date.now(), bytes: 0 }
      this.#released.set(name, entry)
      void this.#options.blobs.size(teamId, hash).then((bytes) => {
        if (this.#released.get(name) !== entry) return
        entry.bytes = bytes
        this.#weigh(teamId, bytes)
      }, this.#tellFailure)
    }
  }

  /** What counts as stored for a team, though no row names it any more. */
  waitingMb(teamId: string): number {
    return Math.max(0, (this.#waitingBytes.get(teamId) ?? 0) - freeBytes) / 1024 / 1024
  }

  /** Removes what was released longer ago than the grace time and is named by no row. */
  async removeReleased(): Promise<void> {
    const { database, blobs, log, usedAbove, graceMs = blobGraceMs } = this.#options
    const before = Date.now() - graceMs
    for (let due = this.#takeDue(before); due && !this.#isClosed; due = this.#takeDue(before)) {
      const { teamId, hashes } = due
      try {
        const unused = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
          unusedBlobs(transaction, { teamId, hashes, usedAbove }),
        )
        for (const hash of unused) await blobs.remove(teamId, hash)
      } catch (error) {
        log.error({ error, teamId }, 'bytes that nobody names could not be removed: they are tried again')
        this.release(teamId, hashes)
      }
    }
  }

  /**
   * Releases what lies in a folder of each team for a day without a row: left by a server that was killed, or never stored.
   * Only teams that are here are looked at: the directory may be another installation's too.
   */
  async sweep(folder: string): Promise<void> {
    const { database, blobs } = this.#options
    await forEachTeam(database, async (teamId) => {
      if (this.#isClosed) return
      await blobs.tidy({ teamId, folder })
      let hashes: string[] = []
      for await (const { hash, usedAt } of blobs.list({ teamId, folder })) {
        if (this.#isClosed) return
        if (Date.now() - usedAt < abandonedMs) continue
        if (hashes.push(hash) < blobsAtOnce) continue
        await this.#releaseUnused(teamId, hashes)
        hashes = []
      }
      await this.#releaseUnused(teamId, hashes)
    })
  }

  /** After what is under way. What is still to be removed is found by a sweep of the next server. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#work
  }

  /** A row that named them may have gone this moment: they wait for the grace time like all others. */
  async #releaseUnused(teamId: string, hashes: string[]): Promise<void> {
    if (hashes.length === 0) return
    const { database, usedAbove } = this.#options
    const unused = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      unusedBlobs(transaction, { teamId, hashes, usedAbove }),
    )
    this.release(teamId, unused)
  }

  /** Some blobs of one team that were released before a time. */
  #takeDue(before: number): { teamId: string; hashes: string[] } | undefined {
    let team: string | undefined
    const hashes: string[] = []
    for (const [name, { at }] of this.#released) {
      if (at > before || hashes.length === blobsAtOnce) break
      const [teamId = '', hash = ''] = name.split('/')
      team ??= teamId
      if (teamId !== team) break
      this.#drop(name, teamId)
      hashes.push(hash)
    }
    return team === undefined ? undefined : { teamId: team, hashes }
  }

  #drop(name: string, teamId: string): void {
    const entry = this.#released.get(name)
    if (!entry) return
    this.#released.delete(name)
    this.#weigh(teamId, -entry.bytes)
  }

  #weigh(teamId: string, bytes: number): void {
    const waiting = (this.#waitingBytes.get(teamId) ?? 0) + bytes
    if (waiting > 0) this.#waitingBytes.set(teamId, waiting)
    else this.#waitingBytes.delete(teamId)
  }

  /** One after the other; a look that takes longer than until the next one only puts it off. */
  #inTurn(work: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#isClosed ? undefined : work())).catch(this.#tellFailure)
  }
}
