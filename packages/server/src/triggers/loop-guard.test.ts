import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anna, robot, startTestWorkspaces, type TestWorkspaces } from '../workspaces/test-workspaces.ts'
import { fireEvents } from './fire-events.ts'

let store: TestWorkspaces
let workspaceId: string

beforeAll(async () => {
  store = await startTestWorkspaces()
  workspaceId = (await store.make()).workspaceId
  await run(sql`INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name)
    VALUES (${store.teamId}, 'watcher', 'active', 1, 'per_anna', 'Anna')`)
  await run(sql`
    INSERT INTO coherex.trigger (team_id, id, agent_name, name, kind, definition, person_id, person_name, acting, seen)
    VALUES (${store.teamId}, 'trg_watch', 'watcher', 'event-1', 'event', '{"event":"file-changed","paths":["*.txt"]}',
      'per_anna', 'Anna', '{}', '{"versions":{}}')`)
})
afterAll(() => store.stop())

const run = (statement: ReturnType<typeof sql>) =>
  store.database.transaction({ team: store.teamId }, (transaction) => transaction.execute(statement))

/** A change that was made long enough ago to be told. */
async function change(path: string, author: object): Promise<void> {
  const { rows } = await run(sql`
    UPDATE coherex.workspace SET version = version + 1 WHERE id = ${workspaceId} RETURNING version`)
  const number = rows[0]?.['version']
  await run(sql`
    INSERT INTO coherex.workspace_version (team_id, workspace_id, number, seq, author, changes, change_count, at)
    VALUES (${store.teamId}, ${workspaceId}, ${number}, 0, ${JSON.stringify(author)}::jsonb, '[]', 1, now() - interval '1 minute')`)
  await run(sql`
    INSERT INTO coherex.workspace_change (team_id, workspace_id, path, number)
    VALUES (${store.teamId}, ${workspaceId}, ${path}, ${number})`)
}

async function deliveries(): Promise<{ status: string; depth: number; reason: string | null }[]> {
  const { rows } = await run(
    sql`SELECT status, depth, reason FROM coherex.delivery WHERE trigger_id = 'trg_watch' ORDER BY id`,
  )
  return rows as never
}

/** A turn of an agent that a delivery of that depth began. */
async function startedTurn(agentName: string, depth: number): Promise<void> {
  const name = `${agentName}_${depth}`
  await run(sql`
    INSERT INTO coherex.thread (team_id, id, agent_name, person_id, person_name)
    VALUES (${store.teamId}, ${`thr_${name}`}, ${agentName}, 'per_anna', 'Anna')`)
  await run(sql`
    INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, question_id, answer_id, server_id, person_id, person_name)
    VALUES (${store.teamId}, ${`turn_${name}`}, ${`thr_${name}`}, ${agentName}, 1, 'm', 'running', 'q', 'a', 's', 'per_anna', 'Anna')`)
  await run(sql`
    INSERT INTO coherex.delivery (team_id, id, agent_name, trigger_id, trigger_name, kind, key, body_hash, content_type, size, status, depth, thread_id)
    VALUES (${store.teamId}, ${`dlv_${name}`}, ${agentName}, 'trg_other', 'event-1', 'event', ${name}, '', '', 0, 'started', ${depth}, ${`thr_${name}`})`)
}

test('changes of one pause are one firing; those of other files and of the agent itself are none', async () => {
  await change('a.txt', anna)
  await change('b.txt', anna)
  await change('notes.md', anna)
  expect(await fireEvents(store.database, store.teamId)).toBe(1)
  await change('c.txt', { ...robot, id: 'watcher' })
  expect(await fireEvents(store.database, store.teamId)).toBe(0)
  expect(await fireEvents(store.database, store.teamId)).toBe(0)
  expect(await deliveries()).toEqual([{ status: 'pending', depth: 0, reason: null }])
})

test('an agent that another trigger began adds to the depth, and beyond three it is refused with the reason', async () => {
  await startedTurn('pong', 2)
  await change('d.txt', { ...robot, id: 'pong' })
  expect(await fireEvents(store.database, store.teamId)).toBe(1)
  expect((await deliveries()).at(-1)).toMatchObject({ status: 'pending', depth: 3 })
  await startedTurn('pong', 3)
  await change('e.txt', { ...robot, id: 'pong' })
  expect(await fireEvents(store.database, store.teamId)).toBe(0)
  const last = (await deliveries()).at(-1)
  expect(last).toMatchObject({ status: 'refused', depth: 4 })
  expect(last?.reason).toContain('Agents set each other off 3 times in a row')
})

test('a trigger that fires without a pause rests, and begins anew after that', async () => {
  for (let fired = (await deliveries()).length; fired <= 31; fired++) {
    await change(`f${fired}.txt`, anna)
    await fireEvents(store.database, store.teamId)
  }
  const refused = (await deliveries()).filter(({ reason }) => reason?.includes('30 times within 10 minutes'))
  expect(refused).toHaveLength(1)
  await change('while-resting.txt', anna)
  expect(await fireEvents(store.database, store.teamId)).toBe(0)
  await run(sql`UPDATE coherex.trigger SET held_until = now() - interval '1 second'`)
  await run(sql`UPDATE coherex.delivery SET received_at = now() - interval '11 minutes'`)
  // what came meanwhile is past
  expect(await fireEvents(store.database, store.teamId)).toBe(0)
  await change('after.txt', anna)
  expect(await fireEvents(store.database, store.teamId)).toBe(1)
})
