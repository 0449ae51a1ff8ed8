import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database/test-database.ts'
import { createDiskBlobs, openStore, parseDatabaseUrl, type BusEvent, type Store } from '../base/index.ts'
import type { TeamCaller } from './caller.ts'
import { createAccess, type Access } from './create-access.ts'
import { createKeyRing } from './secrets/key-ring.ts'
import { listTeamsOf } from './sign-in/people.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { ensureFirstOwner } from './teams/first-owner.ts'

const log = pino({ level: 'silent' })
const publicUrl = 'http://coherex.test'
let database: TestDatabase
let store: Store
let folder: string
let access: Access
let owner: TeamCaller
let told: BusEvent[]
/** What the bus's listeners find when they hear of a change. */
let look: () => Promise<unknown>
let seen: unknown

beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ owner: parseDatabaseUrl(database.url), log })
  folder = await mkdtemp(join(tmpdir(), 'coherex-access-'))
  const keyRing = createKeyRing(randomBytes(32).toString('hex'))
  const { id } = await ensureFirstOwner(store.database, keyRing)
  const [team] = await listTeamsOf(store.database, id)
  if (!team) throw new Error('the first owner has no team')
  owner = {
    ...{ teamId: team.id, role: 'owner', setupDone: true, via: 'session', credentialId: 'ses_test', scopes: ['admin'] },
    ...{ ip: null, requestId: null, person: { id, name: 'Owner', email: 'owner@localhost', operator: true } },
  }
  const signIn = createSignIn({ pool: store.database.poolFor('coherex_auth'), secret: 'x'.repeat(64), publicUrl })
  const events = {
    publish: async (event: BusEvent) => {
      told.push(event)
      seen = await look()
    },
  }
  access = createAccess({
    ...{ database: store.database, events, blobs: createDiskBlobs(folder), keyRing, signIn, publicUrl, log },
    sendMail: undefined,
    fetchDocument: () => Promise.reject(new Error('nobody fetches here')),
  })
})
beforeEach(() => {
  told = []
  look = async () => undefined
})
afterAll(async () => {
  await store.database.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const names = async () => (await access.secrets.list(owner.teamId, { limit: 10 })).items.map(({ name }) => name)
const actions = async () => (await access.listAudit(owner.teamId, { limit: 3 })).items.map(({ action }) => action)

test('access.secrets publishes a change once its transaction has committed', async () => {
  look = names
  const { id } = await access.secrets.put(owner, { name: 'TOKEN', value: 'a value of some length' })
  expect(seen).toEqual(['TOKEN'])
  await access.secrets.remove(owner, 'TOKEN')
  expect(seen).toEqual([])
  expect(told).toEqual([
    { teamId: owner.teamId, type: 'secret', id },
    { teamId: owner.teamId, type: 'secret', id: null },
  ])
  expect(await actions()).toEqual(expect.arrayContaining(['secret.create', 'secret.delete']))
})

test('access.keys, access.teams and access.people publish what they change', async () => {
  const { teamId, person } = owner
  const key = await access.keys.create(owner, { name: 'ci', scopes: ['read'] })
  await access.keys.revoke(owner, key.id)
  await access.teams.rename(owner, 'Makers')
  const { invitation } = await access.teams.invite(owner, { email: 'ann@coherex.test', role: 'editor' })
  await access.teams.revokeInvitation(owner, invitation.id)
  await access.teams.setQuotas(owner, { members: 7 })
  await access.people.rename(owner, 'Ada')
  expect(told).toEqual([
    { teamId, type: 'key', id: key.id },
    { teamId, type: 'key', id: key.id },
    { teamId, type: 'team', id: teamId },
    { teamId, type: 'invitation', id: invitation.id },
    { teamId, type: 'invitation', id: invitation.id },
    { teamId, type: 'quota', id: null },
    { teamId, type: 'member', id: person.id },
  ])
})

test('access.keys refuses a scope that the caller lacks, and publishes nothing', async () => {
  const reader: TeamCaller = { ...owner, via: 'key', scopes: ['read'] }
  await expect(access.keys.create(reader, { name: 'more', scopes: ['admin'] })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(told).toEqual([])
})
