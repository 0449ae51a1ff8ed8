import { CoherexError, type Page, type SkillState, type SkillSummary, type TriedSkill } from '@coherex/contract'
import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import type { Folder } from '../definition/folder.ts'
import { skillFileTable, skillTable, skillVersionTable, type SkillRow, type SkillVersionRow } from './skill-tables.ts'
import { toSummary } from './stored-skill.ts'

export interface SkillFilters {
  limit: number
  cursor?: string | undefined
  state?: SkillState | undefined
  search?: string | undefined
}

const proposals = sql<number>`(SELECT count(*)::int FROM coherex.skill_version p
  WHERE p.team_id = ${skillTable.teamId} AND p.skill_name = ${skillTable.name} AND p.state = 'proposed')`
const state = sql<SkillState>`CASE WHEN ${skillTable.archivedAt} IS NOT NULL THEN 'archived'
  WHEN ${skillTable.activeVersion} IS NOT NULL THEN 'active' WHEN ${proposals} > 0 THEN 'proposed' ELSE 'rejected' END`
/** The version that stands for a skill: what agents get, or the newest while they get none. */
const isCurrent = and(
  eq(skillVersionTable.teamId, skillTable.teamId),
  eq(skillVersionTable.name, skillTable.name),
  eq(skillVersionTable.version, sql`coalesce(${skillTable.activeVersion}, ${skillTable.newestVersion})`),
)

export async function listSkills(
  database: Database,
  teamId: string,
  filters: SkillFilters,
): Promise<Page<SkillSummary>> {
  const { limit, cursor } = filters
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const pattern = filters.search ? `%${filters.search.replace(/[\\%_]/g, '\\$&')}%` : undefined
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ row: skillTable, version: skillVersionTable, proposals })
      .from(skillTable)
      .innerJoin(skillVersionTable, isCurrent)
      .where(
        and(
          eq(skillTable.teamId, teamId),
          after === undefined ? undefined : gt(skillTable.name, after),
          filters.state ? sql`${state} = ${filters.state}` : undefined,
          pattern === undefined
            ? undefined
            : or(
                sql`${skillTable.name} ILIKE ${pattern}`,
                sql`${skillVersionTable.frontMatter}->>'description' ILIKE ${pattern}`,
              ),
        ),
      )
      .orderBy(asc(skillTable.name))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.row.name])
  return { ...page, items: page.items.map((one) => toSummary(one.row, one.version, one.proposals)) }
}

/** What agents may be offered: approved versions of skills that are not archived, all or those of these names. */
export async function listActiveSkills(
  database: Database,
  teamId: string,
  { names, most }: { names: readonly string[] | 'all'; most: number },
): Promise<{ name: string; description: string; version: number }[]> {
  if (names.length === 0) return []
  return database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({
        name: skillTable.name,
        description: sql<string>`${skillVersionTable.frontMatter}->>'description'`,
        version: skillVersionTable.version,
      })
      .from(skillTable)
      .innerJoin(skillVersionTable, isCurrent)
      .where(
        and(
          eq(skillTable.teamId, teamId),
          isNull(skillTable.archivedAt),
          eq(skillVersionTable.version, skillTable.activeVersion),
          // twice said: nothing that nobody approved comes out of here
          eq(skillVersionTable.state, 'approved'),
          names === 'all' ? undefined : inArray(skillTable.name, [...names]),
        ),
      )
      .orderBy(asc(skillTable.name))
      .limit(most),
  )
}

/** A version that a person approved, of a skill that is not archived. */
export async function findApprovedSkill(
  database: Database,
  teamId: string,
  { name, version }: TriedSkill,
): Promise<{ name: string; description: string; version: number } | undefined> {
  const [found] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ description: sql<string>`${skillVersionTable.frontMatter}->>'description'` })
      .from(skillVersionTable)
      .innerJoin(skillTable, and(eq(skillTable.teamId, teamId), eq(skillTable.name, skillVersionTable.name)))
      .where(
        and(
          eq(skillVersionTable.teamId, teamId),
          eq(skillVersionTable.name, name),
          eq(skillVersionTable.version, version),
          eq(skillVersionTable.state, 'approved'),
          isNull(skillTable.archivedAt),
        ),
      ),
  )
  return found && { name, version, ...found }
}

export async function requireApprovedSkill(database: Database, teamId: string, skill: TriedSkill): Promise<void> {
  if (await findApprovedSkill(database, teamId, skill)) return
  const { name, version } = skill
  throw new CoherexError('not_found', `There is no approved version ${version} of the skill "${name}"`)
}

export async function selectSkill(
  transaction: Transaction,
  teamId: string,
  name: string,
): Promise<{ row: SkillRow; version: SkillVersionRow; proposals: number }> {
  const [found] = await transaction
    .select({ row: skillTable, version: skillVersionTable, proposals })
    .from(skillTable)
    .innerJoin(skillVersionTable, isCurrent)
    .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
  if (!found) throw new CoherexError('not_found', `There is no skill "${name}"`)
  return found
}

export async function selectSkillContent(
  transaction: Transaction,
  teamId: string,
  { name, version }: { name: string; version: number },
): Promise<Folder> {
  const rows = await transaction
    .select({ path: skillFileTable.path, bytes: skillFileTable.bytes })
    .from(skillFileTable)
    .where(and(eq(skillFileTable.teamId, teamId), eq(skillFileTable.name, name), eq(skillFileTable.version, version)))
  return new Map(rows.map(({ path, bytes }) => [path, bytes]))
}

/** What all versions of all skills take of a team's storage: private ones of others too. */
export async function skillBytes(database: Database, teamId: string): Promise<number> {
  const [row] = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction
      .select({ bytes: sql<string | null>`sum(${skillVersionTable.size})` })
      .from(skillVersionTable)
      .where(eq(skillVersionTable.teamId, teamId)),
  )
  return Number(row?.bytes ?? 0)
}
