import type { SkillState, SkillSummary, SkillVersion, SkillVersionDetails } from '@coherex/contract'
import { ownerOf } from '../definition/create-holding.ts'
import { describeVersion } from '../definition/describe-version.ts'
import { toGivenFiles, type Folder } from '../definition/folder.ts'
import { parseSkill } from './parse-skill.ts'
import type { SkillRow, SkillVersionRow } from './skill-tables.ts'

export function toSummary(row: SkillRow, version: SkillVersionRow, proposals: number): SkillSummary {
  return {
    name: row.name,
    description: version.frontMatter.description,
    state: stateOf(row, proposals),
    activeVersion: row.activeVersion,
    newestVersion: row.newestVersion,
    proposals,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: { id: row.createdBy, name: row.createdByName },
    owner: ownerOf(row),
    reach: row.reach,
  }
}

function stateOf({ archivedAt, activeVersion }: SkillRow, proposals: number): SkillState {
  if (archivedAt) return 'archived'
  if (activeVersion !== null) return 'active'
  return proposals > 0 ? 'proposed' : 'rejected'
}

export function toVersion(row: SkillVersionRow): SkillVersion {
  const { state, digest, size, frontMatter } = row
  return { ...describeVersion(row), state, digest, size, description: frontMatter.description }
}

export function toVersionDetails(row: SkillVersionRow, content: Folder): SkillVersionDetails {
  return {
    ...toVersion(row),
    frontMatter: row.frontMatter,
    files: toGivenFiles(content),
    warnings: parseSkill(content).warnings,
  }
}
