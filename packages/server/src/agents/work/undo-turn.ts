import {
  CoherexError,
  isTurnOver,
  type Author,
  type Message,
  type TurnChanges,
  type UndoneTurn,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { DocumentName, Workspaces } from '../../workspaces/index.ts'
import type { createThreads } from '../threads/create-threads.ts'
import { readMessage } from '../threads/threads.ts'
import { selectTurn, type StoredTurn } from '../turns/turn-store.ts'

interface UndoDeps {
  database: Database
  workspaces: Pick<Workspaces, 'versions'>
}

// calls of one answer; each is a version
const mostVersions = 500

/** What the answer of a turn did to files, call by call. */
export async function readTurnChanges(deps: UndoDeps, teamId: string, turnId: string): Promise<TurnChanges> {
  const { workspaceId, name, numbers } = await findVersions(deps, teamId, turnId)
  if (!name) return { workspaceId, items: [] }
  const items: TurnChanges['items'] = []
  for (const version of numbers) {
    const { items: files } = await deps.workspaces.versions.diff(name, { from: version - 1, to: version })
    items.push(...files.map((file) => ({ ...file, version })))
  }
  return { workspaceId, items }
}

interface AskedUndo {
  turnId: string
  author: Author
  /** The thread goes back to before the question, and with it what later answers did. */
  withConversation: boolean
}

/** Takes back what the answer of a turn did to files, and nothing that people typed. */
export async function undoTurn(
  deps: UndoDeps & { threads: Pick<ReturnType<typeof createThreads>, 'get' | 'rewind'> },
  { teamId }: TeamCaller,
  { turnId, author, withConversation }: AskedUndo,
): Promise<UndoneTurn> {
  const { threads, workspaces } = deps
  const { turn, name, numbers } = await findVersions(deps, teamId, turnId, async ({ threadId, answerId }) => {
    if (!withConversation) return []
    const { messages } = await threads.get(teamId, threadId)
    const at = messages.findIndex(({ id }) => id === answerId)
    return at < 0 ? [] : messages.slice(at + 1)
  })
  if (!isTurnOver(turn.status)) {
    throw new CoherexError('conflict', 'Cannot undo the turn: the agent is still at work in it. Stop it first')
  }
  if (!name && !withConversation) {
    throw new CoherexError('conflict', 'Cannot undo the turn: it changed no files that are still known')
  }
  // first the conversation, which is refused while the agent works
  if (withConversation) await threads.rewind(teamId, turn.threadId, turn.answerId)
  if (!name) return { version: null, undone: [], kept: [] }
  const message = `Undid what ${turn.agentName} changed`
  return workspaces.versions.undo(name, { numbers, author, message })
}

interface TurnVersions {
  turn: StoredTurn
  workspaceId: string | null
  /** Undefined where the turn changed nothing that is known. */
  name: DocumentName | undefined
  numbers: number[]
}

async function findVersions(
  { database, workspaces }: UndoDeps,
  teamId: string,
  turnId: string,
  findLater: (turn: StoredTurn) => Promise<Message[]> = async () => [],
): Promise<TurnVersions> {
  const turn = await database.transaction({ team: teamId }, (transaction) => selectTurn(transaction, teamId, turnId))
  const { parts } = await readMessage(database, teamId, turn.threadId, turn.answerId)
  const later = await findLater(turn)
  const changes = findChanges([...parts, ...later.flatMap((message) => message.parts)])
  const workspaceId = changes[0]?.workspaceId ?? null
  const name = workspaceId === null ? undefined : { teamId, workspaceId }
  const asked = new Set(changes.flatMap((one) => (one.workspaceId === workspaceId ? [one.after] : [])))
  const numbers: number[] = []
  for (const number of [...asked].toSorted((a, b) => a - b).slice(0, mostVersions)) {
    if (name && (await isOfAgent(workspaces, name, { number, agent: turn.agentName }))) numbers.push(number)
  }
  return { turn, workspaceId, name: numbers.length > 0 ? name : undefined, numbers }
}

/** A conversation may have been imported: only what the agent's versions say is taken back. */
async function isOfAgent(
  { versions }: Pick<Workspaces, 'versions'>,
  name: DocumentName,
  { number, agent }: { number: number; agent: string },
): Promise<boolean> {
  try {
    const { author } = await versions.get(name, number)
    return author.kind === 'agent' && author.door === 'agent' && author.id === agent
  } catch (error) {
    // the workspace or the version is gone
    if (error instanceof CoherexError) return false
    throw error
  }
}

interface FoundChange {
  workspaceId: string
  after: number
}

/** What the calls of an answer said they did, those of its programs included. */
function findChanges(parts: Message['parts']): FoundChange[] {
  return parts.flatMap(({ output }) => {
    const { change, changes, calls } = fieldsOf(fieldsOf(output)['data'])
    const ofCalls = Array.isArray(calls) ? calls.map((call) => fieldsOf(call)['change']) : []
    return [change, ...(Array.isArray(changes) ? changes : []), ...ofCalls].flatMap((one) => {
      const { workspaceId, after } = fieldsOf(one)
      return typeof workspaceId === 'string' && Number.isSafeInteger(after)
        ? [{ workspaceId, after: after as number }]
        : []
    })
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
