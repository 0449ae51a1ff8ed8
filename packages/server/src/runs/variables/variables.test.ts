import { mostVariables } from '@coherex/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { openStore, parseDatabaseUrl, type Database, type EventBus } from '../../base/index.ts'
import { readEnvironment, readVariables, toEnv, toReceipt } from './environment.ts'
import { listAllVariables } from './list-all-variables.ts'
import { listVariables, putVariable, removeVariable, type VariableOwner } from './variables.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client
const heard: unknown[] = []
const events = { publish: async (event: unknown) => void heard.push(event) } as unknown as EventBus

const ann = { teamId: 'team_a', person: { id: 'person_1', name: 'Ann' } } as TeamCaller
const bob = { teamId: 'team_b', person: { id: 'person_2', name: 'Bob' } } as TeamCaller
const workspace: VariableOwner = { kind: 'workspace', id: 'wsp_1', name: 'Reports' }
const agent: VariableOwner = { kind: 'agent', id: 'analyst', name: 'analyst' }

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
})
beforeEach(async () => {
  heard.length = 0
  await superuser.query(`
    TRUNCATE coherex.team CASCADE;
    INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B');
    INSERT INTO coherex.workspace (team_id, id, name, template, created_by)
      VALUES ('team_a', 'wsp_1', 'Reports', 'blank', '{}');
    INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name)
      VALUES ('team_a', 'analyst', 'active', 1, 'person_1', 'Ann')`)
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const put = (owner: VariableOwner, name: string, value: string, caller = ann) =>
  putVariable({ database, events }, caller, owner, { name, value })
const read = (teamId: string, owners: Parameters<typeof readVariables>[2]) =>
  database.transaction({ team: teamId }, (transaction) => readVariables(transaction, teamId, owners))

test('putVariable() sets, replaces and tells of it; removeVariable() takes it away, once', async () => {
  await put(workspace, 'REGION', 'north')
  await put(workspace, 'LIMIT', '')
  expect(await put(workspace, 'REGION', 'süd')).toMatchObject({ name: 'REGION', value: 'süd', updatedBy: 'Ann' })
  expect((await listVariables(database, 'team_a', workspace)).map(({ name, value }) => [name, value])).toEqual([
    ['LIMIT', ''],
    ['REGION', 'süd'],
  ])
  await removeVariable({ database, events }, ann, workspace, 'REGION')
  await expect(removeVariable({ database, events }, ann, workspace, 'REGION')).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(heard).toEqual(Array.from({ length: 4 }, () => ({ teamId: 'team_a', type: 'variable', id: 'wsp_1' })))
  const { rows } = await superuser.query(
    `SELECT action, target_kind, target_id, target_name, details FROM coherex.audit_event ORDER BY at`,
  )
  const entry = (action: string, variable: string) => ({
    ...{ action, target_kind: 'workspace', target_id: 'wsp_1', target_name: 'Reports', details: { variable } },
  })
  expect(rows).toEqual([
    entry('variable.set', 'REGION'),
    entry('variable.set', 'LIMIT'),
    entry('variable.set', 'REGION'),
    entry('variable.delete', 'REGION'),
  ])
})

test('another team neither reads, sets nor deletes them', async () => {
  await put(workspace, 'REGION', 'north')
  expect(await listVariables(database, 'team_b', workspace)).toEqual([])
  expect(await read('team_b', { workspaceId: 'wsp_1' })).toEqual([])
  await expect(put(workspace, 'REGION', 'theirs', bob)).rejects.toMatchObject({ code: 'not_found' })
  await expect(removeVariable({ database, events }, bob, workspace, 'REGION')).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(toEnv(await read('team_a', { workspaceId: 'wsp_1' }))).toEqual({ REGION: 'north' })
})

test('listAllVariables() pages through those of all workspaces and agents of one team, and finds by name or owner', async () => {
  await put(workspace, 'REGION', 'north')
  await put(agent, 'REGION', 'south')
  await put(agent, 'TONE', 'dry')
  const list = (query: { limit: number; cursor?: string; search?: string }, teamId = 'team_a') =>
    listAllVariables(database, teamId, query)
  const first = await list({ limit: 2 })
  expect(first.items.map(({ owner, name, value }) => [owner, name, value])).toEqual([
    [{ kind: 'agent', id: 'analyst', name: 'analyst' }, 'REGION', 'south'],
    [{ kind: 'workspace', id: 'wsp_1', name: 'Reports' }, 'REGION', 'north'],
  ])
  const rest = await list({ limit: 2, cursor: first.nextCursor ?? '' })
  expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([['TONE'], null])
  const found = async (search: string) => (await list({ limit: 9, search })).items.map(({ value }) => value)
  expect([await found('ton'), await found('report'), await found('%')]).toEqual([['dry'], ['north'], []])
  expect((await list({ limit: 9 }, 'team_b')).items).toEqual([])
})

test('a workspace or an agent has a bounded number of them, and bounded bytes', async () => {
  await superuser.query(`
    INSERT INTO coherex.agent_variable (team_id, agent_name, name, value, updated_by)
    SELECT 'team_a', 'analyst', 'V' || n, 'x', 'Ann' FROM generate_series(1, ${mostVariables.count}) n`)
  await expect(put(agent, 'ONE_MORE', 'x')).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect(await put(agent, 'V1', 'replaced')).toMatchObject({ value: 'replaced' })
  for (let n = 1; n <= 7; n++) await put(workspace, `BIG_${n}`, 'x'.repeat(32_768))
  await expect(put(workspace, 'BIG_8', 'ü'.repeat(32_768))).rejects.toMatchObject({ code: 'too_large' })
  expect(await listVariables(database, 'team_a', workspace)).toHaveLength(7)
})

test('they go with their workspace or agent', async () => {
  await put(workspace, 'REGION', 'north')
  await put(agent, 'TONE', 'dry')
  await superuser.query(`DELETE FROM coherex.workspace; DELETE FROM coherex.agent`)
  expect(await read('team_a', { workspaceId: 'wsp_1', agentName: 'analyst' })).toEqual([])
  await expect(put(agent, 'TONE', 'dry')).rejects.toMatchObject({ code: 'not_found' })
})

test('a run’s own win over the agent’s, and those over the workspace’s', async () => {
  for (const name of ['A', 'B', 'C']) await put(workspace, name, 'workspace')
  for (const name of ['B', 'C']) await put(agent, name, 'agent')
  const owners = { workspaceId: 'wsp_1', agentName: 'analyst' }
  const environment = await readEnvironment(database, 'team_a', { ...owners, env: { C: 'run' }, from: 'run' })
  expect(toEnv(environment)).toEqual({ A: 'workspace', B: 'agent', C: 'run' })
  expect(toReceipt({ name: 'isolate', reason: 'r', passedOver: [] }, environment).variables).toEqual([
    { name: 'C', from: 'run' },
    { name: 'B', from: 'agent' },
    { name: 'A', from: 'workspace' },
  ])
  expect(await read('team_a', { workspaceId: null })).toEqual([])
  const ofNobody = { workspaceId: null, agentName: null, env: { C: 'sandbox' }, from: 'sandbox' as const }
  expect(await readEnvironment(database, 'team_a', ofNobody)).toEqual([
    { name: 'C', value: 'sandbox', from: 'sandbox' },
  ])
})
