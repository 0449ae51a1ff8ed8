import {
  CoherexError,
  type Page,
  type ToolReview,
  type ToolReviewRequest,
  type ToolRules,
  type Use,
} from '@coherex/contract'
import { and, desc, eq, lt, ne } from 'drizzle-orm'
import { decodeCursor, recordAudit, takePage, type TeamCaller } from '../../access/index.ts'
import { createId, type Transaction } from '../../base/index.ts'
import type { createDefinitions } from '../definition/create-definitions.ts'
import type { ToolFolder } from './tool-kind.ts'
import { toolReviewTable, type ToolRow, type ToolVersionRow } from './tool-tables.ts'

/** What a model or a service found. */
export interface Finding {
  note: string
  file: string | null
  line: number | null
}

type Verbs = Pick<
  ReturnType<typeof createDefinitions<ToolRow, ToolVersionRow, ToolFolder>>,
  'store' | 'change' | 'readVersion'
>
type ReviewRow = typeof toolReviewTable.$inferInsert

const mostReviews = 1_000

/** What people, models and services say of versions of tools. */
export function createToolReviews({ store, change, readVersion }: Verbs) {
  async function insert(transaction: Transaction, rows: ReviewRow[]): Promise<ToolReview[]> {
    const [first] = rows
    if (!first) return []
    const ofVersion = and(
      eq(toolReviewTable.teamId, first.teamId),
      eq(toolReviewTable.name, first.name),
      eq(toolReviewTable.version, first.version),
    )
    if ((await transaction.$count(toolReviewTable, ofVersion)) + rows.length > mostReviews)
      throw new CoherexError(
        'quota_exceeded',
        `Cannot review version ${first.version} any more: it has ${mostReviews} comments`,
      )
    return (await transaction.insert(toolReviewTable).values(rows).returning()).map(toReview)
  }

  return {
    /** What a person says of a version. Its author does not approve it, and a key approves nothing: an agent may hold it. */
    async review(caller: TeamCaller, name: string, asked: ToolReviewRequest): Promise<ToolReview> {
      const { teamId, person } = caller
      const { version, decision, note, file = null, line = null } = asked
      const { content } = await readVersion(teamId, { name, version })
      if (file !== null && !content.files.has(file))
        throw new CoherexError('invalid_input', `Version ${version} of "${name}" has no file "${file}"`)
      return change(caller, name, async (transaction) => {
        const row = await store.selectVersion(transaction, teamId, { name, version })
        if (decision === 'approve') refuseApproval(caller, row)
        const by = { byKind: 'person' as const, byId: person.id, byName: person.name }
        const [made] = await insert(transaction, [
          { teamId, id: createId('review'), name, version, decision, note, file, line, ...by },
        ])
        if (!made) throw new Error('the review was not stored')
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'tool.review', target: { kind: 'tool', name } },
          details: { version, decision, digest: row.digest },
        })
        return made
      })
    },

    /** Keeps what a model or a service found, as comments. */
    async keepFindings(
      caller: TeamCaller,
      at: { name: string; version: number; by: ToolReview['by']; use: Use | null },
      findings: readonly Finding[],
    ): Promise<ToolReview[]> {
      const { teamId } = caller
      const { name, version, by, use } = at
      const columns = { byKind: by.kind, byId: by.id, byName: by.name, decision: 'comment' as const }
      return change(caller, name, async (transaction) => {
        await store.selectVersion(transaction, teamId, { name, version })
        const rows = findings.map((finding) => ({
          teamId,
          id: createId('review'),
          name,
          version,
          ...columns,
          ...finding,
        }))
        const made = await insert(transaction, rows)
        await recordAudit(transaction, {
          ...{ teamId, actor: caller, action: 'tool.ask-review', target: { kind: 'tool', name } },
          details: { version, by, use, findings: made.length },
        })
        return made
      })
    },

    /** Newest first. */
    async list(
      transaction: Transaction,
      teamId: string,
      asked: { name: string; version?: number | undefined; limit: number; cursor?: string | undefined },
    ): Promise<Page<ToolReview>> {
      const { name, version, limit, cursor } = asked
      const before = cursor ? decodeCursor(cursor, 1)[0] : undefined
      const rows = await transaction
        .select()
        .from(toolReviewTable)
        .where(
          and(
            eq(toolReviewTable.teamId, teamId),
            eq(toolReviewTable.name, name),
            version === undefined ? undefined : eq(toolReviewTable.version, version),
            before === undefined ? undefined : lt(toolReviewTable.id, before),
          ),
        )
        .orderBy(desc(toolReviewTable.id))
        .limit(limit + 1)
      const page = takePage(rows, limit, ({ id }) => [id])
      return { ...page, items: page.items.map(toReview) }
    },

    /** Whether a version has the approval that the team asks for. */
    async check(
      transaction: Transaction,
      { teamId, name, version, createdBy }: ToolVersionRow,
      rules: ToolRules,
    ): Promise<{ passed: boolean; message: string }> {
      if (rules.toolReview === 'none') return { passed: true, message: 'The team asks for none' }
      const { byId, byName, decision } = toolReviewTable
      const last = await transaction
        .selectDistinctOn([byId], { byId, byName, decision })
        .from(toolReviewTable)
        .where(
          and(
            eq(toolReviewTable.teamId, teamId),
            eq(toolReviewTable.name, name),
            eq(toolReviewTable.version, version),
            eq(toolReviewTable.byKind, 'person'),
            inDecisions,
          ),
        )
        .orderBy(byId, desc(toolReviewTable.id))
      const against = last.find((one) => one.decision === 'reject')
      if (against) return { passed: false, message: `${against.byName} rejects version ${version}` }
      const approved = last.find((one) => one.decision === 'approve' && one.byId !== createdBy)
      if (approved) return { passed: true, message: `Approved by ${approved.byName}` }
      return { passed: false, message: `Version ${version} needs the approval of someone else than its author` }
    },
  }
}

const inDecisions = ne(toolReviewTable.decision, 'comment')

function refuseApproval({ via, person }: TeamCaller, { name, version, createdBy }: ToolVersionRow): void {
  const what = `Cannot approve version ${version} of "${name}"`
  if (via !== 'session') throw new CoherexError('forbidden', `${what}: a signed-in person approves, not an API key`)
  if (createdBy === person.id)
    throw new CoherexError('forbidden', `${what}: you wrote it, and someone else approves it`)
}

function toReview(row: typeof toolReviewTable.$inferSelect): ToolReview {
  const { id, version, decision, note, file, line } = row
  return {
    ...{ id, version, decision, note, file, line },
    by: { kind: row.byKind, id: row.byId, name: row.byName },
    createdAt: row.createdAt.toISOString(),
  }
}
