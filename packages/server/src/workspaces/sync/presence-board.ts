import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { BusEvent, Database, EventBus, Log } from '../../base/index.ts'
import type { DocumentName } from '../document/document-store.ts'
import { presenceTable } from '../tables.ts'

/** Says so in the bus when those who are in a document through another process came, went or moved. */
export const presenceMovedEvent = 'presence-moved'

const tellEveryMs = 100
const announceEveryMs = 250
// a process that says nothing for so long is gone, and those who were there through it with it
const beatEveryMs = 10_000
const goneAfterSeconds = 30
const mostBytes = 256_000

/** What one client shows of itself, as its own process knows it. */
export interface ShownState {
  client: number
  state: unknown
}

export interface PresenceBoardOptions {
  database: Database
  events: EventBus
  log: Log
  name: DocumentName
  audience: Pick<BusEvent, 'only'>
  /** This process. */
  server: string
  /** Everyone who is there through other processes, whenever that may have changed. */
  onOthers(states: ShownState[]): void
}

/**
 * Who is in a document through which server process: each keeps a row of its own and reads those of the others when told
 * to. While no other process has the document open nothing is written but a sign of life.
 */
export class PresenceBoard {
  readonly #options: PresenceBoardOptions
  readonly #unsubscribe: () => void
  readonly #beat: NodeJS.Timeout
  #own: ShownState[] = []
  #peers = new Set<string>()
  #telling: NodeJS.Timeout | undefined
  #announcing: NodeJS.Timeout | undefined
  #isPublishing = false
  #work: Promise<void> = Promise.resolve()
  #hasRead = true
  #isClosed = false

  constructor(options: PresenceBoardOptions) {
    this.#options = options
    const { teamId, workspaceId } = options.name
    this.#unsubscribe = options.events.subscribe(({ type, id, teamId: ofTeam }) => {
      const isOurs = type === presenceMovedEvent && id === workspaceId && ofTeam === teamId
      if ((isOurs && !this.#isPublishing) || type === 'reconnected') this.#look()
    })
    this.#beat = setInterval(() => {
      this.#tell()
      this.#look()
    }, beatEveryMs)
    this.#beat.unref()
    this.#tell()
    this.#look()
  }

  /** Those who are there through this process. */
  show(states: ShownState[]): void {
    this.#own = states
    if (this.#peers.size > 0) this.#telling ??= setTimeout(() => this.#tell(), tellEveryMs)
  }

  /** Tells the team that someone came or went: once for all who do within a moment, and also after the last has gone. */
  announce(): void {
    const { events, name, audience } = this.#options
    if (this.#announcing) return
    this.#announcing = setTimeout(() => {
      this.#announcing = undefined
      void events.publish({ teamId: name.teamId, type: 'presence', id: name.workspaceId, ...audience })
    }, announceEveryMs)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#beat)
    clearTimeout(this.#telling)
    this.#unsubscribe()
    this.#then(async () => {
      const { database, name } = this.#options
      await database.transaction({ team: name.teamId, upkeep: true }, (transaction) =>
        transaction.delete(presenceTable).where(this.#isOwn()),
      )
      this.#publish()
    })
  }

  #tell(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    this.#then(async () => {
      if (this.#isClosed) return
      const { database, name, server } = this.#options
      const row = { states: fit(this.#own), at: sql`now()` }
      const key = [presenceTable.teamId, presenceTable.workspaceId, presenceTable.server]
      await database.transaction({ team: name.teamId, upkeep: true }, (transaction) =>
        transaction
          .insert(presenceTable)
          .values({ ...name, server, ...row })
          .onConflictDoUpdate({ target: key, set: row }),
      )
      this.#publish()
    })
  }

  /** However often it is told to, it reads once after the last time. */
  #look(): void {
    if (!this.#hasRead) return
    this.#hasRead = false
    this.#then(async () => {
      this.#hasRead = true
      if (this.#isClosed) return
      const { database, name, server, onOthers } = this.#options
      const rows = await database.transaction({ team: name.teamId, upkeep: true }, async (transaction) => {
        const ofOthers = and(this.#isOf(), ne(presenceTable.server, server))
        const isGone = lt(presenceTable.at, sql`now() - make_interval(secs => ${goneAfterSeconds})`)
        await transaction.delete(presenceTable).where(and(ofOthers, isGone))
        return transaction.select().from(presenceTable).where(ofOthers)
      })
      const before = this.#peers
      this.#peers = new Set(rows.map((row) => row.server))
      // whoever came knows nothing of those who are here
      if ([...this.#peers].some((peer) => !before.has(peer)) && this.#own.length > 0) this.#tell()
      onOthers(rows.flatMap(({ states }) => states as ShownState[]))
    })
  }

  #publish(): void {
    const { events, name } = this.#options
    this.#isPublishing = true
    void events.publish({ teamId: name.teamId, type: presenceMovedEvent, id: name.workspaceId })
    this.#isPublishing = false
  }

  /** One after the other; what fails is tried again with the next sign of life. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#options.log.warn({ error }, 'who is in a workspace could not be shared')
    })
  }

  #isOf() {
    const { teamId, workspaceId } = this.#options.name
    return and(eq(presenceTable.teamId, teamId), eq(presenceTable.workspaceId, workspaceId))
  }

  #isOwn() {
    return and(this.#isOf(), eq(presenceTable.server, this.#options.server))
  }
}

/** As many as a row may hold: beyond that people are seen by those of their own process only. */
function fit(states: ShownState[]): ShownState[] {
  let bytes = 0
  return states.filter(({ state }) => {
    bytes += JSON.stringify(state).length
    return bytes <= mostBytes
  })
}
