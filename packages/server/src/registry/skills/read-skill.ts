import type { Skill, SkillVersionDetails } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { diffContents } from './diff-contents.ts'
import type { SkillContent } from './skill-content.ts'
import { selectSkill, selectSkillContent, selectSkillVersion } from './skill-store.ts'
import { toSummary, toVersionDetails } from './stored-skill.ts'

export async function getSkill(database: Database, teamId: string, name: string): Promise<Skill> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const { row, version, proposals } = await selectSkill(transaction, teamId, name)
    const content = await selectSkillContent(transaction, teamId, { name, version: version.version })
    return { ...toSummary(row, version, proposals), current: toVersionDetails(version, content) }
  })
}

export async function getSkillVersion(
  database: Database,
  teamId: string,
  at: { name: string; version: number },
): Promise<SkillVersionDetails> {
  return database.transaction({ team: teamId }, async (transaction) =>
    toVersionDetails(
      await selectSkillVersion(transaction, teamId, at),
      await selectSkillContent(transaction, teamId, at),
    ),
  )
}

/** The files of a version, as they were stored. */
export async function readSkillContent(
  database: Database,
  teamId: string,
  at: { name: string; version: number },
): Promise<SkillContent> {
  return database.transaction({ team: teamId }, async (transaction) => {
    await selectSkillVersion(transaction, teamId, at)
    return selectSkillContent(transaction, teamId, at)
  })
}

/** What differs between two versions, for people who decide on it: nothing in it is invisible. */
export async function diffSkillVersions(
  database: Database,
  teamId: string,
  { name, from, to }: { name: string; from: number; to: number },
): Promise<string> {
  const before: SkillContent =
    from === 0 ? new Map() : await readSkillContent(database, teamId, { name, version: from })
  const after = await readSkillContent(database, teamId, { name, version: to })
  return diffContents(before, after)
}
