import { createHash } from 'node:crypto'
import { routes, type Role, type Scope } from '@coherex/contract'
import type { TestPerson, TestServer } from './test-server.ts'

/** Two teams with people and things in them, for whoever asks who may do what. */
export interface Scene {
  server: TestServer
  /** Runs the installation and owns the first team. */
  operator: TestPerson
  people: Record<Role, TestPerson>
  /** Was an editor of the first team. */
  removed: TestPerson
  /** Owns the other team and is in no team of ours. */
  stranger: TestPerson
  keys: Record<Scope, string> & Record<'ofViewer' | 'ofRemoved' | 'expired' | 'revoked' | 'garbage', string>
  /** Things of the first team. */
  ours: TeamThings
  /** Things of the stranger's team. */
  theirs: TeamThings
  /** Things of the first team of which some belong to the private thread of an editor who is none of the people. */
  hidden: TeamThings
  author: TestPerson
  /** A number that nobody has had yet, for names and addresses. */
  next(): number
}

export interface TeamThings {
  teamId: string
  personId: string
  invitationId: string
  keyId: string
  sessionId: string
  secretName: string
  /** A run that kept the file `kept.txt`. */
  runId: string
  /** A workspace with the file `a.txt`. */
  workspaceId: string
  /** A sandbox that has the file `kept.txt`. */
  sandboxId: string
  templateName: string
  /** A thread with an agent of theirs, and a turn in it. */
  threadId: string
  turnId: string
  /** What was asked in that turn, and answered. */
  approvalId: string
  agentName: string
  /** A webhook of the agent, the last part of its address, and something it was sent. */
  triggerId: string
  hook: string
  deliveryId: string
  /** A skill with one version. */
  skillName: string
  toolName: string
  /** It cannot be reached. */
  mcpServerName: string
  /** A file for a message. */
  attachmentId: string
  /** A code block of a message in the thread, at its first version. */
  artifactId: string
  shareId: string
  lockHash: string
}

export async function createScene(server: TestServer): Promise<Scene> {
  const operator = await server.owner()
  const people: Scene['people'] = {
    viewer: await server.invite(operator, 'viewer'),
    editor: await server.invite(operator, 'editor'),
    admin: await server.invite(operator, 'admin'),
    owner: await server.invite(operator, 'owner'),
  }
  const stranger = await server.invite(operator, 'viewer')
  const removed = await server.invite(operator, 'editor')
  const makeKey = async (who: TestPerson, scopes: Scope[], expiresAt?: string) =>
    who.call(routes.keys.create, { body: { name: scopes.join('+'), scopes, ...(expiresAt ? { expiresAt } : {}) } })

  const revoked = await makeKey(operator, ['admin'])
  await operator.call(routes.keys.revoke, { params: { id: revoked.id } })
  const expired = await makeKey(operator, ['admin'], new Date(Date.now() + 60_000).toISOString())
  const superuser = await server.database.superuser()
  await superuser.query(`UPDATE coherex.api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expired.id,
  ])
  await superuser.end()
  const ofRemoved = await makeKey(removed, ['admin'])
  const keys: Scene['keys'] = {
    read: (await makeKey(operator, ['read'])).key,
    run: (await makeKey(operator, ['run'])).key,
    write: (await makeKey(operator, ['write'])).key,
    admin: (await makeKey(operator, ['admin'])).key,
    ofViewer: (await makeKey(people.viewer, ['admin'])).key,
    ofRemoved: ofRemoved.key,
    expired: expired.key,
    revoked: revoked.key,
    garbage: `chx_${'garbage'.repeat(4)}`,
  }
  await operator.call(routes.teams.removeMember, { params: { personId: removed.me.person.id } })

  await operator.call(routes.teams.removeMember, { params: { personId: stranger.me.person.id } })
  const team = await stranger.call(routes.teams.create, { body: { name: 'Strangers' } })
  await stranger.call(routes.signIn.switchTeam, { body: { teamId: team.id } })

  const theirMember = await server.invite(stranger, 'viewer')
  const [ours, theirs] = [
    await makeThings(operator, people.editor.me.person.id, 'OURS'),
    await makeThings(stranger, theirMember.me.person.id, 'THEIRS'),
  ]
  const author = await server.invite(operator, 'editor')
  const hidden = await makeHidden(server, author, ours)
  await insertTurns(server, [ours, theirs, hidden])
  await insertLocks(server, [ours, theirs])
  let last = 0
  return {
    server,
    operator,
    people,
    removed,
    stranger,
    keys,
    ours,
    theirs,
    hidden,
    author,
    next: () => ++last,
  }
}

async function makeThings(owner: TestPerson, personId: string, mark: string): Promise<TeamThings> {
  const { team } = await owner.call(routes.signIn.me, {})
  const { invitation } = await owner.call(routes.teams.invite, {
    body: { email: `guest-of-${mark.toLowerCase()}@example.com`, role: 'viewer' },
  })
  const { id } = await owner.call(routes.keys.create, { body: { name: `key of ${mark}`, scopes: ['read'] } })
  const secretName = `SECRET_OF_${mark}`
  await owner.call(routes.secrets.put, { params: { name: secretName }, body: { value: `the value of ${mark}` } })
  const run = await owner.call(routes.runs.create, {
    body: { language: 'bash', code: `echo ${mark} > kept.txt`, keep: ['kept.txt'] },
  })
  const sandbox = await owner.call(routes.sandboxes.create, { body: { name: `sandbox of ${mark}` } })
  const file = { id: sandbox.id, path: 'kept.txt' }
  await owner.call(routes.sandboxes.writeFile, { params: file, body: mark })
  const workspace = await owner.call(routes.workspaces.create, { body: { name: `Workspace of ${mark}` } })
  await owner.call(routes.workspaces.writeFile, { params: { id: workspace.id, path: 'a.txt' }, body: mark })
  const skillName = `skill-of-${mark.toLowerCase()}`
  const instructions = `---\nname: ${skillName}\ndescription: Does what ${mark} does\n---\nDo it.\n`
  await owner.call(routes.skills.put, { params: { name: skillName }, body: { files: { 'SKILL.md': instructions } } })
  const toolName = `tool-of-${mark.toLowerCase()}`
  const toolYaml = `kind: tool\nname: ${toolName}\ndescription: Does what ${mark} does\nlanguage: javascript\ninput: true\noutput: true\n`
  const toolFiles = { 'tool.yaml': toolYaml, 'main.js': 'export default () => 1\n' }
  await owner.call(routes.tools.save, { body: { files: toolFiles } })
  const mcpServerName = `mcp-of-${mark.toLowerCase()}`
  const place = { kind: 'remote', url: 'http://127.0.0.1:9/mcp' } as const
  await owner.call(routes.mcpServers.add, { body: { name: mcpServerName, place } })
  const agentName = `agent-of-${mark.toLowerCase()}`
  const source = `kind: agent\nname: ${agentName}\ndescription: Waits\ninstructions: Wait.\ntriggers: [{ webhook: {} }]\n`
  await owner.call(routes.agents.create, { body: { source, status: 'draft' } })
  const thread = await owner.call(routes.threads.create, { body: { agent: agentName, reach: 'team' } })
  const { items: triggers } = await owner.call(routes.triggers.list, { params: { name: agentName } })
  const template = await owner.call(routes.templates.build, { body: { name: `of-${mark.toLowerCase()}` } })
  const attachment = await owner.call(routes.attachments.upload, { query: { name: 'a.txt' }, body: mark })
  const { items } = await owner.call(routes.signIn.listSessions, {})
  return {
    teamId: team?.id ?? '',
    personId,
    invitationId: invitation.id,
    keyId: id,
    sessionId: items.find((one) => one.current)?.id ?? '',
    secretName,
    runId: run.id,
    sandboxId: sandbox.id,
    templateName: template.name,
    workspaceId: workspace.id,
    threadId: thread.id,
    turnId: thread.id.replace('thr_', 'turn_'),
    approvalId: thread.id.replace('thr_', 'apr_'),
    agentName,
    triggerId: triggers[0]?.id ?? '',
    hook: triggers[0]?.webhook?.url.split('/').at(-1) ?? '',
    deliveryId: thread.id.replace('thr_', 'dlv_'),
    skillName,
    toolName,
    mcpServerName,
    attachmentId: attachment.id,
    artifactId: thread.id.replace('thr_', 'art_'),
    shareId: thread.id.replace('thr_', 'shr_'),
    lockHash: createHash('sha256').update(mark).digest('hex'),
  }
}

export const hiddenTitle = 'What nobody else may read'

/** A private thread with a run and a sandbox, which sleeps: row-level security is what hides it. */
async function makeHidden(server: TestServer, author: TestPerson, ours: TeamThings): Promise<TeamThings> {
  const thread = await author.call(routes.threads.create, { body: { agent: ours.agentName, title: hiddenTitle } })
  const run = await author.call(routes.runs.create, {
    body: { language: 'bash', code: 'echo hidden > kept.txt', keep: ['kept.txt'] },
  })
  const attachment = await author.call(routes.attachments.upload, { query: { name: 'a.txt' }, body: 'hidden' })
  const idOf = (prefix: string) => thread.id.replace('thr_', prefix)
  const superuser = await server.database.superuser()
  await superuser.query('UPDATE coherex.run SET thread_id = $1 WHERE id = $2', [thread.id, run.id])
  await superuser.query('UPDATE coherex.attachment SET thread_id = $1 WHERE id = $2', [thread.id, attachment.id])
  await superuser.query(
    `INSERT INTO coherex.sandbox (team_id, id, name, status, person_id, person_name, server_id, limits, env, idle_timeout_ms, thread_id)
     VALUES ($1, $2, 'hidden', 'sleeping', $3, 'Author', 'none', '{"memoryMb":256,"diskMb":64}', '{}', 60000, $4)`,
    [ours.teamId, idOf('sbx_'), author.me.person.id, thread.id],
  )
  await superuser.end()
  const ids = { threadId: thread.id, turnId: idOf('turn_'), approvalId: idOf('apr_'), deliveryId: idOf('dlv_') }
  const made = {
    ...{ runId: run.id, sandboxId: idOf('sbx_'), attachmentId: attachment.id, artifactId: idOf('art_') },
    shareId: idOf('shr_'),
  }
  return { ...ours, ...ids, ...made, personId: author.me.person.id }
}

/** Locks as rows: there is no registry in the scene to ask. */
async function insertLocks(server: TestServer, teams: TeamThings[]): Promise<void> {
  const superuser = await server.database.superuser()
  for (const { teamId, lockHash } of teams) {
    await superuser.query(
      `INSERT INTO coherex.package_lock (team_id, hash, language, requirements, packages, asked_by, asked_by_name)
       VALUES ($1, $2, 'javascript', '["one"]', '[{"name":"one","version":"1.0.0","integrity":"sha256-a","size":null,"url":"x"}]', 'nobody', 'Nobody')`,
      [teamId, lockHash],
    )
  }
  await superuser.end()
}

/** Turns as rows: there is no model in the scene to make one with. */
async function insertTurns(server: TestServer, teams: TeamThings[]): Promise<void> {
  const superuser = await server.database.superuser()
  for (const team of teams) {
    const { teamId, threadId, turnId, approvalId, agentName, personId, triggerId, deliveryId, artifactId, shareId } =
      team
    const questionId = turnId.replace('turn_', 'msg_0')
    const answerId = turnId.replace('turn_', 'msg_1')
    const messageId = threadId.replace('thr_', 'msg_')
    await superuser.query(
      `INSERT INTO coherex.message (team_id, id, thread_id, role, parts, author_id, author_name)
       VALUES ($1, $2, $3, 'assistant', '[]', 'none', 'None')`,
      [teamId, messageId, threadId],
    )
    await superuser.query(
      `INSERT INTO coherex.artifact (team_id, id, thread_id, message_id, fence, kind, language) VALUES ($1, $2, $3, $4, 0, 'html', 'html')`,
      [teamId, artifactId, threadId, messageId],
    )
    await superuser.query(
      `INSERT INTO coherex.artifact_version (team_id, artifact_id, version, code, created_by, created_by_name)
       VALUES ($1, $2, 1, 'text', 'none', 'None')`,
      [teamId, artifactId],
    )
    await superuser.query(
      `INSERT INTO coherex.share (team_id, id, artifact_id, mode, reach, is_listed, title, kind, language, created_by, created_by_name)
       VALUES ($1, $2, $3, 'view', 'team', true, 'Shared', 'html', 'html', $4, 'Someone')`,
      [teamId, shareId, artifactId, personId],
    )
    await superuser.query(
      `INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, question_id, answer_id,
         server_id, person_id, person_name, ended_at)
       VALUES ($1, $2, $3, $4, 1, 'compatible/none', 'done', $6, $7, 'none', $5, 'Someone', now())`,
      [teamId, turnId, threadId, agentName, personId, questionId, answerId],
    )
    await superuser.query(
      `INSERT INTO coherex.message (team_id, id, thread_id, parent_id, role, parts, turn_id, author_id, author_name)
       VALUES ($1, $4, $3, NULL, 'user', '[{"type":"text","text":"Hello"}]', NULL, 'someone', 'Someone'),
         ($1, $5, $3, $4, 'assistant', '[{"type":"text","text":"Hello."}]', $2, 'agent', 'An agent')`,
      [teamId, turnId, threadId, questionId, answerId],
    )
    await superuser.query(
      `INSERT INTO coherex.approval (team_id, id, turn_id, thread_id, agent_name, call_id, tool, reference, kind, reason, input,
         hash, status, person_id, person_name, expires_at)
       VALUES ($1, $2, $3, $4, $5, 'call_1', 'bash', 'bash', 'call', 'A person is asked', '{}', 'none', 'cancelled', $6, 'Someone', now()),
         ($1, 'apr_00000000000000000000000001', $3, $4, $5, 'call_2', 'bash', 'bash', 'call', 'A person is asked', '{}', 'none',
           'pending', $6, 'Someone', now() + interval '1 day')
       -- one waits in each team
       ON CONFLICT DO NOTHING`,
      [teamId, approvalId, turnId, threadId, agentName, personId],
    )
    await superuser.query(
      `INSERT INTO coherex.delivery (team_id, id, agent_name, trigger_id, trigger_name, kind, key, body_hash, content_type, body, size, status)
       VALUES ($1, $2, $3, $4, 'webhook-1', 'webhook', $2, '', 'text/plain', '', 0, 'failed')`,
      [teamId, deliveryId, agentName, triggerId],
    )
  }
  await superuser.end()
}
