import { CoherexError, followAnswer, type TurnStatus } from '@coherex/contract'
import { z } from 'zod'
import { isFailure, type Agents, type NumberedChunk, type StoredTurn } from '../../agents/index.ts'
import type { Registry } from '../../registry/index.ts'
import { defineTool, reads, runsCode, told, toolShelf } from './define-tool.ts'
import type { Shelf, ToolVisit } from './shelf.ts'

export interface AgentToolsDeps {
  agents: Agents
  registry: Pick<Registry, 'agents'>
  publicUrl: string
}

const lookAgainMs = 1_000

/** Agents of the team. A question is a turn in a thread, which people find in the studio. */
export function agentTools({ agents, registry, publicUrl }: AgentToolsDeps): Shelf {
  const { threads, turns } = agents

  return toolShelf([
    defineTool({
      name: 'list_agents',
      title: 'List agents',
      description: 'Active agents of the team, and what they do',
      input: z.strictObject({}),
      output: z.object({ agents: z.array(z.object({ name: z.string(), description: z.string() })) }),
      access: reads,
      annotations: { readOnlyHint: true, openWorldHint: false },
      async run(_input, { caller }) {
        const { items } = await registry.agents.list(caller.teamId, { limit: 200, status: 'active' })
        return told({ agents: items.map(({ name, description }) => ({ name, description })) })
      },
    }),
    defineTool({
      name: 'ask_agent',
      title: 'Ask an agent',
      description:
        'Asks an agent of the team and gives its answer; what it says meanwhile comes as progress. With a threadId of an earlier answer the conversation goes on',
      input: z.strictObject({
        agent: z.string().min(1).max(100).default('coder').describe('Of list_agents'),
        question: z.string().min(1).max(50_000),
        threadId: z.string().max(64).optional(),
        workspaceId: z.string().max(64).optional().describe('For a new conversation: whose files it works with'),
      }),
      output: z.object({ answer: z.string(), threadId: z.string(), turnId: z.string(), status: z.string() }),
      access: runsCode,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      async run({ agent, question, threadId, workspaceId }, visit) {
        const { caller, signal } = visit
        const id =
          threadId ??
          (await threads.create(caller, { agent, ...(workspaceId === undefined ? {} : { workspaceId }) })).id
        const turn = await turns.say({ caller, threadId: id, text: question })
        const stop = () => void turns.stop(caller, turn.id).catch(() => undefined) // it has ended meanwhile
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
        try {
          const answer = await listen(turn, visit)
          const { status, ending } = await turns.get(caller.teamId, turn.id)
          if (ending && isFailure(ending)) throw new CoherexError('unavailable', ending.message)
          return told({ answer, threadId: id, turnId: turn.id, status }, answer || `The turn is ${status}.`)
        } finally {
          signal.removeEventListener('abort', stop)
        }
      },
    }),
  ])

  /** What the turn says to its end, or until it waits for a person. */
  async function listen({ teamId, id, threadId }: StoredTurn, { signal, say }: ToolVisit): Promise<string> {
    let text = ''
    const news = followAnswer<NumberedChunk>({
      read: (last) => turns.stream({ teamId, id }, last ? last.number + 1 : 0, signal),
      look: async () => (await turns.get(teamId, id)).status,
      ...{ lookAgainMs, signal },
    })
    for await (const one of news) {
      if (one.type === 'rest') {
        say(restWords(one.status, `${publicUrl}/threads/${threadId}`))
        continue
      }
      const { chunk } = one.said
      // what another step says stands apart
      const piece = chunk.type === 'text-delta' ? chunk.delta : chunk.type === 'text-start' && text !== '' ? '\n\n' : ''
      text += piece
      if (piece) say(piece)
      if (chunk.type === 'tool-input-available') say(`\n[${chunk.toolName}]\n`)
    }
    return text.trim()
  }
}

function restWords(status: TurnStatus, url: string): string {
  return status === 'waiting'
    ? `The agent waits for an approval: ${url}`
    : `The agent sleeps, and goes on by itself: ${url}`
}
