import { CoherexError, type GeneratedDefinition, type Message } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import { parseDefinition, type Registry } from '../../registry/index.ts'
import type { createThreads } from '../threads/create-threads.ts'
import type { Turns } from './turns.ts'

interface GenerateDeps {
  threads: Pick<ReturnType<typeof createThreads>, 'create' | 'readMessage'>
  turns: Pick<Turns, 'stream' | 'get' | 'stop'>
  registry: { agents: Pick<Registry['agents'], 'findNeeds'> }
}

const longestMs = 120_000
const atOnce =
  'Nobody answers questions now: decide yourself what is not said. Call draft_definition with the whole definition at once, mend it until it is valid, and do not save it.'

/** Has the builder write a definition in one turn of its own thread, with the caller's rights and the team's quotas. Stores no agent. */
export async function generateDefinition(
  { threads, turns, registry }: GenerateDeps,
  caller: TeamCaller,
  { text, model, signal }: { text: string; model?: string | undefined; signal: AbortSignal },
): Promise<GeneratedDefinition> {
  const { teamId } = caller
  const { id: threadId, turn } = await threads.create(caller, {
    agent: 'builder',
    model,
    title: `New agent: ${text.slice(0, 80)}`,
    message: { text: `${text}\n\n${atOnce}` },
  })
  if (!turn) throw new Error('a thread with a message begins a turn')
  const gone = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  for await (const _ of turns.stream({ teamId, id: turn.id }, 0, gone)) if (gone.aborted) break
  // also one that rests: nobody waits for it any more
  const { ending } = await turns.stop(caller, turn.id)
  const source = findDraft(await threads.readMessage(teamId, threadId, turn.answerId))
  if (source === undefined) {
    const why = ending && ending.kind !== 'answered' ? ending.message : 'The model answered without one'
    throw new CoherexError('unavailable', `No definition was written. ${why}`, { details: { threadId } })
  }
  const { definition, problems } = parseDefinition(source)
  const needs = definition ? await registry.agents.findNeeds(teamId, definition) : []
  return { source, valid: definition !== undefined, problems, needs, threadId }
}

/** The last definition that the builder showed. */
function findDraft({ parts }: Message): string | undefined {
  const part = parts.findLast(
    ({ type, output }) => type === 'tool-draft_definition' && typeof sourceOf(output) === 'string',
  )
  return part && (sourceOf(part['output']) as string)
}

const sourceOf = (output: unknown): unknown => (output as { data?: { source?: unknown } } | undefined)?.data?.source
