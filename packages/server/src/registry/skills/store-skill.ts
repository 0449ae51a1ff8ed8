import { CoherexError, hasScope, type SkillFrontMatter } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { quotasOf, recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { workspaceBytes } from '../../workspaces/index.ts'
import { requireSkill } from './parse-skill.ts'
import { digestOf, sizeOf, type SkillContent } from './skill-content.ts'
import { lockSkill, skillBytes } from './skill-store.ts'
import { skillFileTable, skillTable, skillVersionTable, type SkillRow, type SkillVersionRow } from './skill-tables.ts'

export interface NewSkillVersion {
  name: string
  content: SkillContent
  note: string
  expectedVersion?: number | undefined
  /** Given when an agent wrote it: then it waits for a person, whoever the agent works for. */
  agent?: { name: string; threadId: string }
}

const skillsPerTeam = 500
const versionsPerSkill = 1_000
// more than a person would look through
const proposalsPerTeam = 100

/** Signed in, or with a key that may do everything. An agent has no say in it, whomever it acts for. */
function mayApproveSkills({ via, scopes }: TeamCaller): boolean {
  return via === 'session' || hasScope(scopes, 'admin')
}

/** Stores a version: active at once where the author may approve it, a proposal otherwise. Answers its number. */
export async function storeSkill(
  database: Database,
  caller: TeamCaller,
  { name, content, note, expectedVersion, agent }: NewSkillVersion,
): Promise<number> {
  const { teamId } = caller
  const { frontMatter } = requireSkill(content, name)
  const isApproved = !agent && mayApproveSkills(caller)
  const digest = digestOf(content)
  return database.transaction({ team: teamId }, async (transaction) => {
    const row = await findOrInsert(transaction, caller, name)
    if (expectedVersion !== undefined && expectedVersion !== row.newestVersion) {
      const what = row.newestVersion === 0 ? 'does not exist' : `is at version ${row.newestVersion} already`
      throw new CoherexError('conflict', `The skill "${name}" ${what}, not ${expectedVersion}`)
    }
    const same = await findSame(transaction, row, { digest, isApproved })
    if (same !== undefined) return same
    await checkRoom(transaction, row, { size: sizeOf(content), isApproved })
    const version = row.newestVersion + 1
    await insertVersion(transaction, caller, { version, frontMatter, content, digest, note, isApproved, agent })
    await transaction
      .update(skillTable)
      .set({ newestVersion: version, updatedAt: new Date(), ...(isApproved && { activeVersion: version }) })
      .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
    const verb = isApproved ? (version === 1 ? 'create' : 'change') : 'propose'
    await recordAudit(transaction, {
      teamId,
      actor: agent ? { kind: 'agent', id: agent.name, name: agent.name } : caller,
      action: `skill.${verb}`,
      target: { kind: 'skill', name },
      details: { version, digest, ...(agent && { threadId: agent.threadId, for: caller.person.name }) },
    })
    return version
  })
}

async function findOrInsert(transaction: Transaction, { teamId, person }: TeamCaller, name: string): Promise<SkillRow> {
  const author = { createdBy: person.id, createdByName: person.name }
  await transaction
    .insert(skillTable)
    .values({ teamId, name, newestVersion: 0, ...author })
    .onConflictDoNothing()
  return lockSkill(transaction, teamId, name)
}

/** The same files again are no new version. */
async function findSame(
  transaction: Transaction,
  { teamId, name, activeVersion }: SkillRow,
  { digest, isApproved }: { digest: string; isApproved: boolean },
): Promise<number | undefined> {
  const rows = await transaction
    .select({ version: skillVersionTable.version, state: skillVersionTable.state })
    .from(skillVersionTable)
    .where(
      and(
        eq(skillVersionTable.teamId, teamId),
        eq(skillVersionTable.skillName, name),
        eq(skillVersionTable.digest, digest),
      ),
    )
  const isActive = rows.some(({ version }) => version === activeVersion)
  if (isApproved) return isActive ? (activeVersion ?? undefined) : undefined
  if (isActive) throw new CoherexError('conflict', `The skill "${name}" has these very files already`)
  const proposed = rows.find(({ state }) => state === 'proposed')
  if (!proposed) return undefined
  throw new CoherexError(
    'conflict',
    `These very files are proposed as version ${proposed.version} of "${name}" already`,
  )
}

async function checkRoom(
  transaction: Transaction,
  { teamId, newestVersion }: SkillRow,
  { size, isApproved }: { size: number; isApproved: boolean },
): Promise<void> {
  const skills = await transaction.$count(skillTable, eq(skillTable.teamId, teamId))
  if (skills > skillsPerTeam) {
    throw new CoherexError('quota_exceeded', `The team has ${skillsPerTeam} skills already: delete some`)
  }
  if (newestVersion >= versionsPerSkill) {
    throw new CoherexError('quota_exceeded', `The skill has ${versionsPerSkill} versions: delete it and begin anew`)
  }
  const isProposed = and(eq(skillVersionTable.teamId, teamId), eq(skillVersionTable.state, 'proposed'))
  if (!isApproved && (await transaction.$count(skillVersionTable, isProposed)) >= proposalsPerTeam) {
    throw new CoherexError('quota_exceeded', `${proposalsPerTeam} proposals of skills wait already: decide some first`)
  }
  const { storageMb } = await quotasOf(transaction, teamId)
  const used = (await skillBytes(transaction, teamId)) + (await workspaceBytes(transaction, teamId)) + size
  if (used <= storageMb * 1024 * 1024) return
  throw new CoherexError('quota_exceeded', `The team's quota is used up: ${storageMb} MB of storage`, {
    details: { quota: 'storageMb', limit: storageMb, used: Math.round(used / 1024 / 1024) },
  })
}

async function insertVersion(
  transaction: Transaction,
  { teamId, person }: TeamCaller,
  made: Pick<SkillVersionRow, 'version' | 'digest' | 'note'> & {
    frontMatter: SkillFrontMatter
    content: SkillContent
    isApproved: boolean
    agent: NewSkillVersion['agent']
  },
): Promise<void> {
  const { version, digest, note, frontMatter, content, isApproved, agent } = made
  const skillName = frontMatter.name
  await transaction.insert(skillVersionTable).values({
    ...{ teamId, skillName, version, digest, note, frontMatter },
    state: isApproved ? 'approved' : 'proposed',
    size: sizeOf(content),
    createdBy: person.id,
    createdByName: person.name,
    agentName: agent?.name ?? null,
    threadId: agent?.threadId ?? null,
    ...(isApproved && { decidedBy: person.id, decidedByName: person.name, decidedAt: new Date() }),
  })
  const files = [...content].map(([path, bytes]) => ({ teamId, skillName, version, path, bytes }))
  await transaction.insert(skillFileTable).values(files)
}
