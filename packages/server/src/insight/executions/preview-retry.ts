import { CoherexError, type ExecutionAgain, type ExecutionSummary } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { findCalls } from './approve-runs.ts'
import { readExecutions } from './list-executions.ts'
import { refusesRetry, type RetryDeps } from './retry-execution.ts'

/** What doing an execution again would do, for whoever is about to. */
export async function previewRetry(deps: RetryDeps, teamId: string, id: string): Promise<ExecutionAgain> {
  const kind = id.startsWith('turn_') ? 'turn' : 'run'
  const [one] = await readExecutions(deps, teamId, [{ kind, id }])
  if (!one) throw new CoherexError('not_found', `There is no such ${kind}`)
  const underWay = one.endedAt ? null : `This ${kind} is still under way`
  if (kind === 'turn') {
    const name = await nameOf(deps, 'thread', one.threadId, teamId)
    return {
      ...{ kind, input: await questionOf(deps, teamId, one), language: null, network: null, approvals: [] },
      place: { kind: 'thread', id: one.threadId, name },
      refusal: underWay,
    }
  }
  const { code, options } = await deps.runs.program(teamId, id)
  const { sandboxId = null, workspaceId = null } = options
  const place: ExecutionAgain['place'] =
    sandboxId !== null
      ? { kind: 'sandbox', id: sandboxId, name: await nameOf(deps, 'sandbox', sandboxId, teamId) }
      : workspaceId !== null
        ? { kind: 'workspace', id: workspaceId, name: await nameOf(deps, 'workspace', workspaceId, teamId) }
        : { kind: 'fresh', id: null, name: null }
  return {
    ...{ kind, input: code, language: one.language, place },
    network: sandboxId === null ? (options.network?.allow ?? []) : await networkOf(deps, teamId, sandboxId),
    approvals: await deps.agents.approvals.needed(teamId, await findCalls(deps.database, teamId, [id])),
    refusal: underWay ?? refusesRetry(one) ?? null,
  }
}

/** A list holds the beginning of it. */
async function questionOf({ database }: RetryDeps, teamId: string, { id, input }: ExecutionSummary): Promise<string> {
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute<{ words: string }>(sql`
      SELECT message.words FROM coherex.turn JOIN coherex.message
        ON message.team_id = turn.team_id AND message.id = turn.question_id
      WHERE turn.team_id = ${teamId} AND turn.id = ${id}`),
  )
  return rows[0]?.words ?? input
}

const named = { thread: sql`title`, sandbox: sql`name`, workspace: sql`name` }

async function nameOf(
  { database }: RetryDeps,
  noun: keyof typeof named,
  id: string | null,
  teamId: string,
): Promise<string | null> {
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute<{ name: string }>(sql`
      SELECT ${named[noun]} AS name FROM coherex.${sql.raw(noun)} WHERE team_id = ${teamId} AND id = ${id}`),
  )
  return rows[0]?.name ?? null
}

async function networkOf({ database }: RetryDeps, teamId: string, sandboxId: string): Promise<string[]> {
  const { rows } = await database.transaction({ team: teamId }, (transaction) =>
    transaction.execute<{ network: { allow: string[] } | null }>(
      sql`SELECT network FROM coherex.sandbox WHERE team_id = ${teamId} AND id = ${sandboxId}`,
    ),
  )
  return rows[0]?.network?.allow ?? []
}
