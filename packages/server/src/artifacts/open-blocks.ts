import { largestArtifact, type Artifact } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import { actFor, type EventFeed } from '../base/index.ts'
import {
  createWriter,
  type KeptText,
  type SharedText,
  type SyncedDocument,
  type Workspaces,
} from '../workspaces/index.ts'

interface OpenBlocksDeps {
  events: EventFeed
  workspaces: Pick<Workspaces, 'openText'>
  get(teamId: string, id: string): Promise<Artifact>
  save(
    caller: TeamCaller,
    change: { id: string; code: string; expectedVersion: number; with: string[] },
  ): Promise<Artifact>
}

/** Blocks that are typed in through this server. Versions that come from elsewhere, another server among them, are taken into their texts. */
export class OpenBlocks {
  readonly #deps: OpenBlocksDeps
  readonly #open = new Map<string, SharedText>()
  readonly #unsubscribe: () => void

  constructor(deps: OpenBlocksDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.events.subscribe(({ type, id, teamId }) => {
      if (type === 'reconnected') for (const text of this.#open.values()) text.refresh()
      if (type === 'artifact' && id && teamId) this.#open.get(`${teamId} ${id}`)?.refresh()
    })
  }

  /** One for all who ask until it is released. */
  async open(caller: TeamCaller, id: string): Promise<SyncedDocument> {
    const { get, save, workspaces } = this.#deps
    const { teamId } = caller
    const key = `${teamId} ${id}`
    // one that is closing keeps what was typed first
    await this.#open.get(key)?.idle()
    const kept = toKept(await get(teamId, id))
    // a private block is read as somebody who types in it
    let reader = caller.person.id
    const text = workspaces.openText(id, {
      ...{ key, kept, author: createWriter(caller).author, mostCharacters: largestArtifact.code },
      read: () => actFor(reader, async () => toKept(await get(teamId, id))),
      keep: ({ text: code, after, writers }) => {
        const last = writers.at(-1)?.caller ?? caller
        reader = last.person.id
        const others = writers.slice(0, -1).map((one) => one.caller.person.id)
        return actFor(reader, async () => toKept(await save(last, { id, code, expectedVersion: after, with: others })))
      },
    })
    this.#open.set(key, text)
    text.onEnd(() => {
      if (this.#open.get(key) === text) this.#open.delete(key)
    })
    return text
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all(
      [...this.#open.values()].map((text) => {
        text.release()
        return text.idle()
      }),
    )
  }
}

function toKept({ version, code }: Artifact): KeptText {
  return { version, text: code }
}
