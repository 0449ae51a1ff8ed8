import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database/test-database.ts'
import type { TeamCaller } from '../../access/index.ts'
import { openStore, parseDatabaseUrl, type Database } from '../../base/index.ts'
import { createSearch, type Search } from './create-search.ts'

let own: TestDatabase
let database: Database
let superuser: pg.Client
let search: Search

const agents = [
  { name: 'coder', description: 'Writes code in your workspace' },
  { name: 'analyst', description: 'Reads sales figures' },
]
const tools = [{ name: 'sales-tax', description: 'Adds what is owed' }]
const people = [{ person: { id: 'per_ann', name: 'Ann Sales', email: 'ann@example.com' }, role: 'editor' }]

beforeAll(async () => {
  own = await createTestDatabase()
  database = (await openStore({ owner: parseDatabaseUrl(own.url), log: pino({ level: 'silent' }) })).database
  superuser = await own.superuser()
  const listOf = (items: object[]) => async () => ({ items, nextCursor: null })
  search = createSearch({
    database,
    registry: { agents: { list: listOf(agents) }, skills: { list: listOf([]) }, tools: { list: listOf(tools) } },
    access: { teams: { listMembers: async () => ({ items: people, nextCursor: null }) } },
  } as never)
  await superuser.query(`
    INSERT INTO coherex.team VALUES ('team_a', 'A'), ('team_b', 'B');
    INSERT INTO coherex.workspace (team_id, id, name, template, created_by)
      SELECT team, 'wsp_1', 'Sales plot of ' || team, 'empty', '{}' FROM unnest(ARRAY['team_a', 'team_b']) AS team;
    INSERT INTO coherex.workspace_file (team_id, workspace_id, path, kind, hash, size, number, at)
      VALUES ('team_a', 'wsp_1', 'src/sales.py', 'text', 'h', 1, 1, now()), ('team_a', 'wsp_1', '100%_done.md', 'text', 'h', 1, 1, now());
    INSERT INTO coherex.thread (team_id, id, agent_name, title, person_id, person_name)
      SELECT team, 'thr_1', 'coder', 'About ' || team, 'per_ann', 'Ann' FROM unnest(ARRAY['team_a', 'team_b']) AS team;
    INSERT INTO coherex.message (team_id, id, thread_id, role, parts, words, author_id, author_name)
      SELECT team, 'msg_' || n, 'thr_1', 'user', '[]', 'please call frame.groupby("region") for ' || team || ' ' || n, 'per_ann', 'Ann'
      FROM unnest(ARRAY['team_a', 'team_b']) AS team, generate_series(1, 3) AS n`)
})
afterAll(async () => {
  await superuser.end()
  await database.close()
  await own.drop()
})

const caller = { teamId: 'team_a', person: { id: 'per_ann', name: 'Ann' }, role: 'viewer' } as unknown as TeamCaller
const find = async (q: string, more: { kinds?: string; limit?: number } = {}) =>
  (await search.find(caller, { limit: 20, ...more, q })).items

test('search puts names before descriptions and leaves other teams out', async () => {
  const items = await find('sales')
  expect(items.map(({ kind, title }) => [kind, title])).toEqual([
    ['workspace', 'Sales plot of team_a'],
    ['tool', 'sales-tax'],
    ['file', 'src/sales.py'],
    ['person', 'Ann Sales'],
    ['agent', 'analyst'],
  ])
  expect(items[2]).toMatchObject({ where: 'Sales plot of team_a', url: '/workspaces/wsp_1?file=src%2Fsales.py' })
})

test('search finds a message by an unfinished word after a dot, once for each conversation, with the words around it', async () => {
  const [item, ...others] = await find('groupb reg')
  expect(others).toEqual([])
  expect(item).toMatchObject({
    kind: 'message',
    id: 'msg_3',
    title: 'About team_a',
    url: '/threads/thr_1#msg_3',
  })
  expect(item?.snippet).toContain('frame.groupby("region") for team_a 3')
})

test('search takes signs of patterns and of tsquery as letters', async () => {
  expect((await find('100%_')).map(({ title }) => title)).toEqual(['100%_done.md'])
  for (const odd of ["'", "a' | 'b", '\\', '!&|():*', '%', '_x_', '<->', ' '.repeat(3) + '🦊']) await find(odd)
  expect(await find('%%%zz')).toEqual([])
})

test('search keeps to the kinds that are asked for and refuses others by name', async () => {
  expect((await find('sales', { kinds: 'agent, person' })).map(({ kind }) => kind)).toEqual(['person', 'agent'])
  await expect(find('sales', { kinds: 'agent,flow' })).rejects.toMatchObject({
    message: expect.stringContaining('"flow"'),
  })
})
