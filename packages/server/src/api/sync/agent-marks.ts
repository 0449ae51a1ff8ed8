import type { Author } from '@coherex/contract'
import type { EditPlace } from '../../workspaces/index.ts'
import { colorOf, type PresenceState } from './presence.ts'

interface AgentMarksOptions {
  show(client: number, state: PresenceState): void
  hide(client: number): void
}

// long enough to see who it was; an agent has no line that would end
const shownMs = 60_000
const mostAgents = 20

/** Shows agents where they wrote last, as if they were connected. Each server process does so for those who are here. */
export class AgentMarks {
  readonly #options: AgentMarksOptions
  readonly #agents = new Map<string, { client: number; timer: NodeJS.Timeout }>()

  constructor(options: AgentMarksOptions) {
    this.#options = options
  }

  wrote(author: Author, place: EditPlace): void {
    const before = this.#agents.get(author.id)
    if (!before && this.#agents.size >= mostAgents) return
    clearTimeout(before?.timer)
    const client = before?.client ?? Math.floor(Math.random() * 0xffff_ffff)
    const timer = setTimeout(() => {
      this.#agents.delete(author.id)
      this.#options.hide(client)
    }, shownMs).unref()
    this.#agents.set(author.id, { client, timer })
    const id = `agent/${author.id}`
    this.#options.show(client, { user: { id, name: author.name, color: colorOf(id), kind: 'agent' }, ...place })
  }

  end(): void {
    for (const { timer } of this.#agents.values()) clearTimeout(timer)
    this.#agents.clear()
  }
}
