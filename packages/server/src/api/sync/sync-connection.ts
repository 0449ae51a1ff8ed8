import { CoherexError, errorStatus } from '@coherex/contract'
import type { WebSocket } from 'ws'
import * as Y from 'yjs'
import type { Log } from '../../base/index.ts'
import type { Writer } from '../../workspaces/index.ts'
import { createFlowLimit, type FlowRules } from './flow-limit.ts'
import { readAwareness, type Identity } from './presence.ts'
import { authenticated, missing, readMessage, stateVector, status, type ClientMessage } from './sync-messages.ts'
import type { SyncRoom } from './sync-room.ts'

export interface SyncConnectionOptions {
  socket: WebSocket
  room: SyncRoom
  /** What the client calls the document. */
  name: string
  writer: Writer
  identity: Identity
  canWrite: boolean
  /** Whether what waits for all readers leaves no room for one that is behind. */
  isCrowded(): boolean
  log: Log
}

const flow: FlowRules = { messages: 1000, messagesPerSecond: 200, bytes: 16_000_000, bytesPerSecond: 2_000_000 }
/** What a client kept while it was away comes all at once. Its document has all of it, so that it is only counted. */
const flowAtFirst: FlowRules = {
  messages: 100_000,
  messagesPerSecond: 200,
  bytes: 32_000_000,
  bytesPerSecond: 2_000_000,
}
/** Each of these costs a copy of the document. */
const syncFlow: FlowRules = { messages: 10, messagesPerSecond: 0.5, bytes: 1_000_000, bytesPerSecond: 10_000 }
const largestStateVector = 500_000
const largestAwareness = 8192
const mostWaiting = 2000
// a client of ours stops at once when it hears that it may only read
const mostRefused = 10
// a reader this far behind fetches everything again
const largestBacklog = 32_000_000
// one that is less behind is just slow
const smallBacklog = 1_000_000
const patienceMs = 1000

/**
 * One client's socket, in hocuspocus' protocol. Its messages are taken one after the other; what it wrote is acknowledged
 * when it is on disk. Whatever no client of ours would send ends it.
 */
export class SyncConnection {
  /** How the client addresses its messages, and we ours. */
  address: string | undefined
  /** As which it shows itself. */
  client: number | undefined
  readonly #options: SyncConnectionOptions
  readonly #allows = createFlowLimit(flow)
  readonly #allowsAtFirst = createFlowLimit(flowAtFirst)
  readonly #allowsSync = createFlowLimit(syncFlow)
  readonly #waiting: Uint8Array[] = []
  #isBusy = false
  #hasEnded = false
  #isLeft = false
  #isSynced: boolean
  #unacknowledged = 0
  #refused = 0
  #awareness: Uint8Array | undefined

  constructor(options: SyncConnectionOptions) {
    this.#options = options
    this.#isSynced = !options.canWrite
    options.socket.on('message', (data: Buffer, isBinary) => this.#hear(data, isBinary))
    options.room.join(this)
  }

  get canWrite(): boolean {
    return this.#options.canWrite
  }

  send(message: Uint8Array): void {
    const { socket } = this.#options
    if (this.#hasEnded || socket.readyState !== socket.OPEN) return
    const backlog = socket.bufferedAmount
    if (backlog > largestBacklog || (backlog > smallBacklog && this.#options.isCrowded())) return socket.terminate()
    socket.send(message)
  }

  /** Closes the socket with the reason. */
  end(error: CoherexError): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#waiting.length = 0
    const { socket, room } = this.#options
    room.leave(this)
    socket.close(4000 + errorStatus[error.code], Buffer.from(error.message).subarray(0, 120).toString())
    setTimeout(() => socket.terminate(), patienceMs).unref()
  }

  /** The socket is closed. What it brought before is still taken: a person who types and goes loses nothing. */
  leave(): void {
    this.#isLeft = true
    if (this.#isBusy) return
    this.#hasEnded = true
    this.#options.room.leave(this)
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (this.#hasEnded) return
    const isAllowed = this.#isSynced ? this.#allows(data.length) : this.#allowsAtFirst(data.length)
    if (!isAllowed || this.#waiting.length >= (this.#isSynced ? mostWaiting : flowAtFirst.messages)) {
      return this.end(new CoherexError('quota_exceeded', 'Too many messages'))
    }
    if (!isBinary) return this.end(new CoherexError('invalid_input', 'That is no message'))
    if (data.length === 1) return // the answer to a ping
    this.#waiting.push(data)
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    try {
      for (let data = this.#waiting.shift(); data && !this.#hasEnded; data = this.#waiting.shift()) {
        await this.#take(this.#read(data))
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#isBusy = false
    if (this.#isLeft) this.leave()
  }

  #read(data: Uint8Array): ClientMessage {
    let read: ReturnType<typeof readMessage>
    try {
      read = readMessage(data)
    } catch {
      throw new CoherexError('invalid_input', 'That is no message')
    }
    const [name] = read.address.split('\0', 1)
    if (name !== this.#options.name) throw new CoherexError('invalid_input', 'That is for another document')
    this.address ??= read.address
    return read.message
  }

  async #take(message: ClientMessage): Promise<void> {
    const { room, canWrite } = this.#options
    const address = this.address ?? ''
    if (message.kind === 'auth') this.send(authenticated(address, { isReadOnly: !canWrite }))
    else if (message.kind === 'state-vector') await this.#answerSync(message.bytes, address)
    else if (message.kind === 'missing') await this.#takeMissing(message.bytes)
    else if (message.kind === 'update') await this.#takeUpdate(message.bytes)
    else if (message.kind === 'awareness') await this.#takeAwareness(message.bytes)
    else if (message.kind === 'query-awareness') this.send(room.presence.encode(address))
    else if (message.kind === 'other') room.live.storeNow()
    else if (message.kind === 'close') this.#options.socket.close(1000)
  }

  async #answerSync(vector: Uint8Array, address: string): Promise<void> {
    const { room, canWrite } = this.#options
    if (vector.length > largestStateVector || !this.#allowsSync(vector.length)) {
      throw new CoherexError('quota_exceeded', 'Too many requests for the whole document')
    }
    const { doc } = room.live
    const theirs = decodeVector(vector)
    const answer = missing(address, doc, vector)
    const question = stateVector(address, doc)
    const hasMore = [...theirs].some(([client, clock]) => clock > Y.getState(doc.store, client))
    // nobody is shown what a crash could still take back
    await room.live.settled()
    this.send(answer)
    // whoever may not write is told whether they have something that will never be stored
    this.send(canWrite ? question : status(address, !hasMore))
    if (!room.presence.isEmpty) this.send(room.presence.encode(address))
  }

  /** What the client had and we had not. Everything it sent before is in it. */
  async #takeMissing(bytes: Uint8Array): Promise<void> {
    if (!this.canWrite) return this.#refuse(bytes)
    const before = this.#unacknowledged
    this.#unacknowledged = 0
    await this.#store(bytes, 1 + before)
    this.#isSynced = true
    const awareness = this.#awareness
    this.#awareness = undefined
    if (awareness) await this.#takeAwareness(awareness)
  }

  async #takeUpdate(bytes: Uint8Array): Promise<void> {
    if (!this.canWrite) this.#refuse(bytes)
    else if (this.#isSynced) await this.#store(bytes, 1)
    // it may build on what the client did while it was away, which comes when we have asked for it
    else this.#unacknowledged++
  }

  #refuse(bytes: Uint8Array): void {
    if (isEmpty(bytes)) return
    this.send(status(this.address ?? '', false))
    this.#refused++
    if (this.#refused < mostRefused) return
    throw new CoherexError('forbidden', 'You may read this, not write to it')
  }

  async #store(bytes: Uint8Array, messages: number): Promise<void> {
    const { room, writer } = this.#options
    const acknowledge = () => {
      for (let count = 0; count < messages; count++) this.send(status(this.address ?? '', true))
    }
    if (isEmpty(bytes)) return acknowledge()
    const { stored } = await room.live.take(bytes, writer)
    // meanwhile the next is checked: many that are under way share a transaction
    stored.then(acknowledge, (error: unknown) => this.#fail(error))
  }

  async #takeAwareness(bytes: Uint8Array): Promise<void> {
    if (bytes.length > largestAwareness) throw new CoherexError('too_large', 'The awareness is too large')
    if (!this.#isSynced) {
      this.#awareness = bytes
      return
    }
    const { room, writer, identity } = this.#options
    for (const { client, state } of readStates(bytes)) {
      if (state === null) {
        // clients also say who they believe has gone; only they themselves and their sockets know
        if (client === this.client) this.#hide()
        continue
      }
      await room.live.claim([client], writer)
      if (client !== this.client) this.#becomeClient(client)
      room.show(client, { ...state, user: identity }, this)
    }
  }

  #becomeClient(client: number): void {
    // the same person's socket from before they were cut off, that nobody has missed yet
    this.#options.room.holderOf(client)?.end(new CoherexError('conflict', 'The client has connected again'))
    this.#hide()
    this.client = client
  }

  #hide(): void {
    if (this.client !== undefined) this.#options.room.hide(this.client)
    this.client = undefined
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return
    if (error instanceof CoherexError) return this.end(error)
    this.#options.log.error({ error }, 'a sync connection failed')
    this.end(new CoherexError('internal', 'The server failed: try again'))
  }
}

function readStates(bytes: Uint8Array): ReturnType<typeof readAwareness> {
  try {
    return readAwareness(bytes)
  } catch {
    throw new CoherexError('invalid_input', 'That is no awareness')
  }
}

function decodeVector(bytes: Uint8Array): Map<number, number> {
  try {
    return Y.decodeStateVector(bytes)
  } catch {
    throw new CoherexError('invalid_input', 'That is no state vector')
  }
}

/** Nothing written and nothing deleted. */
function isEmpty(update: Uint8Array): boolean {
  return update.length === 2 && update[0] === 0 && update[1] === 0
}
