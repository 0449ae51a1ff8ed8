import type { StartedBy, ToolCallerKind, ToolUsage } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import { startedByCaller, type TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { VersionName } from '../definition/definition-store.ts'
import { toolCallsTable } from './tool-tables.ts'

/** How many days the lists of tools show. */
const shownDays = 14
const mostCallers = 100
/** Of calls that nothing ran for. */
const neverRan = -100

/** Counts a call whose input did not fit: it has no run that would count it. */
export async function countRefusedCall(
  transaction: Transaction,
  caller: TeamCaller,
  { name, version, startedBy = startedByCaller(caller) }: VersionName & { startedBy?: StartedBy | undefined },
): Promise<void> {
  // code of a tool calls in the name of the tool
  const kind: ToolCallerKind = startedBy.kind === 'run' && startedBy.name !== undefined ? 'tool' : startedBy.kind
  const { id, name: callerName } = kind === 'person' ? caller.person : { id: startedBy.id, name: startedBy.name ?? '' }
  const callerId = (kind === 'person' || kind === 'key' ? id : callerName) ?? ''
  const key = { teamId: caller.teamId, name, version, day: daysAgo(0), callerKind: kind, callerId, bucket: neverRan }
  const { teamId, day, callerKind, bucket, calls, invalidInput } = toolCallsTable
  await transaction
    .insert(toolCallsTable)
    .values({ ...key, callerName, calls: 1, invalidInput: 1 })
    .onConflictDoUpdate({
      target: [teamId, toolCallsTable.name, day, toolCallsTable.version, callerKind, toolCallsTable.callerId, bucket],
      set: { calls: sql`${calls} + 1`, invalidInput: sql`${invalidInput} + 1` },
    })
}

/** Calls a day of each of these tools, oldest day first. */
export async function selectDailyCalls(
  transaction: Transaction,
  teamId: string,
  names: readonly string[],
): Promise<(name: string) => number[]> {
  const { name, day, calls } = toolCallsTable
  const rows =
    names.length === 0
      ? []
      : await transaction
          .select({ name, day, calls: sql<number>`sum(${calls})::bigint` })
          .from(toolCallsTable)
          .where(and(isSince(teamId, shownDays), sql`${name} = ANY (${sql.param([...names])})`))
          .groupBy(name, day)
  const counted = new Map(rows.map((row) => [`${row.name} ${row.day}`, row.calls]))
  return (of) => lastDays(shownDays).map((one) => counted.get(`${of} ${one}`) ?? 0)
}

/** What came of a tool in the last days. */
export async function selectUsage(
  transaction: Transaction,
  teamId: string,
  { name, days }: { name: string; days: number },
): Promise<ToolUsage> {
  const { version, day, callerKind, callerId, bucket, callerName } = toolCallsTable
  const totals = {
    calls: sql<number>`sum(${toolCallsTable.calls})::bigint`,
    failed: sql<number>`sum(${toolCallsTable.failed})::bigint`,
    invalidInput: sql<number>`sum(${toolCallsTable.invalidInput})::bigint`,
    invalidOutput: sql<number>`sum(${toolCallsTable.invalidOutput})::bigint`,
  }
  const where = and(isSince(teamId, days), eq(toolCallsTable.name, name))
  const select = <Key extends Parameters<typeof transaction.select>[0]>(key: Key) =>
    transaction
      .select({ ...totals, ...key })
      .from(toolCallsTable)
      .where(where)
  const rows: Counted[] = await select({ version, bucket }).groupBy(version, bucket)
  const daily = new Map((await select({ day }).groupBy(day)).map((row) => [row.day as string, row]))
  const callers = await transaction
    .select({
      kind: callerKind,
      // a key is called as it is now
      name: sql<string>`coalesce((SELECT key.name FROM coherex.api_key AS key
        WHERE key.team_id = ${teamId} AND key.id = ${callerId}), max(${callerName}))`,
      calls: totals.calls,
      versions: sql<number[]>`array_agg(DISTINCT ${version} ORDER BY ${version} DESC)`,
    })
    .from(toolCallsTable)
    .where(where)
    .groupBy(callerKind, callerId)
    .orderBy(sql`3 DESC, 2`)
    .limit(mostCallers)
  const versions = [...Map.groupBy(rows, (row) => row.version)].sort(([a], [b]) => b - a)
  return {
    ...toCounts(rows),
    days,
    byVersion: versions.map(([number, own]) => ({ version: number, ...toCounts(own) })),
    byDay: lastDays(days).map((one) => ({
      day: one,
      calls: daily.get(one)?.calls ?? 0,
      failed: daily.get(one)?.failed ?? 0,
    })),
    callers: callers.map((caller) => ({ ...caller, name: caller.name || 'a key that is gone' })),
  }
}

export async function deleteCalls(transaction: Transaction, teamId: string, name: string): Promise<void> {
  await transaction.delete(toolCallsTable).where(and(eq(toolCallsTable.teamId, teamId), eq(toolCallsTable.name, name)))
}

type Counted = Record<'calls' | 'failed' | 'invalidInput' | 'invalidOutput' | 'version' | 'bucket', number>

function toCounts(
  rows: readonly Counted[],
): Pick<ToolUsage, 'calls' | 'failed' | 'invalidInput' | 'invalidOutput' | 'p50Ms' | 'p95Ms'> {
  const sum = (word: keyof Counted) => rows.reduce((all, row) => all + row[word], 0)
  const ran = rows.filter(({ bucket }) => bucket !== neverRan)
  return {
    ...{ calls: sum('calls'), failed: sum('failed') },
    ...{ invalidInput: sum('invalidInput'), invalidOutput: sum('invalidOutput') },
    ...{ p50Ms: percentile(ran, 0.5), p95Ms: percentile(ran, 0.95) },
  }
}

/** From the counts of durations, each known to within a tenth. */
export function percentile(rows: readonly Pick<Counted, 'bucket' | 'calls'>[], share: number): number | null {
  const wanted = rows.reduce((all, { calls }) => all + calls, 0) * share
  let seen = 0
  for (const { bucket, calls } of [...rows].sort((a, b) => a.bucket - b.bucket)) {
    seen += calls
    // the middle of what the bucket stands for
    if (seen >= wanted) return Number((1.1 ** (bucket - 0.5)).toPrecision(2))
  }
  return null
}

function isSince(teamId: string, days: number) {
  return and(eq(toolCallsTable.teamId, teamId), sql`${toolCallsTable.day} >= ${daysAgo(days - 1)}`)
}

const lastDays = (days: number) => Array.from({ length: days }, (_, at) => daysAgo(days - 1 - at))
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
