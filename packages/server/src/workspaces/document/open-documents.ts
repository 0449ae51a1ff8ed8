import { actingPerson } from '../../base/index.ts'
import { documentUpdateEvent } from './document-announcer.ts'
import type { DocumentName } from './document-store.ts'
import { noSuchWorkspace, WorkspaceDocument, type DocumentDeps, type DocumentSettings } from './workspace-document.ts'

/** A document that stays open until it is released. */
export interface OpenDocument {
  document: WorkspaceDocument
  release(): void
}

interface Holding {
  loading: Promise<WorkspaceDocument>
  users: number
  idle: NodeJS.Timeout | undefined
}

/** The documents this process has open: each once, however many use it, and for a while after the last has gone. */
export class OpenDocuments {
  readonly #deps: DocumentDeps
  readonly #settings: DocumentSettings
  readonly #idleMs: number
  readonly #open = new Map<string, Holding>()
  readonly #unsubscribe: () => void

  constructor(deps: DocumentDeps, settings: DocumentSettings & { idleMs: number }) {
    this.#deps = deps
    this.#settings = settings
    this.#idleMs = settings.idleMs
    this.#unsubscribe = deps.events.subscribe(({ type, id, teamId }) => {
      if (type === 'reconnected') for (const one of this.#open.values()) void this.#catchUp(one)
      if (type !== documentUpdateEvent && type !== 'workspace') return
      const holding = id && teamId ? this.#open.get(keyOf({ teamId, workspaceId: id })) : undefined
      if (holding) void this.#catchUp(holding)
    })
  }

  async acquire(name: DocumentName): Promise<OpenDocument> {
    const key = keyOf(name)
    let holding = this.#open.get(key)
    if (!holding) {
      const loading = WorkspaceDocument.load(this.#deps, name, this.#settings)
      const made: Holding = { loading, users: 0, idle: undefined }
      holding = made
      this.#open.set(key, made)
      // whoever comes after it failed or ended loads it afresh
      const forget = () => this.#forget(key, made)
      loading.then((document) => document.onEnd(forget), forget)
    }
    clearTimeout(holding.idle)
    holding.users++
    const held = holding
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      if (--held.users === 0) this.#rest(key, held)
    }
    try {
      const document = await holding.loading
      // row-level security does not reach what is in memory
      if (document.privateTo !== null && document.privateTo !== actingPerson()) throw noSuchWorkspace()
      return { document, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Uses a document for as long as `work` takes. */
  async use<T>(name: DocumentName, work: (document: WorkspaceDocument) => Promise<T>): Promise<T> {
    const { document, release } = await this.acquire(name)
    try {
      return await work(document)
    } finally {
      release()
    }
  }

  /** Everything is written and let go. */
  async close(): Promise<void> {
    this.#unsubscribe()
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(
      open.map(async ({ loading, idle }) => {
        clearTimeout(idle)
        const document = await loading.catch(() => undefined) // told to whoever asked for it
        await document?.end()
      }),
    )
  }

  #forget(key: string, holding: Holding): void {
    clearTimeout(holding.idle)
    if (this.#open.get(key) === holding) this.#open.delete(key)
  }

  async #catchUp(holding: Holding): Promise<void> {
    const document = await holding.loading.catch(() => undefined) // told to whoever asked for it
    await document?.catchUp()
  }

  #rest(key: string, holding: Holding): void {
    if (this.#open.get(key) !== holding) return
    holding.idle = setTimeout(() => {
      void holding.loading.then(async (document) => {
        if (holding.users > 0 || this.#open.get(key) !== holding) return
        // a document that is being ended is loaded again by whoever comes meanwhile: the log has all of it
        this.#open.delete(key)
        await document.end()
      })
    }, this.#idleMs)
    holding.idle.unref()
  }
}

function keyOf({ teamId, workspaceId }: DocumentName): string {
  return `${teamId} ${workspaceId}`
}
