import type { FoundItem } from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'

export interface Words {
  /** In lower case, as they were typed. */
  words: string[]
  /** Each as a pattern of ILIKE. */
  patterns: string[]
  /** All of them as a tsquery; empty where none has a letter or digit. */
  query: string
}

interface Ask {
  teamId: string
  words: Words
  limit: number
}

type Row = Record<string, unknown> & { id: string; title: string; where: string | null }

// row-level security keeps what is another team's or another person's out of each of these

export async function findWorkspaces(transaction: Transaction, { teamId, words, limit }: Ask): Promise<FoundItem[]> {
  const rows = await select(
    transaction,
    sql`SELECT id, name AS title, NULL AS "where" FROM coherex.workspace
      WHERE team_id = ${teamId} AND archived_at IS NULL AND ${hasAll(sql`name`, words)}
      ORDER BY ${beginsFirst(sql`name`, words)}, updated_at DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({ kind: 'workspace', ...row, url: `/workspaces/${row.id}` }))
}

export async function findThreads(transaction: Transaction, { teamId, words, limit }: Ask): Promise<FoundItem[]> {
  const rows = await select(
    transaction,
    sql`SELECT id, title, agent_name AS "where" FROM coherex.thread
      WHERE team_id = ${teamId} AND title <> '' AND ${hasAll(sql`title`, words)}
      ORDER BY ${beginsFirst(sql`title`, words)}, updated_at DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({ kind: 'thread', ...row, url: `/threads/${row.id}` }))
}

export async function findSandboxes(transaction: Transaction, { teamId, words, limit }: Ask): Promise<FoundItem[]> {
  const rows = await select(
    transaction,
    sql`SELECT id, name AS title, status AS "where" FROM coherex.sandbox
      WHERE team_id = ${teamId} AND status <> 'ended' AND (${hasAll(sql`name`, words)} OR id = ${words.words.join(' ')})
      ORDER BY ${beginsFirst(sql`name`, words)}, last_used_at DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({ kind: 'sandbox', ...row, url: `/sandboxes/${row.id}` }))
}

const aroundWords = 80

/** The newest message of each conversation that has the words. */
export async function findMessages(transaction: Transaction, { teamId, words, limit }: Ask): Promise<FoundItem[]> {
  if (words.query === '') return []
  const { rows } = await transaction.execute<Row & { thread_id: string; words: string }>(sql`
    SELECT message.id, message.thread_id, thread.title, message.author_name AS "where", left(message.words, 50000) AS words
    FROM coherex.message JOIN coherex.thread ON thread.team_id = message.team_id AND thread.id = message.thread_id
    WHERE message.team_id = ${teamId} AND message.lexemes @@ ${words.query}::tsquery
    ORDER BY message.id DESC LIMIT ${limit * 3}`)
  const threads = new Set<string>()
  return rows
    .filter(({ thread_id: id }) => !threads.has(id) && threads.add(id))
    .slice(0, limit)
    .map((row) => ({
      kind: 'message',
      id: row.id,
      title: row.title || 'Untitled conversation',
      where: row.where,
      snippet: cutAround(row.words, words.words),
      url: `/threads/${row.thread_id}#${row.id}`,
    }))
}

const runsLookedAt = 1000
const shownCode = 200

/** Runs by their id, or of the newest those whose program has the words. */
export async function findRuns(transaction: Transaction, { teamId, words, limit }: Ask): Promise<FoundItem[]> {
  const { rows } = await transaction.execute<Row & { code: string; entry: string }>(sql`
    SELECT run.id, program.entry AS title, run.language || ', ' || run.status AS "where", left(program.code, 4000) AS code
    FROM (SELECT * FROM (
        SELECT id, team_id, program_hash, language, status FROM coherex.run WHERE team_id = ${teamId} ORDER BY id DESC LIMIT ${runsLookedAt}
      ) AS newest
      UNION SELECT id, team_id, program_hash, language, status FROM coherex.run
        WHERE team_id = ${teamId} AND id = ${words.words.join(' ')}) AS run
    JOIN coherex.program ON program.team_id = run.team_id AND program.hash = run.program_hash
    WHERE run.id = ${words.words.join(' ')} OR ${hasAll(sql`left(program.code, 4000)`, words)}
    ORDER BY run.id DESC LIMIT ${limit}`)
  return rows.map(({ id, title, where, code }) => ({
    ...{ kind: 'run', id, title, where, url: `/runs/${id}` },
    ...(id === words.words.join(' ') ? {} : { snippet: lineWith(code, words.words) }),
  }))
}

async function select(transaction: Transaction, query: SQL): Promise<Row[]> {
  return (await transaction.execute<Row>(query)).rows
}

const hasAll = (name: SQL, { patterns }: Words) => sql`${name} ILIKE ALL (${sql.param(patterns)})`
const beginsFirst = (name: SQL, { patterns }: Words) => sql`(${name} ILIKE ${(patterns[0] ?? '%').slice(1)}) DESC`

function cutAround(text: string, words: string[]): string {
  const lower = text.toLowerCase()
  const at = Math.max(0, ...words.map((word) => lower.indexOf(word)).slice(0, 1))
  const start = Math.max(0, at - aroundWords)
  const piece = text.slice(start, at + 2 * aroundWords).replaceAll(/\s+/g, ' ')
  return `${start > 0 ? '…' : ''}${piece.trim()}${at + 2 * aroundWords < text.length ? '…' : ''}`
}

function lineWith(code: string, words: string[]): string {
  const lines = code.split('\n')
  const line = lines.find((one) => words.some((word) => one.toLowerCase().includes(word))) ?? lines[0] ?? ''
  return line.trim().slice(0, shownCode)
}
