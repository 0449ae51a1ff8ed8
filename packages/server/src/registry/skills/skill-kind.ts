import { CoherexError, type SkillFrontMatter } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { DefinitionKind } from '../definition/definition-kind.ts'
import { diffContents } from './diff-contents.ts'
import { digestOf, sizeOf, type SkillContent } from './skill-content.ts'
import { selectSkillContent } from './skill-store.ts'
import { skillFileTable, skillTable, skillVersionTable, type SkillRow, type SkillVersionRow } from './skill-tables.ts'

export interface SkillFolder {
  files: SkillContent
  frontMatter: SkillFrontMatter
}

/** A skill is a folder of files, not one text; its table of versions keeps their digest. */
export const skillKind: DefinitionKind<SkillRow, SkillVersionRow, SkillFolder> = {
  noun: 'skill',
  heads: skillTable,
  versions: skillVersionTable,
  limits: { ofTeam: 500, proposals: Infinity, proposalsOfTeam: 100 },
  begin: () => ({ newestVersion: 0 }),
  inUse: ({ activeVersion }) => activeVersion ?? 0,
  use: (version) => ({ activeVersion: version }),
  columns: ({ files, frontMatter }, { caller: { person }, state }) => ({
    ...{ frontMatter, digest: digestOf(files), size: sizeOf(files) },
    ...(state === 'approved' && { decidedBy: person.id, decidedByName: person.name, decidedAt: new Date() }),
  }),
  async keep(transaction, { teamId, name, version }, { files }) {
    const rows = [...files].map(([path, bytes]) => ({ teamId, name, version, path, bytes }))
    await transaction.insert(skillFileTable).values(rows)
    await transaction
      .update(skillTable)
      .set({ newestVersion: version, updatedAt: new Date() })
      .where(and(eq(skillTable.teamId, teamId), eq(skillTable.name, name)))
  },
  read: async (transaction, { teamId, name, version, frontMatter }) => ({
    files: await selectSkillContent(transaction, teamId, { name, version }),
    frontMatter,
  }),
  hasContent: ({ files }) => eq(skillVersionTable.digest, digestOf(files)),
  diff: (_, before, after) => diffContents(before?.files ?? new Map(), after.files),
  digest: (_, { files }) => digestOf(files),
  admit: refuseKey,
  admitRestore: refuseKey,
}

/** What an agent wrote and nobody approved takes a signed-in person: a key may be in the hands of an agent. */
function refuseKey({ via }: TeamCaller, { name, version, state, byAgent }: SkillVersionRow): void {
  if (byAgent === null || state === 'approved' || via === 'session') return
  const what = `Version ${version} of "${name}" was written by the agent "${byAgent}"`
  throw new CoherexError('forbidden', `${what}: a signed-in person approves it`)
}
