import { and, eq, isNull } from 'drizzle-orm'
import { forEachTeam, type Database } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'
import { lexemesSql } from '../lexemes.ts'
import { fileTable } from '../tables.ts'

const filesAtOnce = 50

/** Reads the words of files that were stored before their words were, some at a time. */
export async function readLexemes(database: Database): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    while ((await readSome(database, teamId)) > 0);
  })
}

function readSome(database: Database, teamId: string): Promise<number> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const unread = and(eq(fileTable.teamId, teamId), eq(fileTable.kind, 'text'), isNull(fileTable.lexemes))
    // a version being written has its own words for these rows
    const rows = await transaction
      .select({ workspaceId: fileTable.workspaceId, path: fileTable.path, hash: fileTable.hash })
      .from(fileTable)
      .where(unread)
      .limit(filesAtOnce)
      .for('update', { skipLocked: true })
    for (const { workspaceId, path, hash } of rows) {
      const text = (await readTexts(transaction, { teamId, workspaceId }, [hash])).get(hash)
      await transaction
        .update(fileTable)
        .set({ lexemes: lexemesSql(String(text ?? '')) })
        .where(and(unread, eq(fileTable.workspaceId, workspaceId), eq(fileTable.path, path)))
    }
    return rows.length
  })
}
