import type { InboxItem } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import { dismissItem } from './dismiss-item.ts'
import { countInbox, listInbox } from './list-inbox.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client

const ann = callerOf('per_ann', 'editor')
const bob = callerOf('per_bob', 'editor')
const olga = callerOf('per_olga', 'owner')
const vic = callerOf('per_vic', 'viewer')

function callerOf(id: string, role: TeamCaller['role'], teamId = 'team_a'): TeamCaller {
  return { teamId, role, person: { id, name: id } } as TeamCaller
}

// as createId() makes them: in the order of their time
const turn = (n: number) => `turn_0000000000000000000${n}`
const delivery = (n: number) => `dlv_0000000000000000000${n}`
const minutesAgo = (minutes: number) => `now() - interval '${minutes} minutes'`

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
  await superuser.query(`
    INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B');
    INSERT INTO coherex_auth.person (id, name, email) SELECT id, id, id || '@example.com'
      FROM unnest(ARRAY['per_ann', 'per_bob', 'per_olga', 'per_vic']) AS id;
    INSERT INTO coherex.member (team_id, person_id, role) VALUES ('team_a', 'per_ann', 'editor'), ('team_a', 'per_bob', 'editor'),
      ('team_a', 'per_olga', 'owner'), ('team_a', 'per_vic', 'viewer'), ('team_b', 'per_bob', 'owner');
    INSERT INTO coherex.thread (team_id, id, agent_name, title, person_id, person_name)
      SELECT team, 'thr_' || n, 'coder', 'Talk ' || n, 'per_ann', 'Ann' FROM unnest(ARRAY['team_a', 'team_b']) AS team, generate_series(1, 4) AS n;
    INSERT INTO coherex.workspace (team_id, id, name, template, created_by) VALUES ('team_a', 'wsp_1', 'Desk', 'blank', '{}');
    INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name) VALUES
      ('team_a', 'coder', 'active', 1, 'x', 'x'), ('team_a', 'resting', 'paused', 1, 'x', 'x');
    INSERT INTO coherex.skill (team_id, name, newest_version, created_by, created_by_name) VALUES ('team_a', 'tidy-up', 2, 'x', 'x');
    INSERT INTO coherex.tool (team_id, name, newest_version, created_by, created_by_name, owner_id, reach) VALUES
      ('team_a', 'greet', 2, 'x', 'x', NULL, 'team'), ('team_a', 'secret-tool', 1, 'x', 'x', 'per_olga', 'private'),
      ('team_a', 'reviewed', 1, 'x', 'x', NULL, 'team');
    INSERT INTO coherex.trigger (team_id, id, agent_name, name, kind, definition, person_id, person_name, acting) VALUES
      ('team_a', 'trg_1', 'coder', 'daily', 'schedule', '{}', 'per_ann', 'Ann', '{}'),
      ('team_a', 'trg_2', 'resting', 'nightly', 'schedule', '{}', 'per_ann', 'Ann', '{}')`)
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

async function insertTurn(
  id: string,
  given: { thread: string; ago: number; ending?: string; startedBy?: string; team?: string },
) {
  const { thread, ago, ending = 'interrupted', startedBy = 'person', team = 'team_a' } = given
  await superuser.query(
    `INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, ending, question_id, answer_id,
       server_id, person_id, person_name, started_by, created_at, ended_at)
     VALUES ($1, $2, $3, 'coder', 1, 'm', $4, $5, 'q', 'a', 's', 'per_ann', 'Ann', $6, ${minutesAgo(ago)}, ${minutesAgo(ago)})`,
    [team, id, thread, ending === 'answered' ? 'done' : 'failed']
      .concat(JSON.stringify({ kind: ending, message: `It was ${ending}` }))
      .concat(JSON.stringify({ kind: startedBy, id: 'trg_1', name: 'daily' })),
  )
}

async function insertApproval(
  id: string,
  given: { ago: number; status?: string; expires?: string; thread?: string; team?: string },
) {
  const { ago, status = 'pending', expires = `now() + interval '1 day'`, thread = 'thr_1', team = 'team_a' } = given
  await superuser.query(
    `INSERT INTO coherex.approval (team_id, id, turn_id, thread_id, agent_name, call_id, tool, reference, kind, reason, input,
       hash, status, person_id, person_name, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'coder', 'c', 'bash', 'bash', 'call', 'r', '{"command":"ls\\u200b -l"}', 'h', $5, 'per_ann', 'Ann',
       ${minutesAgo(ago)}, ${expires})`,
    [team, id, turn(team === 'team_a' ? 1 : 9), thread, status],
  )
}

async function insertDelivery(
  id: string,
  given: { ago: number; status?: string; trigger?: string; kind?: string; of?: string },
) {
  const { ago, status = 'failed', trigger = 'trg_1', kind = 'schedule', of: redeliveryOf = null } = given
  await superuser.query(
    `INSERT INTO coherex.delivery (team_id, id, agent_name, trigger_id, trigger_name, kind, key, body_hash, content_type, size,
       status, reason, redelivery_of, received_at)
     VALUES ('team_a', $1, 'coder', $2, 'daily', $3, $1, '', 'text/plain', 0, $4, 'No model answers', $5, ${minutesAgo(ago)})`,
    [id, trigger, kind, status, redeliveryOf],
  )
}

const list = async (caller: TeamCaller, query: { kinds?: string; limit?: number; cursor?: string } = {}) =>
  listInbox(database, caller, { limit: 50, ...query })
const ids = ({ items }: { items: InboxItem[] }) => items.map(({ id }) => id)

describe('listInbox()', () => {
  beforeAll(async () => {
    await insertTurn(turn(1), { thread: 'thr_1', ago: 60 })
    await insertTurn(turn(9), { thread: 'thr_1', ago: 60, team: 'team_b' })
    await insertApproval('apr_1', { ago: 10 })
    await insertApproval('apr_decided', { ago: 9, status: 'approved' })
    await insertApproval('apr_expired', { ago: 9, expires: minutesAgo(1) })
    await insertApproval('apr_theirs', { ago: 8, team: 'team_b' })
    await superuser.query(`
      INSERT INTO coherex.workspace_proposal (team_id, workspace_id, id, path, author, message, read_version, before, after, status, created_at)
        VALUES ('team_a', 'wsp_1', 'prp_1', 'a.ts', '{"kind":"agent","name":"coder"}', 'Shorter', 1, '', '', 'open', ${minutesAgo(20)}),
          ('team_a', 'wsp_1', 'prp_2', 'a.ts', '{"kind":"agent","name":"coder"}', 'Longer', 1, '', '', 'rejected', ${minutesAgo(20)});
      INSERT INTO coherex.agent_version (team_id, agent_name, version, source, definition, note, created_by, created_by_name, created_at, state, by_agent, thread_id)
        VALUES ('team_a', 'coder', 2, '', '{}', 'With a network', 'per_ann', 'Ann', ${minutesAgo(30)}, 'proposed', 'builder', 'thr_2');
      INSERT INTO coherex.skill_version (team_id, skill_name, version, state, front_matter, note, digest, size, created_by, created_by_name, created_at)
        VALUES ('team_a', 'tidy-up', 2, 'proposed', '{}', 'By a key', 'd', 1, 'per_ann', 'Ann', ${minutesAgo(40)})`)
    await superuser.query(`
      INSERT INTO coherex.tool_version (team_id, tool_name, version, state, definition, input_schema, output_schema, note, digest, size, created_by, created_by_name, created_at)
        SELECT 'team_a', name, version, 'proposed', '{}', 'true', 'true', 'Louder', 'd', 1, 'per_bob', 'Bob', ${minutesAgo(45)}
        FROM (VALUES ('greet', 1), ('greet', 2), ('secret-tool', 1), ('reviewed', 1)) AS given (name, version);
      INSERT INTO coherex.tool_review (team_id, id, tool_name, version, decision, note, by_kind, by_id, by_name) VALUES
        ('team_a', 'rev_1', 'reviewed', 1, 'approve', '', 'person', 'per_ann', 'Ann'),
        ('team_a', 'rev_2', 'greet', 2, 'comment', 'Why?', 'person', 'per_ann', 'Ann')`)
    // of a thread that went on, and of one that a person could watch fail
    await insertTurn(turn(2), { thread: 'thr_2', ago: 55 })
    await insertTurn(turn(3), { thread: 'thr_2', ago: 54, ending: 'answered' })
    await insertTurn(turn(4), { thread: 'thr_3', ago: 53, ending: 'model' })
    await insertTurn(turn(5), { thread: 'thr_4', ago: 52, ending: 'model', startedBy: 'schedule' })
    await insertDelivery(delivery(1), { ago: 50 })
    await insertDelivery(delivery(2), { ago: 49, status: 'refused' })
    await insertDelivery(delivery(3), { ago: 48, status: 'started' })
    await insertDelivery(delivery(4), { ago: 47, kind: 'test' })
    await insertDelivery(delivery(5), { ago: 46, trigger: 'trg_2' })
  })

  const all = ['apr_1', 'prp_1', 'agent:coder:2', 'skill:tidy-up:2', 'tool:greet:2', delivery(2), turn(5), turn(1)]

  test('gives versions of tools only where the team asks for a review', async () => {
    expect(ids(await list(ann, { kinds: 'tool-review' }))).toEqual([])
    await superuser.query(`INSERT INTO coherex.tool_rule (team_id, tool_review) VALUES ('team_a', 'person')`)
    expect(ids(await list(ann, { kinds: 'tool-review' }))).toEqual(['tool:greet:2'])
    expect(ids(await list(bob, { kinds: 'tool-review' }))).toEqual([])
    expect(ids(await list(olga, { kinds: 'tool-review' })).sort()).toEqual(['tool:greet:2', 'tool:secret-tool:1'])
    await superuser.query(`DELETE FROM coherex.tool WHERE name = 'secret-tool'`)
  })

  test('gives what waits of every kind, newest first', async () => {
    const page = await list(ann)
    expect(ids(page)).toEqual(all)
    expect(page.items[0]).toEqual({
      id: 'apr_1',
      kind: 'approval',
      title: 'coder asks to use bash',
      summary: 'ls -l',
      at: expect.any(String),
      by: { kind: 'agent', name: 'coder' },
      where: { agent: 'coder', thread: { id: 'thr_1', title: 'Talk 1' } },
      url: '/inbox/apr_1',
      isDismissible: false,
      count: 1,
    })
    expect(page.items.slice(1)).toMatchObject([
      {
        title: 'coder proposes a change to a.ts',
        summary: 'Shorter',
        where: { workspace: { id: 'wsp_1', name: 'Desk' } },
      },
      {
        title: 'builder proposes version 2 of agent coder',
        where: { agent: 'coder', version: 2, thread: { id: 'thr_2' } },
      },
      {
        title: 'Ann proposes version 2 of skill tidy-up',
        by: { kind: 'person' },
        where: { skill: 'tidy-up', version: 2 },
      },
      {
        title: 'Version 2 of tool greet waits for a review',
        summary: 'Louder',
        by: { kind: 'person', name: 'Bob' },
        where: { tool: 'greet', version: 2 },
        isDismissible: false,
      },
      { title: 'Trigger daily did not start coder', summary: 'No model answers', count: 2, isDismissible: true },
      { title: 'coder gave up after trigger daily', where: { trigger: { id: 'trg_1' } }, isDismissible: true },
      { title: 'coder gave up', summary: 'It was interrupted', where: { thread: { title: 'Talk 1' } } },
    ])
    expect(await countInbox(database, ann)).toEqual({ count: all.length, isMore: false })
  })

  test('pages through everything once, whatever the size of a page', async () => {
    for (const limit of [1, 2, 3]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(ann, { limit, ...(cursor && { cursor }) })
        seen.push(...ids(page))
        cursor = page.nextCursor
      } while (cursor)
      expect(seen).toEqual(all)
    }
    const forged = Buffer.from(JSON.stringify(['2026-99-99T99:99:99.000000Z', 'x'])).toString('base64url')
    await expect(list(ann, { cursor: forged })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('gives only the kinds that were asked for', async () => {
    expect(ids(await list(ann, { kinds: 'skill-review,approval' }))).toEqual(['apr_1', 'skill:tidy-up:2'])
  })

  test('leaves failures to the person the agent worked for, those of triggers also to admins, and shows viewers nothing', async () => {
    expect(ids(await list(bob))).toEqual(['apr_1', 'prp_1', 'agent:coder:2', 'skill:tidy-up:2'])
    expect(ids(await list(olga))).toEqual(all.slice(0, -1))
    expect(ids(await list(vic))).toEqual([])
    expect(await countInbox(database, vic)).toEqual({ count: 0, isMore: false })
  })

  test('shows nothing of another team', async () => {
    expect(ids(await list(callerOf('per_bob', 'owner', 'team_b')))).toEqual(['apr_theirs'])
  })
})

describe('dismissItem()', () => {
  test('takes a failure and the earlier ones of its trigger out of one inbox, until the next one', async () => {
    await dismissItem(database, ann, delivery(2))
    expect(ids(await list(ann, { kinds: 'failed-trigger' }))).toEqual([])
    expect(ids(await list(olga, { kinds: 'failed-trigger' }))).toEqual([delivery(2)])
    await insertDelivery(delivery(6), { ago: 2 })
    const { items } = await list(ann, { kinds: 'failed-trigger' })
    expect(items).toMatchObject([{ id: delivery(6), count: 1 }])
    // an earlier one that is dismissed late brings nothing back
    await dismissItem(database, ann, delivery(6))
    await dismissItem(database, ann, delivery(1))
    expect(ids(await list(ann, { kinds: 'failed-trigger' }))).toEqual([])
    await insertDelivery(delivery(7), { ago: 1, status: 'started', kind: 'redelivery', of: delivery(6) })
    expect(ids(await list(olga, { kinds: 'failed-trigger' }))).toEqual([delivery(2)])

    await dismissItem(database, ann, turn(1))
    expect(ids(await list(ann, { kinds: 'given-up-turn' }))).toEqual([turn(5)])
  })

  test('refuses what has a decision of its own, what did not fail and what another team has', async () => {
    for (const [id, code] of [
      ['apr_1', 'conflict'],
      ['agent:coder:2', 'conflict'],
      [turn(3), 'not_found'],
      [delivery(3), 'not_found'],
      [turn(9), 'not_found'],
    ]) {
      await expect(dismissItem(database, ann, id ?? '')).rejects.toMatchObject({ code })
    }
  })
})
