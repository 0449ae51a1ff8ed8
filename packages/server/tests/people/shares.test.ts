import { routes, type ExecutionReport, type SharedArtifact } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let editor: TestPerson
let viewer: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  viewer = await server.invite(owner, 'viewer')
})
afterAll(() => server.stop())

const report: ExecutionReport = {
  ...{ status: 'succeeded', output: [{ at: 1, stream: 'log', text: 'hi' }], result: 2, durationMs: 3 },
}

/** A block of JavaScript in a conversation of somebody's, which ran once. */
async function makeArtifact(author: TestPerson, reach: 'private' | 'team' = 'team') {
  const said = (id: string, role: 'user' | 'assistant', text: string) => ({
    ...{ id, parentId: role === 'user' ? null : 'one', role, createdAt: '2026-01-01T00:00:00.000Z', createdBy: 'Ann' },
    parts: [{ type: 'text' as const, text }],
  })
  const thread = await author.call(routes.threads.import, {
    body: {
      ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Blocks' },
      messages: [said('one', 'user', 'Show me'), said('two', 'assistant', '```js title="Sum"\n1 + 1\n```\n')],
    },
  })
  await author.call(routes.threads.change, { params: { id: thread.id }, body: { reach } })
  const params = { id: thread.id, messageId: thread.messages[1]?.id ?? '' }
  const run = await author.call(routes.artifacts.executeFence, {
    params,
    body: { index: 0, runtime: 'browser', report },
  })
  return { threadId: thread.id, id: run.artifactId ?? '', runId: run.id }
}

const share = (author: TestPerson, artifactId: string, given: object = {}) =>
  author.call(routes.shares.create, { body: { artifactId, reach: 'public', ...given } })

const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? ''

/** As somebody who is signed in nowhere. */
async function visit(token: string, query: Record<string, string> = {}) {
  const response = await server.browser().fetch(`/api/v1/shared/${token}?${new URLSearchParams(query).toString()}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a public share shows code, versions and output to anyone who has its address, and no more', async () => {
  const artifact = await makeArtifact(owner, 'private')
  const made = await share(owner, artifact.id, { mode: 'run' })
  expect(made).toMatchObject({ reach: 'public', mode: 'run', title: 'Sum', kind: 'code', language: 'javascript' })
  expect(made.url).toBe(`${server.url}/s/${tokenOf(made)}`)
  expect(made.embedUrl).toBe(`${server.url}/embed/${tokenOf(made)}`)
  const seen = await visit(tokenOf(made))
  const shown = JSON.parse(seen.text) as object
  expect(shown).toEqual({
    ...{ title: 'Sum', kind: 'code', language: 'javascript', mode: 'run', expiresAt: null },
    ...{ sharedBy: owner.me.person.name, version: 1, code: '1 + 1' },
    versions: [{ version: 1, createdAt: '2026-01-01T00:00:00.000Z' }],
    run: {
      ...{ status: 'succeeded', output: report.output, result: 2, truncated: false, durationMs: 3 },
      ...{ endedAt: expect.any(String), reportedBy: 'client' },
    },
  })
  // nothing by which anything else could be asked for
  for (const id of [artifact.id, artifact.runId, artifact.threadId, owner.me.person.id, owner.email, made.id]) {
    expect(seen.text).not.toContain(id)
  }
  expect(seen.headers.get('set-cookie')).toBeNull()
  expect(seen.headers.get('access-control-allow-credentials')).toBeNull()

  // it goes on with the block, and older versions stay
  const body = { code: '1 + 2', expectedVersion: 1 }
  await owner.call(routes.artifacts.save, { params: { id: artifact.id }, body })
  const { text: newer } = await visit(tokenOf(made))
  expect(JSON.parse(newer)).toMatchObject({ version: 2, code: '1 + 2', run: null })
  const { text: older } = await visit(tokenOf(made), { version: '1' })
  expect(JSON.parse(older)).toMatchObject({ version: 1, code: '1 + 1', run: { result: 2 } })
})

test('a guessed, expired or revoked address, and one whose sharer sees it no more, are the same 404', async () => {
  const artifact = await makeArtifact(owner)
  const never = await visit('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  expect(never.status).toBe(404)

  const expiring = await share(owner, artifact.id, { expiresAt: new Date(Date.now() + 1_500).toISOString() })
  expect((await visit(tokenOf(expiring))).status).toBe(200)
  await expect.poll(async () => (await visit(tokenOf(expiring))).text, { timeout: 10_000 }).toBe(never.text)

  const revoked = await share(owner, artifact.id)
  expect((await visit(tokenOf(revoked))).status).toBe(200)
  await owner.call(routes.shares.revoke, { params: { id: revoked.id } })
  expect((await visit(tokenOf(revoked))).text).toBe(never.text)

  // the id of a share is no address, nor is one of the team's
  const ofTeam = await share(owner, artifact.id, { reach: 'team' })
  expect(ofTeam).toMatchObject({ url: `${server.url}/gallery/${ofTeam.id}`, embedUrl: null })
  expect((await visit(ofTeam.id)).text).toBe(never.text)

  // what was shared of a conversation of the team ends when that becomes somebody else's own
  const byEditor = await share(editor, artifact.id)
  expect((await visit(tokenOf(byEditor))).status).toBe(200)
  await owner.call(routes.threads.change, { params: { id: artifact.threadId }, body: { reach: 'private' } })
  expect((await visit(tokenOf(byEditor))).text).toBe(never.text)

  // a version that is not there is said in the same words
  const whole = await share(owner, artifact.id)
  expect((await visit(tokenOf(whole), { version: '9' })).text).toBe(never.text)
  // and a deleted conversation takes its shares along
  await owner.call(routes.threads.remove, { params: { id: artifact.threadId } })
  expect((await visit(tokenOf(whole))).text).toBe(never.text)
})

test('who leaves the team takes their shares with them', async () => {
  const leaving = await server.invite(owner, 'editor')
  const artifact = await makeArtifact(owner)
  const made = await share(leaving, artifact.id)
  expect((await visit(tokenOf(made))).status).toBe(200)
  await owner.call(routes.teams.removeMember, { params: { personId: leaving.me.person.id } })
  expect((await visit(tokenOf(made))).status).toBe(404)
})

test('a token is kept as a hash, and is in no list, log or audit line', async () => {
  const artifact = await makeArtifact(owner)
  const made = await share(owner, artifact.id)
  const token = tokenOf(made)
  const { items } = await owner.call(routes.shares.list, { query: { artifactId: artifact.id } })
  expect(items).toMatchObject([{ id: made.id, artifactId: artifact.id }])
  expect(JSON.stringify(items)).not.toContain(token)
  const superuser = await server.database.superuser()
  const { rows } = await superuser.query('SELECT * FROM coherex_auth.share_token WHERE share_id = $1', [made.id])
  await superuser.end()
  expect(rows).toEqual([
    { hash: expect.stringMatching(/^[0-9a-f]{64}$/), team_id: owner.me.team?.id, share_id: made.id },
  ])
  await owner.call(routes.shares.revoke, { params: { id: made.id } })
  const audit = await owner.call(routes.audit.list, { query: { limit: 50 } })
  expect(audit.items.filter(({ target }) => target?.id === made.id).map(({ action }) => action)).toEqual([
    'share.revoke',
    'share.create',
  ])
  expect(JSON.stringify(audit)).not.toContain(token)
})

test('the gallery shows the team what was published in it, from private conversations too', async () => {
  const artifact = await makeArtifact(editor, 'private')
  const hidden = await share(editor, artifact.id, { reach: 'team' })
  const listed = await share(editor, artifact.id, { reach: 'team', isListed: true, title: 'A sum', mode: 'run' })
  const { items } = await viewer.call(routes.shares.gallery, {})
  expect(items.filter(({ createdBy }) => createdBy.id === editor.me.person.id)).toMatchObject([
    // who does not see the conversation hears nothing of the artifact itself
    { id: listed.id, title: 'A sum', artifactId: null },
  ])
  const content = await viewer.call(routes.shares.content, { params: { id: listed.id } })
  expect(content).toMatchObject({ title: 'A sum', code: '1 + 1', mode: 'run' })
  // one that is not listed is for who has its address
  expect(await viewer.call(routes.shares.content, { params: { id: hidden.id } })).toMatchObject({ title: 'Sum' })
  await expect(viewer.call(routes.artifacts.get, { params: { id: artifact.id } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('shares are made by editors of what they see, and revoked by who made them or an admin', async () => {
  const hidden = await makeArtifact(owner, 'private')
  await expect(share(editor, hidden.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(share(viewer, hidden.id)).rejects.toMatchObject({ code: 'forbidden' })
  const artifact = await makeArtifact(owner)
  await expect(share(owner, artifact.id, { expiresAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const byOwner = await share(owner, artifact.id)
  const byEditor = await share(editor, artifact.id)
  const revoke = (who: TestPerson, id: string) => who.call(routes.shares.revoke, { params: { id } })
  await expect(revoke(editor, byOwner.id)).rejects.toMatchObject({ code: 'not_found' })
  await revoke(owner, byEditor.id)
  await revoke(owner, byOwner.id)
  const mine = await editor.call(routes.shares.list, {})
  expect(mine.items.every(({ createdBy }) => createdBy.id === editor.me.person.id)).toBe(true)
})

test('a conversation is shared up to its last message, as words alone, and with the rights of who shared it', async () => {
  const { threadId } = await makeArtifact(editor, 'private')
  const made = await editor.call(routes.shares.create, { body: { threadId, reach: 'public' } })
  expect(made).toMatchObject({ kind: 'thread', title: 'Blocks', artifactId: null, threadId, path: null })
  const { messages = [] } = JSON.parse((await visit(tokenOf(made))).text) as SharedArtifact
  expect(messages.map(({ role, by, text }) => [role, by, text])).toEqual([
    ['user', 'Ann', 'Show me'],
    ['assistant', 'Ann', '```js title="Sum"\n1 + 1\n```\n'],
  ])
  // what is said in another branch, or later, was not shared
  await editor.call(routes.threads.clear, { params: { id: threadId } })
  expect(JSON.parse((await visit(tokenOf(made))).text)).toMatchObject({ messages: [{}, {}] })
  // others of the team do not see a private conversation, and cannot share it
  await expect(owner.call(routes.shares.create, { body: { threadId } })).rejects.toMatchObject({ code: 'not_found' })
  await expect(owner.call(routes.shares.list, { query: { threadId } })).rejects.toMatchObject({ code: 'not_found' })
  const { items } = await editor.call(routes.shares.list, { query: { threadId } })
  expect(items.map(({ id }) => id)).toEqual([made.id])
  await editor.call(routes.threads.remove, { params: { id: threadId } })
  expect((await visit(tokenOf(made))).status).toBe(404)
})

test('a file of a workspace is shared as it is now, and no longer once it is gone or revoked', async () => {
  const { id: workspaceId } = await owner.call(routes.workspaces.create, {
    body: { name: 'Shared' },
  })
  const write = (path: string, body: string) =>
    owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path }, query: {}, body })
  await write('lib/sum.py', 'print(1)\n')
  const made = await owner.call(routes.shares.create, { body: { workspaceId, path: 'lib/sum.py', reach: 'public' } })
  expect(made).toMatchObject({ kind: 'code', language: 'python', title: 'sum.py', workspaceId, path: 'lib/sum.py' })
  await write('lib/sum.py', 'print(2)\n')
  await write('lib/secret.py', 'print(3)\n')
  const seen = await visit(tokenOf(made))
  expect(JSON.parse(seen.text)).toMatchObject({ code: 'print(2)\n', title: 'sum.py', run: null, versions: [] })
  expect(seen.text).not.toContain(workspaceId)
  await owner.call(routes.workspaces.removeFile, { params: { id: workspaceId, path: 'lib/sum.py' }, query: {} })
  expect((await visit(tokenOf(made))).status).toBe(404)

  const other = await owner.call(routes.shares.create, {
    body: { workspaceId, path: 'lib/secret.py', reach: 'public' },
  })
  expect((await visit(tokenOf(other))).status).toBe(200)
  await owner.call(routes.shares.revoke, { params: { id: other.id } })
  expect((await visit(tokenOf(other))).status).toBe(404)
  for (const body of [{ workspaceId }, { workspaceId, path: 'a', threadId: 'thr_00000000000000000000' }, {}])
    await expect(owner.call(routes.shares.create, { body })).rejects.toMatchObject({ code: 'invalid_input' })
})
