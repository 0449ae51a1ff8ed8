import { CoherexError, type Trigger } from '@coherex/contract'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import { nextFirings } from '../registry/index.ts'
import { actFor } from './act-for.ts'
import { lastDeliveries } from './delivery-store.ts'
import { triggerSecretTable, triggerTable, type StoredTrigger } from './tables.ts'
import { isOf, restingOf, type Target } from './target.ts'
import { signatureOf, type Clock } from './trigger.ts'

const shownFirings = 5

export async function selectTrigger(
  transaction: Transaction,
  { teamId, target, id }: { teamId: string; target: Target; id: string },
): Promise<StoredTrigger> {
  const [row] = await transaction
    .select()
    .from(triggerTable)
    .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.id, id), isOf(target)))
  if (!row) throw new CoherexError('not_found', 'There is no such trigger')
  return row
}

/** The triggers of an agent or a tool, with why one does not fire. */
export async function listTriggers(
  { database, publicUrl, clock }: { database: Database; publicUrl: string; clock: Clock },
  teamId: string,
  target: Target,
): Promise<Trigger[]> {
  const resting = await restingOf(database, teamId, target)
  const { rows, secrets, last } = await database.transaction({ team: teamId }, async (transaction) => {
    const found = await transaction
      .select()
      .from(triggerTable)
      .where(and(eq(triggerTable.teamId, teamId), isOf(target)))
      .orderBy(asc(triggerTable.name))
    const ids = found.map(({ id }) => id)
    return {
      rows: found,
      secrets: await transaction
        .select()
        .from(triggerSecretTable)
        .where(
          and(
            eq(triggerSecretTable.teamId, teamId),
            sql`trigger_id = ANY(${sql.param(ids)}) AND (expires_at IS NULL OR expires_at > now())`,
          ),
        )
        .orderBy(asc(triggerSecretTable.number)),
      last: await lastDeliveries(transaction, teamId, ids),
    }
  })
  return Promise.all(
    rows.map(async (row): Promise<Trigger> => {
      const { definition } = row
      const own = secrets.filter(({ triggerId }) => triggerId === row.id)
      const state = await stateOf(database, row, { resting, hasSecret: own.length > 0 })
      return {
        id: row.id,
        name: row.name,
        agent: row.agentName,
        tool: row.toolName,
        kind: row.kind,
        ...state,
        input: showInput(definition),
        workspaceId: definition.workspace ?? null,
        actsFor: { id: row.personId, name: row.personName },
        ...('schedule' in definition && {
          schedule: {
            cron: definition.schedule,
            timezone: definition.timezone ?? 'UTC',
            next: state.status === 'active' ? firingsOf(row, clock) : [],
          },
        }),
        ...('webhook' in definition && {
          webhook: {
            url: `${publicUrl}/hooks/${row.hook}`,
            signature: signatureOf(definition),
            secrets: own.map(({ createdAt, expiresAt }) => ({
              createdAt: createdAt.toISOString(),
              expiresAt: expiresAt?.toISOString() ?? null,
            })),
          },
        }),
        ...('event' in definition && { event: { name: definition.event, paths: definition.paths ?? [] } }),
        last: last.get(row.id) ?? null,
      }
    }),
  )
}

function showInput({ input }: StoredTrigger['definition']): string | null {
  if (input === undefined) return null
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function firingsOf({ definition, nextAt }: StoredTrigger, clock: Clock): string[] {
  if (!('schedule' in definition)) return []
  const after = new Date(Math.max(clock(), nextAt?.getTime() ?? 0))
  const first = nextAt && nextAt.getTime() > clock() ? [nextAt] : []
  const times = [...first, ...nextFirings(definition, after, shownFirings)]
  return times.slice(0, shownFirings).map((time) => time.toISOString())
}

async function stateOf(
  database: Database,
  trigger: StoredTrigger,
  { resting, hasSecret }: { resting: string | undefined; hasSecret: boolean },
): Promise<Pick<Trigger, 'status' | 'reason'>> {
  if (resting !== undefined) return { status: 'paused', reason: resting }
  const { heldUntil, kind } = trigger
  if (heldUntil && heldUntil > new Date()) {
    return { status: 'held', reason: `It fired too often: it rests until ${heldUntil.toISOString()}` }
  }
  if (kind === 'webhook' && !hasSecret) return { status: 'unsigned', reason: 'It takes requests once it has a secret' }
  const acting = await actFor(database, trigger)
  return 'refusal' in acting ? { status: 'refused', reason: acting.refusal } : { status: 'active', reason: null }
}
