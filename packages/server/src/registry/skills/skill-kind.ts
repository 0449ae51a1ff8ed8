import type { SkillFrontMatter } from '@coherex/contract'
import { ownedBy } from '../definition/create-holding.ts'
import { filesInTable } from '../definition/folder-files.ts'
import { folderKind } from '../definition/folder-kind.ts'
import type { Folder } from '../definition/folder.ts'
import { skillFileTable, skillTable, skillVersionTable, type SkillRow, type SkillVersionRow } from './skill-tables.ts'

export interface SkillFolder {
  files: Folder
  frontMatter: SkillFrontMatter
}

export const skillKind = folderKind<SkillRow, SkillVersionRow, SkillFolder>({
  noun: 'skill',
  heads: skillTable,
  versions: skillVersionTable,
  files: filesInTable(skillFileTable),
  ownedBy,
  limits: { ofTeam: 500, proposals: Infinity, proposalsOfTeam: 100 },
  toColumns: ({ frontMatter }) => ({ frontMatter }),
  toContent: ({ frontMatter }, files) => ({ files, frontMatter }),
})
