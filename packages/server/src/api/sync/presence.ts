import { isDeepStrictEqual } from 'node:util'
import { isPlainPath } from '@coherex/contract'
import { IncomingMessage, OutgoingMessage } from '@hocuspocus/server'
import type { Awareness } from 'y-protocols/awareness'
import { storable } from '../../base/index.ts'
import type { ShownState } from '../../workspaces/index.ts'

/** Who someone is to those who edit with them. The server says so, never their client. */
export interface Identity {
  id: string
  name: string
  color: string
  /** Where it is no person. */
  kind?: 'agent'
}

/** What one client shows of itself: where it is. */
export interface PresenceState {
  user: Identity
  /** The path of the file that is looked at. */
  file?: string
  cursor?: unknown
  selection?: unknown
}

export interface ToldState {
  client: number
  /** null when it goes. */
  state: Omit<PresenceState, 'user'> | null
}

const colors = ['#2563eb', '#c026d3', '#d97706', '#059669', '#dc2626', '#7c3aed', '#0891b2', '#65a30d']
const mostStates = 100
const mostElsewhere = 500

export function colorOf(personId: string): string {
  let sum = 0
  for (const character of personId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return colors[sum % colors.length] ?? '#2563eb'
}

/** Reads an awareness update: of each state only what a client may say about itself. Throws when it is none. */
export function readAwareness(bytes: Uint8Array): ToldState[] {
  const incoming = new IncomingMessage(bytes)
  const count = incoming.readVarUint()
  if (count > mostStates) throw new Error('there are too many states')
  return Array.from({ length: count }, () => {
    const client = incoming.readVarUint()
    incoming.readVarUint() // its clock: ours count, so that no client can outrun another
    const state = storable<unknown>(JSON.parse(incoming.readVarString()))
    if (client > 0xffff_ffff) throw new Error('the client is out of range')
    if (typeof state !== 'object' || state === null) return { client, state: null }
    const { file, cursor, selection } = state as Record<string, unknown>
    const isPath = typeof file === 'string' && file.length <= 1024 && isPlainPath(file)
    return {
      client,
      state: {
        ...(isPath ? { file } : {}),
        ...(cursor === undefined ? {} : { cursor }),
        ...(selection === undefined ? {} : { selection }),
      },
    }
  })
}

/** Who is in a document, by client: those who are connected here, and those who are elsewhere. */
export class Presence {
  readonly #states = new Map<number, PresenceState>()
  readonly #elsewhere = new Set<number>()
  readonly #agents = new Set<number>()
  readonly #clocks = new Map<number, number>()

  /** Answers whether someone came, or looks at another file. */
  set(client: number, state: PresenceState): boolean {
    const before = this.#states.get(client)
    this.#states.set(client, state)
    this.#elsewhere.delete(client)
    this.#agents.delete(client)
    this.#advance(client)
    return !before || before.file !== state.file
  }

  /** An agent is shown by each server process to those who are connected to it. */
  setAgent(client: number, state: PresenceState): void {
    this.set(client, state)
    this.#agents.add(client)
  }

  remove(client: number): boolean {
    this.#agents.delete(client)
    this.#advance(client)
    return this.#states.delete(client)
  }

  /** Those who are connected here. */
  get here(): ShownState[] {
    const isHere = (client: number) => !this.#elsewhere.has(client) && !this.#agents.has(client)
    return [...this.#states].flatMap(([client, state]) => (isHere(client) ? [{ client, state }] : []))
  }

  /** Everyone who is connected elsewhere, as their server says. Answers the clients of whom there is news. */
  setElsewhere(states: ShownState[]): number[] {
    const now = new Map(states.slice(0, mostElsewhere).map(({ client, state }) => [client, state as PresenceState]))
    const news: number[] = []
    for (const client of this.#elsewhere) {
      if (now.has(client)) continue
      this.#elsewhere.delete(client)
      this.remove(client)
      news.push(client)
    }
    for (const [client, state] of now) {
      const before = this.#states.get(client)
      // whoever has come here since is here
      if (before && !this.#elsewhere.has(client)) continue
      if (before && isDeepStrictEqual(before, state)) continue
      this.set(client, state)
      this.#elsewhere.add(client)
      news.push(client)
    }
    return news
  }

  /** As an awareness message: of these clients, or of all that are here. */
  encode(address: string, clients: number[] = [...this.#states.keys()]): Uint8Array {
    const meta = new Map(clients.map((client) => [client, { clock: this.#clocks.get(client) ?? 0, lastUpdated: 0 }]))
    const awareness = { states: this.#states, meta } as unknown as Awareness
    return new OutgoingMessage(address).createAwarenessUpdateMessage(awareness, clients).toUint8Array()
  }

  get isEmpty(): boolean {
    return this.#states.size === 0
  }

  // from the time of day, so that they go on where a server that was killed left off
  #advance(client: number): void {
    this.#clocks.set(client, Math.max((this.#clocks.get(client) ?? 0) + 1, Date.now()))
  }
}
