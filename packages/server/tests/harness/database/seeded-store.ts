import { join } from 'node:path'
import pg from 'pg'
import { embeddedOwner, findEmbeddedPostgres } from '../../../src/base/index.ts'
import { hashOf, packText } from '../../../src/workspaces/content-codec.ts'

/** The store of a running server, with so many files and messages of its first team. */
export async function openSeededStore(dataDirectory: string, rows: number): Promise<pg.Client> {
  const owner = embeddedOwner(await findEmbeddedPostgres(join(dataDirectory, 'postgres')))
  const client = new pg.Client(owner)
  await client.connect()
  await client.query("SELECT set_config('app.scope', 'list-teams', false)")
  const { rows: teams } = await client.query<{ id: string }>('SELECT team_id AS id FROM coherex.team LIMIT 1')
  await client.query("SELECT set_config('app.scope', '', false), set_config('app.team', $1, false)", [teams[0]?.id])
  await seed(client, rows)
  return client
}

/** Files and messages of about a hundred words each, of a vocabulary of 5,000. */
async function seed(client: pg.Client, rows: number): Promise<void> {
  const text = `(SELECT string_agg('word' || (random() * 5000)::int, ' ') FROM generate_series(1, 100) WHERE n > 0)
    || CASE WHEN n % 100 = 0 THEN ' the region of each quarter report' WHEN n = 5001 THEN ' a walrus, a zebra fish' ELSE '' END`
  const team = `current_setting('app.team')`
  await client.query(`
    INSERT INTO coherex.workspace (team_id, id, name, template, created_by)
      SELECT ${team}, 'wsp_' || n, 'Workspace ' || n, 'empty', '{}' FROM generate_series(1, 20) AS n;
    INSERT INTO coherex.workspace_file (team_id, workspace_id, path, kind, hash, size, number, at, lexemes)
      SELECT ${team}, 'wsp_' || (n % 20 + 1), 'src/part' || (n % 50) || '/file_' || n || '.py', 'text', 'h', 1, 1, now(), strip(to_tsvector('simple', ${text}))
      FROM generate_series(1, ${rows}) AS n;
    INSERT INTO coherex.thread (team_id, id, agent_name, title, person_id, person_name)
      SELECT ${team}, 'thr_' || n, 'coder', 'Conversation about ' || n, 'per_x', 'X' FROM generate_series(1, 200) AS n;
    INSERT INTO coherex.message (team_id, id, thread_id, role, parts, words, author_id, author_name)
      SELECT ${team}, 'msg_' || lpad(n::text, 8, '0'), 'thr_' || (n % 200 + 1), 'user', '[]', ${text}, 'per_x', 'X' FROM generate_series(1, ${rows}) AS n`)
  // what a snippet is cut from
  const content = Array.from({ length: 300 }, (_, line) => `line ${line} of some words`).join('\n')
  const { bytes } = await packText(
    hashOf(content),
    `${content}\nthe region of each quarter report\na walrus, a zebra fish`,
    undefined,
  )
  await client.query(
    `INSERT INTO coherex.workspace_content (team_id, workspace_id, hash, kind, bytes, stored_bytes)
     SELECT ${team}, 'wsp_' || n, 'h', 'text', $1, $2 FROM generate_series(1, 20) AS n`,
    [bytes, bytes.length],
  )
  await client.query('ANALYZE')
}
