import type { BusEvent, EventBus } from '../../base/index.ts'
import type { DocumentName } from './document-store.ts'

/** Says so in the bus when a document's log has grown; other processes that have it open read on. */
export const documentUpdateEvent = 'document-update'

const tellEveryMs = 20
const announceEveryMs = 250

/** Tells other processes and people that a document changed, each no more often than they need. */
export class DocumentAnnouncer {
  readonly #events: EventBus
  readonly #name: DocumentName
  readonly #audience: Pick<BusEvent, 'only'>
  #isTelling = false
  #toldAt = 0
  #telling: NodeJS.Timeout | undefined
  #announcing: NodeJS.Timeout | undefined

  constructor(events: EventBus, name: DocumentName, audience: Pick<BusEvent, 'only'>) {
    this.#events = events
    this.#name = name
    this.#audience = audience
  }

  /** What is heard right now was said by this process. */
  get isTelling(): boolean {
    return this.#isTelling
  }

  /** To other processes, at once and then at most every few milliseconds. */
  tellProcesses(): void {
    this.#telling ??= setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + tellEveryMs - Date.now()))
  }

  /** To people who look at the workspace; a few times a second is plenty. */
  tellPeople(): void {
    this.#announcing ??= setTimeout(() => this.#announce(), announceEveryMs)
  }

  versionMade(): void {
    this.#publish('version-made')
  }

  /** Says now what was still to be said. */
  finish(): void {
    if (this.#telling) this.#tell()
    if (this.#announcing) this.#announce()
  }

  #tell(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    this.#toldAt = Date.now()
    this.#isTelling = true
    this.#publish(documentUpdateEvent)
    this.#isTelling = false
  }

  #announce(): void {
    clearTimeout(this.#announcing)
    this.#announcing = undefined
    this.#publish('file-changed')
  }

  #publish(type: string): void {
    void this.#events.publish({ teamId: this.#name.teamId, type, id: this.#name.workspaceId, ...this.#audience })
  }
}
