import { CoherexError } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Saying } from '../agents/work/beginnings.ts'
import { startTestWorkspaces, type TestWorkspaces } from '../workspaces/test-workspaces.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { startDelivery, type StartDeps } from './start-delivery.ts'

let store: TestWorkspaces

beforeAll(async () => {
  store = await startTestWorkspaces()
  const { teamId } = store
  const acting = JSON.stringify({ via: 'session', credentialId: 'ses_1', scopes: ['admin'] })
  await run(sql`INSERT INTO coherex_auth.person (id, name, email) VALUES ('per_anna', 'Anna', 'anna@example.com')`)
  await run(sql`INSERT INTO coherex.member (team_id, person_id, role) VALUES (${teamId}, 'per_anna', 'editor')`)
  await run(sql`INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name)
    VALUES (${teamId}, 'worker', 'active', 1, 'per_anna', 'Anna')`)
  const definition = { kind: 'agent', name: 'worker', description: 'd', instructions: 'i' }
  await run(sql`INSERT INTO coherex.agent_version (team_id, agent_name, version, source, definition, note, created_by, created_by_name)
    VALUES (${teamId}, 'worker', 1, '', ${JSON.stringify(definition)}::jsonb, '', 'per_anna', 'Anna')`)
  for (const name of ['flooded', 'quiet']) {
    await run(sql`
      INSERT INTO coherex.trigger (team_id, id, agent_name, name, kind, definition, person_id, person_name, acting)
      VALUES (${teamId}, ${`trg_${name}`}, 'worker', ${name}, 'webhook', '{"webhook":{}}', 'per_anna', 'Anna', ${acting}::jsonb)`)
  }
})
afterAll(() => store.stop())
beforeEach(() => run(sql`DELETE FROM coherex.delivery`))

const run = (statement: ReturnType<typeof sql>) =>
  store.database.transaction({ team: store.teamId }, (transaction) => transaction.execute(statement))

async function deliver(trigger: string, count: number): Promise<void> {
  await run(sql`
    INSERT INTO coherex.delivery (team_id, id, agent_name, trigger_id, trigger_name, kind, key, body_hash, content_type, body, size)
    SELECT ${store.teamId}, ${`dlv_${trigger}_`} || lpad(n::text, 3, '0'), 'worker', ${`trg_${trigger}`}, ${trigger}, 'webhook',
      n::text, '', 'text/plain', 'hello', 5 FROM generate_series(1, ${count}) n`)
}

async function states(): Promise<string[]> {
  const { rows } = await run(sql`SELECT status, tries, reason FROM coherex.delivery ORDER BY id`)
  return rows.map(
    ({ status, tries, reason }) => `${String(status)} ${String(tries)}${reason ? ` ${String(reason)}` : ''}`,
  )
}

const claim = () => claimDeliveries(store.database, store.teamId)
/** Its time has come again: who waits need not, and who had it is gone. */
const later = () =>
  run(
    sql`UPDATE coherex.delivery SET not_before = now(), lease_until = now() - interval '1 second' WHERE status = 'pending'`,
  )

const tools = { call: () => Promise.reject(new Error('no tool has a trigger here')) }

/** Rooms in which a turn begins as `begin` says. */
function rooms(begin: (saying: Saying) => Promise<void>): StartDeps {
  const say = async (saying: Saying) => {
    await begin(saying)
    return {} as never
  }
  return {
    database: store.database,
    log: pino({ level: 'silent' }),
    workspaces: store.workspaces,
    turns: { say },
    tools,
  }
}
const writesDown = (said: Saying[]) => async (saying: Saying) => {
  await store.database.transaction({ team: store.teamId }, async (transaction) => saying.opening?.begun(transaction))
  said.push(saying)
}

test('processes that look at once take different deliveries', async () => {
  await deliver('flooded', 20)
  const taken = await Promise.all(Array.from({ length: 6 }, claim))
  const ids = taken.flatMap(({ claimed }) => claimed.map(({ id }) => id))
  expect(ids).toHaveLength(20)
  expect(new Set(ids).size).toBe(20)
})

test('a flood of one trigger does not keep another waiting', async () => {
  await deliver('flooded', 40)
  await deliver('quiet', 1)
  expect((await claim()).claimed.map(({ triggerName }) => triggerName)).toContain('quiet')
})

test('[Q02] one that another process took after its holder fell silent starts once', async () => {
  await deliver('quiet', 1)
  const said: Saying[] = []
  const [first] = (await claim()).claimed
  await later()
  const [second] = (await claim()).claimed
  expect([first?.id, first?.tries, second?.id, second?.tries]).toEqual(['dlv_quiet_001', 1, 'dlv_quiet_001', 2])
  if (!first || !second) throw new Error('nothing was claimed')
  // both go on at the same moment: only the newer holder writes a turn down
  await Promise.all([startDelivery(rooms(writesDown(said)), first), startDelivery(rooms(writesDown(said)), second)])
  expect(said).toHaveLength(1)
  expect(await states()).toEqual(['started 2'])
  await later()
  expect((await claim()).claimed).toEqual([])
})

test('[Q02] a call of a tool is marked before its code runs, and does not run twice after a crash', async () => {
  const { teamId } = store
  const acting = JSON.stringify({ via: 'session', credentialId: 'ses_1', scopes: ['admin'] })
  await run(sql`
    INSERT INTO coherex.tool (team_id, name, active_version, newest_version, created_by, created_by_name)
    VALUES (${teamId}, 'greet', 1, 1, 'per_anna', 'Anna')`)
  await run(sql`
    INSERT INTO coherex.trigger (team_id, id, tool_name, name, kind, definition, person_id, person_name, acting)
    VALUES (${teamId}, 'trg_tool', 'greet', 'hook', 'webhook', '{"webhook":{}}', 'per_anna', 'Anna', ${acting}::jsonb)`)
  await run(sql`
    INSERT INTO coherex.delivery (team_id, id, tool_name, trigger_id, trigger_name, kind, key, body_hash, content_type, body, size)
    VALUES (${teamId}, 'dlv_tool', 'greet', 'trg_tool', 'hook', 'webhook', '1', '', 'text/plain', 'hello', 5)`)
  const ran: string[] = []
  const calling = (runId: string): StartDeps => ({
    ...rooms(async () => undefined),
    tools: {
      async call(_, { input }, { durable, onAccepted, onStart } = {}) {
        expect([input, durable]).toEqual(['hello', true])
        await onAccepted?.(runId)
        expect(await states()).toEqual(['started 2'])
        ran.push(runId)
        onStart?.(runId)
        // the server is gone before it ends
        return new Promise<never>(() => undefined)
      },
    },
  })
  const [first] = (await claim()).claimed
  await later()
  const [second] = (await claim()).claimed
  if (!first || !second) throw new Error('nothing was claimed')
  // the first holder comes back when another has it
  await Promise.all([startDelivery(calling('run_1'), first), startDelivery(calling('run_2'), second)])
  await later()
  expect((await claim()).claimed).toEqual([])
  expect(ran).toEqual(['run_2'])
})

test('[Q01] what fails each time is given up after three tries with its reason, and others go on', async () => {
  await deliver('flooded', 1)
  await deliver('quiet', 1)
  const said: Saying[] = []
  const poisoned = rooms(async (saying) => {
    if (saying.startedBy?.name === 'flooded') throw new Error('a fault of ours')
    await writesDown(said)(saying)
  })
  for (let round = 0; round < 5; round++) {
    for (const delivery of (await claim()).claimed) await startDelivery(poisoned, delivery)
    await later()
  }
  expect(await states()).toEqual(['failed 3 Something went wrong on the server', 'started 1'])
  expect(said).toHaveLength(1)
})

test('[Q01] one that brings its server down each time is given up too', async () => {
  await deliver('flooded', 1)
  for (let round = 0; round < 5; round++) {
    await claim()
    await later()
  }
  expect(await states()).toEqual(['failed 3 The server stopped 3 times while it began this'])
})

test('a limit that is reached is waited for, and what cannot be is told at once', async () => {
  await deliver('flooded', 1)
  await deliver('quiet', 1)
  const limited = rooms(async ({ startedBy }) => {
    if (startedBy?.name === 'flooded') throw new CoherexError('quota_exceeded', 'The team has spent its money')
    throw new CoherexError('conflict', 'The agent limits what a turn may cost')
  })
  for (const delivery of (await claim()).claimed) await startDelivery(limited, delivery)
  expect(await states()).toEqual([
    'pending 1 The team has spent its money',
    'failed 1 The agent limits what a turn may cost',
  ])
  expect((await claim()).claimed).toEqual([])
})
