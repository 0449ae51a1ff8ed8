import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'

export interface FoundFile {
  workspaceId: string
  workspaceName: string
  path: string
  /** The first line with one of the words; absent where the path has them all. */
  snippet?: string
  line?: number
}

interface FileRow extends Record<string, unknown> {
  workspace_id: string
  workspace_name: string
  path: string
  hash: string
  is_named: boolean
}

/** Files of a team whose path has all of the words, then those whose text has them. Archived workspaces are left out. */
export async function findFiles(
  transaction: Transaction,
  teamId: string,
  { patterns, query, words, limit }: { patterns: string[]; query: string; words: string[]; limit: number },
): Promise<FoundFile[]> {
  const { rows } = await transaction.execute<FileRow>(sql`
    SELECT file.workspace_id, workspace.name AS workspace_name, file.path, file.hash,
      file.path ILIKE ALL (${sql.param(patterns)}) AS is_named
    FROM coherex.workspace_file AS file
    JOIN coherex.workspace ON workspace.team_id = file.team_id AND workspace.id = file.workspace_id
    WHERE file.team_id = ${teamId} AND workspace.archived_at IS NULL
      AND (file.path ILIKE ALL (${sql.param(patterns)})
        OR ${query === '' ? sql`false` : sql`file.lexemes @@ ${query}::tsquery`})
    ORDER BY is_named DESC, file.at DESC, file.path LIMIT ${limit}`)
  const found: FoundFile[] = []
  for (const { workspace_id: workspaceId, workspace_name: workspaceName, path, hash, is_named: isNamed } of rows) {
    const place = { workspaceId, workspaceName, path }
    if (isNamed) found.push(place)
    else {
      const texts = await readTexts(transaction, { teamId, workspaceId }, [hash])
      found.push({ ...place, ...findLine(String(texts.get(hash) ?? ''), words) })
    }
  }
  return found
}

const longestSnippet = 200

function findLine(text: string, words: string[]): { snippet?: string; line?: number } {
  const lines = text.split('\n')
  const has = (line: string) => words.filter((word) => line.toLowerCase().includes(word)).length
  let best = { at: -1, count: 0 }
  for (const [at, line] of lines.entries()) {
    const count = has(line)
    if (count > best.count) best = { at, count }
    if (count === words.length) break
  }
  const line = lines[best.at]
  return line === undefined ? {} : { snippet: line.trim().slice(0, longestSnippet), line: best.at + 1 }
}
