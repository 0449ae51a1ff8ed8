import { CoherexError, type Skill } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import type { Folder } from '../definition/folder.ts'
import { selectSkill, selectSkillContent } from './skill-store.ts'
import { toSummary, toVersionDetails } from './stored-skill.ts'

export async function getSkill(database: Database, teamId: string, name: string): Promise<Skill> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const { row, version, proposals } = await selectSkill(transaction, teamId, name)
    const content = await selectSkillContent(transaction, teamId, { name, version: version.version })
    return { ...toSummary(row, version, proposals), current: toVersionDetails(version, content) }
  })
}

/** The files of a version, as they were stored. */
export async function readSkillContent(
  database: Database,
  teamId: string,
  at: { name: string; version: number },
): Promise<Folder> {
  const content = await database.transaction({ team: teamId }, (transaction) =>
    selectSkillContent(transaction, teamId, at),
  )
  // every version has its instructions
  if (content.size > 0) return content
  throw new CoherexError('not_found', `There is no skill "${at.name}" with a version ${at.version}`)
}
