import { routes } from '@coherex/contract'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let person: TestPerson
let superuser: Client

beforeAll(async () => {
  server = await startTestServer({ COHEREX_LOG_LEVEL: 'silent' })
  owner = await server.owner()
  person = await server.invite(owner, 'editor')
  superuser = await server.database.superuser()
})
afterAll(async () => {
  await superuser.end()
  await server.stop()
})

const lastPart = (link: string | null) => link?.split('/').at(-1) ?? ''

/** Each change that the log tells of, made ready: what it needs is there. */
async function readyChanges(): Promise<Record<string, () => Promise<unknown>>> {
  const personId = person.me.person.id
  const credentials = { email: person.email, password: person.password }
  const source = 'kind: agent\nname: helper\ndescription: Helps\ninstructions: Help.\n'
  const files = { 'SKILL.md': '---\nname: writing\ndescription: Writes\n---\nWrite.\n' }
  const invited = await owner.call(routes.teams.invite, { body: { email: 'i@example.com', role: 'viewer' } })
  const key = await owner.call(routes.keys.create, { body: { name: 'a key', scopes: ['read'] } })
  await owner.call(routes.secrets.put, { params: { name: 'KNOWN' }, body: { value: 'one' } })
  await owner.call(routes.agents.create, { body: { source } })
  await owner.call(routes.skills.put, { params: { name: 'writing' }, body: { files } })
  const agent = { name: 'helper', variable: 'TONE' }
  await owner.call(routes.variables.putOfAgent, { params: agent, body: { value: 'dry' } })
  const workspace = await owner.call(routes.workspaces.create, { body: { name: 'Ours' } })
  const thread = await owner.call(routes.threads.create, { body: { agent: 'helper' } })
  const reset = await owner.call(routes.signIn.resetMember, { params: { personId } })
  const elsewhere = server.browser()
  await elsewhere.call(routes.signIn.withPassword, { body: credentials })
  const { items: sessions } = await person.call(routes.signIn.listSessions, {})
  const other = sessions.find((one) => !one.current)?.id ?? ''
  const newPassword = 'a password that is not kept'
  const joining = { token: lastPart(invited.link), name: 'New', password: newPassword }
  return {
    'team.rename': () => owner.call(routes.teams.rename, { body: { name: 'Renamed' } }),
    'team.create': () => owner.call(routes.teams.create, { body: { name: 'Another' } }),
    'invitation.create': () => owner.call(routes.teams.invite, { body: { email: 'j@example.com', role: 'viewer' } }),
    'member.join': () => server.browser().call(routes.teams.acceptInvitation, { body: joining }),
    'invitation.revoke': () => owner.call(routes.teams.revokeInvitation, { params: { id: invited.invitation.id } }),
    'member.role': () => owner.call(routes.teams.changeRole, { params: { personId }, body: { role: 'admin' } }),
    'password.reset-link': () => owner.call(routes.signIn.resetMember, { params: { personId } }),
    'password.reset': () =>
      server
        .browser()
        .call(routes.signIn.resetPassword, { body: { token: lastPart(reset.link), password: newPassword } }),
    'password.change': () =>
      person.call(routes.signIn.changePassword, { body: { currentPassword: person.password, newPassword } }),
    'person.rename': () => person.call(routes.signIn.updateMe, { body: { name: 'Someone else' } }),
    'session.end': () => person.call(routes.signIn.endSession, { params: { id: other } }),
    'sign-out': () => elsewhere.call(routes.signIn.out, {}),
    'member.remove': () => owner.call(routes.teams.removeMember, { params: { personId } }),
    'key.create': () => owner.call(routes.keys.create, { body: { name: 'another', scopes: ['read'] } }),
    'key.revoke': () => owner.call(routes.keys.revoke, { params: { id: key.id } }),
    'secret.create': () => owner.call(routes.secrets.put, { params: { name: 'NEW' }, body: { value: 'one' } }),
    'secret.replace': () => owner.call(routes.secrets.put, { params: { name: 'KNOWN' }, body: { value: 'two' } }),
    'secret.delete': () => owner.call(routes.secrets.remove, { params: { name: 'KNOWN' } }),
    'quota.change': () => owner.call(routes.teams.setQuotas, { body: { members: 40 } }),
    'model.default': () => owner.call(routes.models.setDefault, { body: { model: 'compatible/other' } }),
    'model.embedding': () => owner.call(routes.models.setEmbedding, { body: { model: 'compatible/vectors' } }),
    'approval.rules': () => owner.call(routes.approvals.setRules, { body: { rules: { bash: 'always' } } }),
    'agent.create': () => owner.call(routes.agents.create, { body: { source: source.replace('helper', 'second') } }),
    'agent.update': () =>
      owner.call(routes.agents.put, {
        params: { name: 'helper' },
        body: { source: source.replace('Help.', 'Help more.') },
      }),
    'agent.status': () => owner.call(routes.agents.change, { params: { name: 'helper' }, body: { status: 'paused' } }),
    'agent.delete': () => owner.call(routes.agents.remove, { params: { name: 'helper' } }),
    'variable.set': () => owner.call(routes.variables.putOfAgent, { params: agent, body: { value: 'warm' } }),
    'variable.delete': () => owner.call(routes.variables.removeOfAgent, { params: agent }),
    'skill.update': () =>
      owner.call(routes.skills.put, {
        params: { name: 'writing' },
        body: { files: { 'SKILL.md': files['SKILL.md'].replace('Write.', 'Write more.') } },
      }),
    'skill.archive': () => owner.call(routes.skills.change, { params: { name: 'writing' }, body: { archived: true } }),
    'skill.delete': () => owner.call(routes.skills.remove, { params: { name: 'writing' } }),
    'workspace.create': () => owner.call(routes.workspaces.create, { body: { name: 'Another' } }),
    'workspace.update': () =>
      owner.call(routes.workspaces.update, { params: { id: workspace.id }, body: { name: 'Renamed' } }),
    'workspace.delete': () => owner.call(routes.workspaces.remove, { params: { id: workspace.id } }),
    'thread.share': () => owner.call(routes.threads.change, { params: { id: thread.id }, body: { reach: 'team' } }),
    'thread.delete': () => owner.call(routes.threads.remove, { params: { id: thread.id } }),
  }
}

/** The rows of every table, but for counters of attempts. */
async function everything(): Promise<Record<string, unknown>> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname IN ('coherex', 'coherex_auth') AND tablename <> 'attempt' ORDER BY 1`,
  )
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await superuser.query<{ row: string }>(`SELECT one::text AS row FROM ${name} one ORDER BY 1`)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

test('a change whose line in the audit log cannot be written is not made', { timeout: 120_000 }, async () => {
  const changes = await readyChanges()
  await superuser.query('ALTER TABLE coherex.audit_event ADD CONSTRAINT is_full CHECK (false) NOT VALID')
  const before = await everything()
  for (const [action, change] of Object.entries(changes)) {
    await expect(change(), action).rejects.toMatchObject({ code: 'internal' })
    expect([action, await everything()]).toEqual([action, before])
  }
  // the session of a sign-in is better-auth's, and nobody is given its cookie
  const stranger = server.browser()
  const credentials = { email: person.email, password: person.password }
  await expect(stranger.call(routes.signIn.withPassword, { body: credentials })).rejects.toMatchObject({
    code: 'internal',
  })
  expect(stranger.cookie()).toBe('')
  await superuser.query('ALTER TABLE coherex.audit_event DROP CONSTRAINT is_full')
})
