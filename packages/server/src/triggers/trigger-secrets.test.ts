import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing, rotateKeys, type TeamCaller } from '../access/index.ts'
import { startTestWorkspaces, type TestWorkspaces } from '../workspaces/test-workspaces.ts'
import { makeTriggerSecret, openTriggerSecrets } from './trigger-secrets.ts'

const [before, after] = ['the key of the installation, before', 'the key of the installation, after']
const triggerId = 'trg_hook'
let store: TestWorkspaces
let caller: TeamCaller

beforeAll(async () => {
  store = await startTestWorkspaces()
  const { database, teamId } = store
  const person = { id: 'per_anna', name: 'Anna', email: 'anna@example.com', operator: false }
  const origin = { ip: null, requestId: null, setupDone: true }
  caller = { ...origin, person, teamId, role: 'editor', via: 'session', credentialId: 'ses_1', scopes: ['admin'] }
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction.execute(sql`INSERT INTO coherex.team_key (team_id, sealed)
      VALUES (${teamId}, ${createKeyRing(before).newTeamKey(teamId)})`)
    await transaction.execute(sql`INSERT INTO coherex.agent (team_id, name, status, version, created_by, created_by_name)
      VALUES (${teamId}, 'hooked', 'active', 1, 'per_anna', 'Anna')`)
    await transaction.execute(sql`
      INSERT INTO coherex.trigger (team_id, id, agent_name, name, kind, definition, person_id, person_name, acting)
      VALUES (${teamId}, ${triggerId}, 'hooked', 'webhook-1', 'webhook', '{"webhook":{}}', 'per_anna', 'Anna', '{}')`)
  })
})
afterAll(() => store.stop())

const make = (keepOldHours: number) =>
  makeTriggerSecret({ database: store.database, keyRing: createKeyRing(before) }, caller, {
    target: { agentName: 'hooked' },
    triggerId,
    keepOldHours,
  })
const open = (key: string) =>
  store.database.transaction({ team: store.teamId }, (transaction) =>
    openTriggerSecrets(transaction, createKeyRing(key), { teamId: store.teamId, id: triggerId }),
  )

test('secrets that are replaced are taken for a while, the newest four of them, or not at all', async () => {
  const made: string[] = []
  for (let round = 0; round < 6; round++) made.push((await make(24)).secret)
  expect((await open(before)).toSorted()).toEqual(made.slice(-4).toSorted())
  const last = await make(0)
  expect(last.oldUntil).toBeNull()
  expect(await open(before)).toEqual([last.secret])
})

test('they open after the key of the installation was rotated, and not with the old one', async () => {
  const held = await open(before)
  await rotateKeys(store.database, { from: before, to: after })
  expect(await open(after)).toEqual(held)
  await expect(open(before)).rejects.toThrow()
})
