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
  await insertTurns(server, [ours, theirs])
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
  const agentName = `agent-of-${mark.toLowerCase()}`
  const source = `kind: agent\nname: ${agentName}\ndescription: Waits\ninstructions: Wait.\ntriggers: [{ webhook: {} }]\n`
  await owner.call(routes.agents.create, { body: { source, status: 'draft' } })
  const thread = await owner.call(routes.threads.create, { body: { agent: agentName } })
  const { items: triggers } = await owner.call(routes.triggers.list, { params: { name: agentName } })
  const template = await owner.call(routes.templates.build, { body: { name: `of-${mark.toLowerCase()}` } })
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
  }
}

/** Turns as rows: there is no model in the scene to make one with. */
async function insertTurns(server: TestServer, teams: TeamThings[]): Promise<void> {
  const superuser = await server.database.superuser()
  for (const { teamId, threadId, turnId, approvalId, agentName, personId, triggerId, deliveryId } of teams) {
    await superuser.query(
      `INSERT INTO coherex.turn (team_id, id, thread_id, agent_name, agent_version, model, status, question_id, answer_id,
         server_id, person_id, person_name, ended_at)
       VALUES ($1, $2, $3, $4, 1, 'compatible/none', 'done', 'msg_00000000000000000000000001', 'msg_00000000000000000000000002', 'none', $5, 'Someone', now())`,
      [teamId, turnId, threadId, agentName, personId],
    )
    await superuser.query(
      `INSERT INTO coherex.approval (team_id, id, turn_id, thread_id, agent_name, call_id, tool, reference, kind, reason, input,
         hash, status, person_id, person_name, expires_at)
       VALUES ($1, $2, $3, $4, $5, 'call_1', 'bash', 'bash', 'call', 'A person is asked', '{}', 'none', 'cancelled', $6, 'Someone', now())`,
      [teamId, approvalId, turnId, threadId, agentName, personId],
    )
    await superuser.query(
      `INSERT INTO coherex.delivery (team_id, id, agent_name, trigger_id, trigger_name, kind, key, body_hash, content_type, body, size, status)
       VALUES ($1, $2, $3, $4, 'webhook-1', 'webhook', 'sent', '', 'text/plain', '', 0, 'failed')`,
      [teamId, deliveryId, agentName, triggerId],
    )
  }
  await superuser.end()
}
