import type { VersionRow } from './definition-tables.ts'

/** What every kind tells of a version. */
export function describeVersion(row: VersionRow) {
  const { decidedBy, decidedByName } = row
  return {
    version: row.version,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdBy, name: row.createdByName },
    agent: row.byAgent,
    threadId: row.threadId,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: decidedByName ?? '' },
    decisionNote: row.decisionNote,
  }
}
