import { CoherexError } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { lockSkill, selectSkillContent, selectSkillVersion, unknownSkill } from './skill-store.ts'
import { skillTable, skillVersionTable, type SkillVersionRow } from './skill-tables.ts'
import { storeSkill } from './store-skill.ts'

export interface SkillDecision {
  decision: 'approve' | 'reject'
  /** Of what the person has seen. */
  digest: string
  note: string
}

/** A person's answer to a proposal. What is approved is what agents get from then on. */
export async function decideSkill(
  database: Database,
  caller: TeamCaller,
  { name, version }: { name: string; version: number },
  { decision, digest, note }: SkillDecision,
): Promise<void> {
  const { teamId, person } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    await lockSkill(transaction, teamId, name)
    const proposed = await selectSkillVersion(transaction, teamId, { name, version })
    if (proposed.state !== 'proposed') {
      throw new CoherexError('conflict', `Version ${version} of "${name}" is ${proposed.state} already`)
    }
    if (proposed.digest !== digest) {
      throw new CoherexError('conflict', `Version ${version} of "${name}" is not what you have seen: look at it again`)
    }
    const isApproved = decision === 'approve'
    if (isApproved) refuseKey(caller, proposed)
    await transaction
      .update(skillVersionTable)
      .set({
        state: isApproved ? 'approved' : 'rejected',
        decidedBy: person.id,
        decidedByName: person.name,
        decidedAt: new Date(),
        decisionNote: note,
      })
      .where(
        and(
          eq(skillVersionTable.teamId, teamId),
          eq(skillVersionTable.skillName, name),
          eq(skillVersionTable.version, version),
        ),
      )
    await transaction
      .update(skillTable)
      .set({ updatedAt: new Date(), ...(isApproved && { activeVersion: version }) })
      .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: `skill.${decision}`,
      target: { kind: 'skill', name },
      details: { version, digest, agent: proposed.agentName },
    })
  })
}

/** Stores an old version again as the newest one. */
export async function restoreSkill(
  database: Database,
  caller: TeamCaller,
  { name, version }: { name: string; version: number },
): Promise<void> {
  const content = await database.transaction({ team: caller.teamId }, async (transaction) => {
    refuseKey(caller, await selectSkillVersion(transaction, caller.teamId, { name, version }))
    return selectSkillContent(transaction, caller.teamId, { name, version })
  })
  await storeSkill(database, caller, { name, content, note: `Back to version ${version}` })
}

/** What an agent wrote and nobody approved takes a signed-in person: a key may be in the hands of an agent. */
function refuseKey({ via }: TeamCaller, { skillName, version, state, agentName }: SkillVersionRow): void {
  if (agentName === null || state === 'approved' || via === 'session') return
  const what = `Version ${version} of "${skillName}" was written by the agent "${agentName}"`
  throw new CoherexError('forbidden', `${what}: a signed-in person approves it`)
}

/** An archived skill is offered to no agent. */
export async function archiveSkill(
  database: Database,
  caller: TeamCaller,
  name: string,
  isArchived: boolean,
): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const { archivedAt } = await lockSkill(transaction, teamId, name)
    if ((archivedAt !== null) === isArchived) return
    await transaction
      .update(skillTable)
      .set({ archivedAt: isArchived ? new Date() : null, updatedAt: new Date() })
      .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
    const action = isArchived ? 'skill.archive' : 'skill.unarchive'
    await recordAudit(transaction, { teamId, actor: caller, action, target: { kind: 'skill', name } })
  })
}

export async function removeSkill(database: Database, caller: TeamCaller, name: string): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(skillTable)
      .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
      .returning()
    if (!row) throw unknownSkill(name)
    await recordAudit(transaction, { teamId, actor: caller, action: 'skill.delete', target: { kind: 'skill', name } })
  })
}
