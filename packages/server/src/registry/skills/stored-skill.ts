import type { SkillState, SkillSummary, SkillVersion, SkillVersionDetails } from '@coherex/contract'
import { parseSkill } from './parse-skill.ts'
import { toGivenFiles, type SkillContent } from './skill-content.ts'
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
  }
}

function stateOf({ archivedAt, activeVersion }: SkillRow, proposals: number): SkillState {
  if (archivedAt) return 'archived'
  if (activeVersion !== null) return 'active'
  return proposals > 0 ? 'proposed' : 'rejected'
}

export function toVersion(row: SkillVersionRow): SkillVersion {
  const { decidedBy, decidedByName } = row
  return {
    version: row.version,
    state: row.state,
    description: row.frontMatter.description,
    note: row.note,
    digest: row.digest,
    size: row.size,
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdBy, name: row.createdByName },
    agent: row.agentName,
    threadId: row.threadId,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: decidedByName ?? '' },
    decisionNote: row.decisionNote,
  }
}

export function toVersionDetails(row: SkillVersionRow, content: SkillContent): SkillVersionDetails {
  return {
    ...toVersion(row),
    frontMatter: row.frontMatter,
    files: toGivenFiles(content),
    warnings: parseSkill(content).warnings,
  }
}
