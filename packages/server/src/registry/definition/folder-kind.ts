import { CoherexError } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/pg-core'
import type { TeamCaller } from '../../access/index.ts'
import type { DefinitionKind } from './definition-kind.ts'
import { headColumns, versionColumns, type HeadRow, type VersionRow } from './definition-tables.ts'
import { diffFolders } from './diff-folders.ts'
import type { FolderFiles } from './folder-files.ts'
import { digestOf, sizeOf, type Folder } from './folder.ts'

export const folderHeadColumns = () => ({
  ...headColumns(),
  activeVersion: integer('active_version'),
  newestVersion: integer('newest_version').notNull(),
})

export const folderVersionColumns = (named: { name: string; byAgent: string }) => ({
  ...versionColumns(named),
  digest: text('digest').notNull(),
  size: integer('size').notNull(),
})

type FolderHead = HeadRow & { activeVersion: number | null; newestVersion: number }
type FolderVersion = VersionRow & { digest: string; size: number }
type FolderKind<Head extends FolderHead, Version extends FolderVersion, Content> = DefinitionKind<
  Head,
  Version,
  Content
>

type Own<Head extends FolderHead, Version extends FolderVersion, Content> = Pick<
  FolderKind<Head, Version, Content>,
  'noun' | 'heads' | 'versions' | 'limits'
> &
  Partial<FolderKind<Head, Version, Content>> & {
    files: FolderFiles
    /** Columns of a version beside those that every folder has, and back again. */
    toColumns(content: Content): object
    toContent(version: Version, files: Folder): Content
  }

/** What all definitions do alike that are a folder of files: versions keep the files and their digest. */
export function folderKind<Head extends FolderHead, Version extends FolderVersion, Content extends { files: Folder }>({
  files: kept,
  toColumns,
  toContent,
  ...own
}: Own<Head, Version, Content>): FolderKind<Head, Version, Content> {
  const { heads } = own
  return {
    begin: () => ({ newestVersion: 0 }),
    inUse: ({ activeVersion }) => activeVersion ?? 0,
    use: (version) => ({ activeVersion: version }),
    columns: (content, { caller: { person }, state }) => ({
      ...{ ...toColumns(content), digest: digestOf(content.files), size: sizeOf(content.files) },
      ...(state === 'approved' && { decidedBy: person.id, decidedByName: person.name, decidedAt: new Date() }),
    }),
    async prepare(teamId, { files }) {
      await kept.prepare?.(teamId, files)
    },
    async keep(transaction, at, { files }) {
      await kept.keep(transaction, at, files)
      await transaction
        .update(heads)
        .set({ newestVersion: at.version, updatedAt: new Date() } as object)
        .where(and(eq(heads.teamId, at.teamId), eq(heads.name, at.name)))
    },
    async read(transaction, version) {
      const fetch = await kept.read(transaction, version)
      return async () => toContent(version, await fetch())
    },
    hasContent: ({ files }) => sql`digest = ${digestOf(files)}`,
    diff: (_, before, after) => diffFolders(before?.files ?? new Map(), after.files),
    digest: (_, { files }) => digestOf(files),
    admit: refuseKey,
    admitRestore: refuseKey,
    ...own,
  }
}

/** What an agent wrote and nobody approved takes a signed-in person: a key may be in the hands of an agent. */
function refuseKey({ via }: TeamCaller, { name, version, state, byAgent }: VersionRow): void {
  if (byAgent === null || state === 'approved' || via === 'session') return
  const what = `Version ${version} of "${name}" was written by the agent "${byAgent}"`
  throw new CoherexError('forbidden', `${what}: a signed-in person approves it`)
}
