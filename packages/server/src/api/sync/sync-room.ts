import { CoherexError } from '@coherex/contract'
import type { PresenceBoard, ShownState, SyncedDocument } from '../../workspaces/index.ts'
import { AgentMarks } from './agent-marks.ts'
import { Presence, type PresenceState } from './presence.ts'
import type { SyncConnection } from './sync-connection.ts'
import { update as updateMessage } from './sync-messages.ts'

export interface SyncRoomOptions {
  live: SyncedDocument
  /** Shares who is there with other server processes; without it everyone is here. */
  openBoard?: ((onOthers: (states: ShownState[]) => void) => PresenceBoard) | undefined
  /** The last has left, or the document was closed. */
  onEmpty(): void
}

/** Those who edit one document through this server. */
export class SyncRoom {
  readonly live: SyncedDocument
  readonly presence = new Presence()
  readonly #connections = new Set<SyncConnection>()
  readonly #options: SyncRoomOptions
  readonly #board: PresenceBoard | undefined
  readonly #agents = new AgentMarks({
    show: (client, state) => {
      this.presence.setAgent(client, state)
      this.#broadcast((address) => this.presence.encode(address, [client]))
    },
    hide: (client) => {
      if (this.presence.remove(client)) this.#broadcast((address) => this.presence.encode(address, [client]))
    },
  })
  #isClosed = false

  constructor(options: SyncRoomOptions) {
    this.live = options.live
    this.#options = options
    this.#board = options.openBoard?.((states) => {
      const news = this.presence.setElsewhere(states)
      if (news.length > 0) this.#broadcast((address) => this.presence.encode(address, news))
    })
    this.live.onUpdate((bytes, author) => {
      this.#broadcast((address) => updateMessage(address, bytes))
      const place = author.kind === 'agent' ? this.live.placeOf(bytes) : undefined
      if (place) this.#agents.wrote(author, place)
    })
    this.live.onEnd((error) => {
      this.close(error ?? new CoherexError('unavailable', 'The document was closed: try again'))
    })
  }

  get connections(): ReadonlySet<SyncConnection> {
    return this.#connections
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  join(connection: SyncConnection): void {
    this.#connections.add(connection)
  }

  leave(connection: SyncConnection): void {
    if (!this.#connections.delete(connection)) return
    if (connection.client !== undefined) this.hide(connection.client)
    this.endIfEmpty()
  }

  endIfEmpty(): void {
    if (this.#connections.size === 0) this.#end()
  }

  /** The connection that shows itself as this client. */
  holderOf(client: number): SyncConnection | undefined {
    for (const connection of this.#connections) if (connection.client === client) return connection
    return undefined
  }

  show(client: number, state: PresenceState, from: SyncConnection): void {
    const isNews = this.presence.set(client, state)
    this.#board?.show(this.presence.here)
    this.#broadcast((address) => this.presence.encode(address, [client]), from)
    if (isNews) this.#board?.announce()
  }

  hide(client: number): void {
    if (!this.presence.remove(client)) return
    this.#board?.show(this.presence.here)
    this.#broadcast((address) => this.presence.encode(address, [client]))
    this.#board?.announce()
  }

  /** Ends all connections. */
  close(error: CoherexError): void {
    for (const connection of this.#connections) connection.end(error)
    this.#end()
  }

  #broadcast(encode: (address: string) => Uint8Array, except?: SyncConnection): void {
    const encoded = new Map<string, Uint8Array>()
    for (const connection of this.#connections) {
      if (connection === except || connection.address === undefined) continue
      const message = encoded.get(connection.address) ?? encode(connection.address)
      encoded.set(connection.address, message)
      connection.send(message)
    }
  }

  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#board?.close()
    this.#agents.end()
    this.live.release()
    this.#options.onEmpty()
  }
}
