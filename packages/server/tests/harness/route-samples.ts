import { routes, type Route } from '@coherex/contract'
import type { Scene, TeamThings } from './scene.ts'

export interface SampleRequest {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** One row of the access matrix: a request to a route, and what someone who may send it gets. */
export interface RouteSample {
  request(scene: Scene): SampleRequest
  /** Status for whoever may. Such requests find nothing to break: they are sent many times. */
  answers: number
  /** For a route that reads a thing: the request for one of ours that is there. */
  ours?(scene: Scene): SampleRequest
  /** The request ends the session it comes with. */
  endsSession?: true
  /** For a route that names a thing: the request for another team's, and for one that nobody has. Both are 404. */
  elsewhere?: { foreign(scene: Scene): SampleRequest; missing: SampleRequest }
}

const nobody = { person: 'per_00000000000000000000000000', invitation: 'inv_00000000000000000000000000' }
const nothing = {
  key: 'key_00000000000000000000000000',
  session: 'ses_00000000000000000000000000',
  run: 'run_00000000000000000000000000',
  sandbox: 'sbx_00000000000000000000000000',
  cell: 'cel_00000000000000000000000000',
  workspace: 'wsp_00000000000000000000000000',
  proposal: 'prp_00000000000000000000000000',
  thread: 'thr_00000000000000000000000000',
  turn: 'turn_00000000000000000000000000',
  message: 'msg_00000000000000000000000000',
  approval: 'apr_00000000000000000000000000',
  attachment: 'att_00000000000000000000000000',
  artifact: 'art_00000000000000000000000000',
  share: 'shr_00000000000000000000000000',
  agent: 'nobody',
  trigger: 'trg_00000000000000000000000000',
  delivery: 'dlv_00000000000000000000000000',
  hook: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  skill: 'no-such-skill',
  tool: 'no-such-tool',
  mcpServer: 'no-such-server',
  lock: '0'.repeat(64),
}
const noTeam = 'team_00000000000000000000000000'
const noToken = 'a-token-that-nobody-ever-had'
const password = 'a password nobody has'
const noConsent = { client_id: 'nobody', redirect_uri: 'http://127.0.0.1/', response_type: 'code' }

/** Every route of the contract has its row here. A new route needs one, or the tests fail. */
export const routeSamples = new Map<Route, RouteSample>([
  row(routes.signIn.methods, { answers: 200 }),
  row(routes.signIn.withPassword, {
    request: ({ next }) => ({ body: { email: `nobody${next()}@example.com`, password } }),
    answers: 401,
  }),
  row(routes.signIn.withLink, { request: () => ({ body: { token: noToken } }), answers: 401 }),
  row(routes.signIn.finishSetup, {
    request: () => ({ body: { name: 'Me', email: 'me@example.com', password, teamName: 'Mine' } }),
    answers: 409,
  }),
  row(routes.signIn.out, { answers: 204, endsSession: true }),
  row(routes.signIn.forgotPassword, {
    request: ({ next }) => ({ body: { email: `nobody${next()}@example.com` } }),
    answers: 202,
  }),
  row(routes.signIn.resetPassword, { request: () => ({ body: { token: noToken, password } }), answers: 401 }),
  row(routes.signIn.changePassword, {
    request: () => ({ body: { currentPassword: 'not it', newPassword: password } }),
    answers: 400,
  }),
  row(routes.signIn.me, { answers: 200 }),
  row(routes.signIn.updateMe, { request: () => ({ body: { name: 'Renamed' } }), answers: 200 }),
  row(routes.signIn.switchTeam, {
    request: () => ({ body: { teamId: noTeam } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ body: { teamId: theirs.teamId } }),
      missing: { body: { teamId: noTeam } },
    },
  }),
  row(routes.signIn.listSessions, { answers: 200 }),
  row(routes.signIn.endSession, {
    request: () => ({ params: { id: nothing.session } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.sessionId } }),
      missing: { params: { id: nothing.session } },
    },
  }),
  row(routes.signIn.resetMember, {
    request: ({ ours }) => ({ params: { personId: ours.personId } }),
    answers: 201,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { personId: theirs.personId } }),
      missing: { params: { personId: nobody.person } },
    },
  }),

  // a made team would change who is in which; that people can make one is told in people-and-teams.test.ts
  row(routes.teams.create, { request: () => ({ body: { name: '' } }), answers: 400 }),
  row(routes.teams.current, { answers: 200 }),
  row(routes.teams.rename, { request: () => ({ body: { name: 'First team' } }), answers: 200 }),
  row(routes.teams.remove, { request: () => ({ query: { name: 'not its name' } }), answers: 400 }),
  row(routes.teams.listMembers, { answers: 200 }),
  row(routes.teams.changeRole, {
    request: ({ ours }) => ({ params: { personId: ours.personId }, body: { role: 'editor' } }),
    answers: 200,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { personId: theirs.personId }, body: { role: 'viewer' } }),
      missing: { params: { personId: nobody.person }, body: { role: 'viewer' } },
    },
  }),
  row(routes.teams.removeMember, {
    request: () => ({ params: { personId: nobody.person } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { personId: theirs.personId } }),
      missing: { params: { personId: nobody.person } },
    },
  }),
  row(routes.teams.listInvitations, { answers: 200 }),
  row(routes.teams.invite, {
    request: ({ next }) => ({ body: { email: `guest${next()}@example.com`, role: 'viewer' } }),
    answers: 201,
  }),
  row(routes.teams.revokeInvitation, {
    request: () => ({ params: { id: nobody.invitation } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.invitationId } }),
      missing: { params: { id: nobody.invitation } },
    },
  }),
  row(routes.teams.previewInvitation, { request: () => ({ body: { token: noToken } }), answers: 404 }),
  row(routes.teams.acceptInvitation, {
    request: () => ({ body: { token: noToken, name: 'New', password } }),
    answers: 404,
  }),
  row(routes.teams.quotas, { answers: 200 }),
  row(routes.teams.setQuotas, { request: () => ({ body: {} }), answers: 200 }),

  row(routes.keys.list, { answers: 200 }),
  row(routes.keys.create, { request: () => ({ body: { name: 'one more', scopes: ['read'] } }), answers: 201 }),
  row(routes.keys.revoke, {
    request: () => ({ params: { id: nothing.key } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.keyId } }),
      missing: { params: { id: nothing.key } },
    },
  }),

  row(routes.secrets.list, { answers: 200 }),
  row(routes.secrets.put, {
    request: () => ({ params: { name: 'SHARED_NAME' }, body: { value: 'some value' } }),
    answers: 200,
  }),
  row(routes.secrets.remove, {
    request: () => ({ params: { name: 'NO_SUCH_SECRET' } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { name: theirs.secretName } }),
      missing: { params: { name: 'NO_SUCH_SECRET' } },
    },
  }),

  row(routes.audit.list, { answers: 200 }),
  row(routes.audit.export, { answers: 200 }),

  // what is run, and by whom, is told in runs.test.ts; here the request is one that is refused once it is let in
  row(routes.runs.create, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.runs.route, { request: () => ({ body: { language: 'javascript', code: '1' } }), answers: 200 }),
  row(routes.runs.list, { answers: 200 }),
  ...[routes.runs.get, routes.runs.program, routes.runs.events, routes.runs.cancel].map((route) =>
    row(route, {
      request: () => ({ params: { id: nothing.run } }),
      answers: 404,
      ours: ({ ours }) => ({ params: { id: ours.runId } }),
      elsewhere: {
        foreign: ({ theirs }) => ({ params: { id: theirs.runId } }),
        missing: { params: { id: nothing.run } },
      },
    }),
  ),
  row(routes.runs.stdin, {
    request: () => ({ params: { id: nothing.run }, body: { text: 'a line' } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.runId }, body: { text: 'a line' } }),
      missing: { params: { id: nothing.run }, body: { text: 'a line' } },
    },
  }),
  row(routes.runs.escalate, {
    request: () => ({ params: { id: nothing.run }, body: {} }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.runId }, body: {} }),
      missing: { params: { id: nothing.run }, body: {} },
    },
  }),
  row(routes.runs.fix, {
    request: () => ({ params: { id: nothing.run }, body: { kind: 'use-process', value: 'process' } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({
        params: { id: theirs.runId },
        body: { kind: 'use-process', value: 'process' },
      }),
      missing: { params: { id: nothing.run }, body: { kind: 'use-process', value: 'process' } },
    },
  }),
  row(routes.runs.file, {
    request: () => ({ params: { id: nothing.run, path: 'kept.txt' } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.runId, path: 'kept.txt' } }),
      missing: { params: { id: nothing.run, path: 'kept.txt' } },
    },
  }),
  row(routes.runs.runtimes, { answers: 200 }),
  row(routes.runs.languages, { answers: 200 }),

  // what is in a workspace, and who may do what with it, is told in workspaces/
  row(routes.workspaces.create, { request: () => ({ body: { name: '' } }), answers: 400 }),
  row(routes.workspaces.openScratch, { answers: 200 }),
  row(routes.workspaces.list, { answers: 200 }),
  row(routes.workspaces.cloneGit, { request: () => ({ body: { url: '' } }), answers: 400 }),
  ...thingRows('id', nothing.workspace, ({ workspaceId }) => workspaceId, [
    [routes.workspaces.get, {}],
    [routes.workspaces.update, { body: { name: 'Renamed' } }],
    [routes.workspaces.remove, {}],
    [routes.workspaces.listFiles, {}],
    [routes.workspaces.readFile, { params: { path: 'a.txt' } }],
    [routes.workspaces.writeFile, { params: { path: 'a.txt' } }],
    [routes.workspaces.removeFile, { params: { path: 'a.txt' } }],
    [routes.workspaces.changeFiles, { body: { write: [{ path: 'a.txt', text: 'a' }] } }],
    [routes.workspaces.edit, { body: { path: 'a.txt', search: 'a', replace: 'b' } }],
    [routes.workspaces.move, { body: { from: 'a.txt', to: 'b.txt' } }],
    [routes.workspaces.search, { query: { pattern: 'a' } }],
    [routes.workspaces.replace, { body: { pattern: 'a', replacement: 'b' } }],
    [routes.workspaces.listVersions, {}],
    [routes.workspaces.makeVersion, { body: {} }],
    [routes.workspaces.getVersion, { params: { number: '1' } }],
    [routes.workspaces.versionFiles, { params: { number: '1' } }],
    [routes.workspaces.versionFile, { params: { number: '1', path: 'a.txt' } }],
    [routes.workspaces.diff, { query: { from: '0' } }],
    [routes.workspaces.restore, { params: { number: '1' }, body: {} }],
    [routes.workspaces.undoVersions, { body: { versions: [1] } }],
    [routes.workspaces.zip, {}],
    [routes.workspaces.importZip, {}],
    [routes.workspaces.importGit, { body: { url: 'https://git.example/a.git' } }],
    [routes.workspaces.pushGit, { body: { url: 'https://git.example/a.git', branch: 'main' } }],
    [routes.workspaces.gitRemotes, {}],
    [routes.workspaces.listTags, {}],
    [routes.workspaces.putTag, { params: { name: 'first' }, body: { version: 1 } }],
    [routes.workspaces.removeTag, { params: { name: 'first' } }],
    [routes.workspaces.listProposals, {}],
    [routes.workspaces.getProposal, { params: { proposalId: nothing.proposal } }],
    [routes.workspaces.decideProposal, { params: { proposalId: nothing.proposal }, body: { decision: 'accept' } }],
    [routes.variables.listOfWorkspace, {}],
    [routes.variables.putOfWorkspace, { params: { variable: 'REGION' }, body: { value: 'north' } }],
    [routes.variables.removeOfWorkspace, { params: { variable: 'REGION' } }],
  ]),

  row(routes.variables.list, { answers: 200 }),

  // what is in a sandbox, and who may do what with it, is told in sandboxes/; here none of ours is there to break
  row(routes.sandboxes.create, { request: () => ({ body: { idleTimeoutMs: 0 } }), answers: 400 }),
  row(routes.sandboxes.list, { answers: 200 }),
  ...thingRows('id', nothing.sandbox, ({ sandboxId }) => sandboxId, [
    [routes.sandboxes.get, {}],
    [routes.sandboxes.change, { body: { name: 'Renamed' } }],
    [routes.sandboxes.remove, {}],
    [routes.sandboxes.packages, { body: { language: 'python', requirements: ['tinypkg'] } }],
    [routes.sandboxes.listCells, {}],
    [routes.sandboxes.createCell, { body: { source: '1' } }],
    [routes.sandboxes.changeCell, { params: { cellId: nothing.cell }, body: { source: '2' } }],
    [routes.sandboxes.removeCell, { params: { cellId: nothing.cell } }],
    [routes.sandboxes.clearCells, { body: {} }],
    [routes.sandboxes.interrupt, { body: {} }],
    [routes.sandboxes.reset, { body: {} }],
    [routes.sandboxes.fork, { body: {} }],
    [routes.sandboxes.extend, { body: {} }],
    [routes.sandboxes.rerun, { body: {} }],
    [routes.sandboxes.listFiles, {}],
    [routes.sandboxes.readFile, { params: { path: 'kept.txt' } }],
    [routes.sandboxes.writeFile, { params: { path: 'kept.txt' } }],
    [routes.sandboxes.removeFile, { params: { path: 'kept.txt' } }],
    [routes.sandboxes.makeFolder, { body: { path: 'folder' } }],
    [routes.sandboxes.move, { body: { from: 'kept.txt', to: 'other.txt' } }],
    [routes.sandboxes.copyFromWorkspace, { body: { workspaceId: 'wsp_00000000000000000000000000' } }],
    [routes.sandboxes.copyToWorkspace, { body: { workspaceId: 'wsp_00000000000000000000000000' } }],
    [routes.sandboxes.zip, {}],
    [routes.sandboxes.watch, {}],
    [routes.sandboxes.variables, {}],
    [routes.sandboxes.complete, { body: { code: 'x', cursor: 1 } }],
    [routes.sandboxes.variable, { params: { name: 'x' } }],
    [routes.sandboxes.startProcess, { body: { command: 'true' } }],
    [routes.sandboxes.listProcesses, {}],
    [routes.sandboxes.getProcess, { params: { pid: '7' } }],
    [routes.sandboxes.processOutput, { params: { pid: '7' } }],
    [routes.sandboxes.writeProcess, { params: { pid: '7' }, body: {} }],
    [routes.sandboxes.killProcess, { params: { pid: '7' } }],
    [routes.sandboxes.preview, { params: { port: '8000' } }],
    [routes.sandboxes.sharePreview, { params: { port: '8000' }, body: {} }],
    [routes.sandboxes.unsharePreviews, {}],
  ]),

  row(routes.packages.resolve, {
    request: () => ({ body: { language: 'javascript', requirements: ['../a'] } }),
    answers: 400,
  }),
  row(routes.packages.list, { answers: 200 }),
  row(routes.packages.info, { request: () => ({ query: { language: 'javascript', name: '../a' } }), answers: 400 }),
  row(routes.packages.findWheels, { request: () => ({ body: { modules: ['../a'] } }), answers: 400 }),
  row(routes.packages.bundle, { request: () => ({ body: { imports: ['../a'] } }), answers: 200 }),
  row(routes.packages.wheel, { request: () => ({ params: { hash: nothing.lock } }), answers: 404 }),
  row(routes.packages.types, {
    request: () => ({ params: { hash: nothing.lock } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { hash: theirs.lockHash } }),
      missing: { params: { hash: nothing.lock } },
    },
  }),
  row(routes.packages.policy, { answers: 200 }),
  row(routes.packages.setPolicy, {
    request: () => ({ body: { mode: 'any', allow: [], minimumAgeDays: 2, allowBuilds: false, maxMb: 2000 } }),
    answers: 200,
  }),
  row(routes.packages.prune, { request: () => ({ body: { unusedDays: 365 } }), answers: 200 }),
  row(routes.packages.remove, {
    request: () => ({ params: { hash: nothing.lock } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { hash: theirs.lockHash } }),
      missing: { params: { hash: nothing.lock } },
    },
  }),

  row(routes.agents.schema, { answers: 200 }),
  row(routes.agents.templates, { answers: 200 }),
  row(routes.agents.validate, { request: () => ({ body: { source: 'kind: agent' } }), answers: 200 }),
  row(routes.agents.generate, { request: () => ({ body: { text: 'A greeter', model: 'nobody/none' } }), answers: 400 }),
  row(routes.agents.create, { request: () => ({ body: { source: 'kind: agent' } }), answers: 400 }),
  row(routes.agents.list, { answers: 200 }),
  ...thingRows('name', nothing.agent, ({ agentName }) => agentName, [
    [routes.agents.get, {}],
    [routes.agents.put, { body: { source: 'kind: agent\nname: nobody\ndescription: d\ninstructions: i' } }],
    [routes.agents.change, { body: { status: 'paused' } }],
    [routes.agents.remove, {}],
    [routes.agents.versions, {}],
    [routes.agents.version, { params: { version: '1' } }],
    [routes.agents.diff, { query: { from: '1', to: '1' } }],
    [routes.agents.rollback, { params: { version: '1' } }],
    [routes.agents.proposals, {}],
    [routes.agents.decide, { params: { version: '1' }, body: { decision: 'reject', digest: '0'.repeat(64) } }],
    [routes.variables.listOfAgent, {}],
    [routes.variables.putOfAgent, { params: { variable: 'TONE' }, body: { value: 'dry' } }],
    [routes.variables.removeOfAgent, { params: { variable: 'TONE' } }],
  ]),

  row(routes.models.list, { answers: 200 }),
  row(routes.models.check, { request: () => ({ body: { provider: 'google' } }), answers: 200 }),
  row(routes.models.setDefault, { request: () => ({ body: { model: null } }), answers: 200 }),
  row(routes.models.suggest, { request: () => ({ body: { path: '.env', prefix: 'A=' } }), answers: 400 }),
  row(routes.models.assist, { request: () => ({ body: { path: '.env', kind: 'explain', text: 'A=' } }), answers: 400 }),
  row(routes.models.setEmbedding, { request: () => ({ body: { model: null } }), answers: 200 }),

  row(routes.threads.create, { request: () => ({ body: { agent: 'nobody' } }), answers: 404 }),
  row(routes.attachments.upload, { request: () => ({ query: { name: 'a.txt' }, body: 'hello' }), answers: 201 }),
  ...thingRows('id', nothing.attachment, ({ attachmentId }) => attachmentId, [[routes.attachments.content, {}]]),
  row(routes.threads.import, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.threads.list, { answers: 200 }),
  row(routes.threads.turns, { answers: 200 }),
  ...thingRows('id', nothing.thread, ({ threadId }) => threadId, [
    [routes.threads.get, {}],
    [routes.threads.change, { body: { title: 'Renamed' } }],
    [routes.threads.clear, {}],
    [routes.threads.remove, {}],
    [routes.threads.turn, { body: { text: 'Hello' } }],
    [routes.threads.changeQueued, { params: { messageId: nothing.message }, body: { text: 'Hello' } }],
    [routes.threads.removeQueued, { params: { messageId: nothing.message } }],
    [routes.threads.regenerate, { params: { messageId: nothing.message }, body: {} }],
    [routes.threads.stream, {}],
    [routes.threads.message, { params: { messageId: nothing.message } }],
    [routes.threads.app, { params: { messageId: nothing.message, callId: 'call_1' } }],
    [
      routes.threads.callFromApp,
      { params: { messageId: nothing.message, callId: 'call_1' }, body: { id: 'one', tool: 'search' } },
    ],
    [routes.threads.export, {}],
    [routes.artifacts.ofThread, {}],
    [routes.artifacts.open, { params: { messageId: nothing.message }, body: { index: 0 } }],
    [routes.artifacts.executeFence, { params: { messageId: nothing.message }, body: { index: 0, runtime: 'server' } }],
    [routes.artifacts.fenceExecutions, { params: { messageId: nothing.message } }],
    [routes.approvals.ofThread, {}],
    [routes.approvals.withdraw, { params: { approvalId: nothing.approval } }],
  ]),
  ...thingRows('id', nothing.turn, ({ turnId }) => turnId, [
    [routes.threads.getTurn, {}],
    [routes.threads.stop, {}],
    [routes.threads.turnChanges, {}],
    [routes.threads.undoTurn, {}],
    [routes.threads.continue, {}],
    [routes.executions.timeline, {}],
    [routes.executions.retry, { body: {} }],
    [routes.executions.again, {}],
  ]),
  ...thingRows('id', nothing.artifact, ({ artifactId }) => artifactId, [
    [routes.artifacts.get, {}],
    [routes.artifacts.save, { body: { code: 'text', expectedVersion: 1 } }],
    [routes.artifacts.versions, {}],
    [routes.artifacts.diff, { query: { from: '1', to: '1' } }],
    [routes.artifacts.notebook, {}],
    [routes.artifacts.execute, { body: { runtime: 'server' } }],
    [routes.artifacts.executions, {}],
  ]),
  row(routes.shares.create, {
    request: () => ({ body: { artifactId: nothing.artifact } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ body: { artifactId: theirs.artifactId } }),
      missing: { body: { artifactId: nothing.artifact } },
    },
  }),
  row(routes.shares.list, { answers: 200 }),
  row(routes.shares.gallery, { answers: 200 }),
  ...thingRows('id', nothing.share, ({ shareId }) => shareId, [
    [routes.shares.content, {}],
    [routes.shares.revoke, {}],
  ]),
  row(routes.shares.open, {
    request: () => ({ params: { token: noToken } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { token: theirs.shareId } }),
      missing: { params: { token: noToken } },
    },
  }),
  row(routes.executions.list, { answers: 200 }),
  row(routes.search.find, { request: () => ({ query: { q: 'a' } }), answers: 200 }),
  row(routes.executions.export, { answers: 200 }),
  row(routes.approvals.list, { answers: 200 }),
  row(routes.approvals.rules, { answers: 200 }),
  row(routes.approvals.setRules, { request: () => ({ body: { rules: {} } }), answers: 200 }),
  ...thingRows('id', nothing.approval, ({ approvalId }) => approvalId, [
    [routes.approvals.get, {}],
    [routes.approvals.change, {}],
    [routes.approvals.decide, { body: { decision: 'reject' } }],
  ]),
  row(routes.inbox.list, { answers: 200 }),
  row(routes.inbox.count, { answers: 200 }),
  row(routes.inbox.dismiss, {
    request: () => ({ params: { id: nothing.delivery } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.deliveryId } }),
      missing: { params: { id: nothing.delivery } },
    },
  }),
  row(routes.skills.list, { answers: 200 }),
  row(routes.skills.validate, { request: () => ({ body: { files: {} } }), answers: 200 }),
  row(routes.skills.importZip, { answers: 400 }),
  row(routes.skills.put, {
    request: ({ ours }) => ({ params: { name: ours.skillName }, body: { files: {} } }),
    answers: 400,
  }),
  ...thingRows('name', nothing.skill, ({ skillName }) => skillName, [
    [routes.skills.get, {}],
    [routes.skills.change, { body: { archived: false } }],
    [routes.skills.remove, {}],
    [routes.skills.versions, {}],
    [routes.skills.version, { params: { version: '1' } }],
    [routes.skills.decide, { params: { version: '1' }, body: { decision: 'reject', digest: '0'.repeat(64) } }],
    [routes.skills.restore, { params: { version: '1' } }],
    [routes.skills.diff, { query: { from: '0', to: '1' } }],
    [routes.skills.zip, {}],
  ]),
  row(routes.tools.list, { answers: 200 }),
  row(routes.tools.validate, { request: () => ({ body: { files: {} } }), answers: 200 }),
  row(routes.tools.check, { request: () => ({ body: { schema: { type: 'string' }, value: 1 } }), answers: 200 }),
  row(routes.tools.save, { request: () => ({ body: { files: {} } }), answers: 400 }),
  ...thingRows('name', nothing.tool, ({ toolName }) => toolName, [
    [routes.tools.get, {}],
    [routes.tools.versions, {}],
    [routes.tools.version, { params: { version: '1' } }],
    [routes.tools.diff, { query: { from: '0', to: '1' } }],
    [routes.tools.test, { body: {} }],
    [routes.tools.publishVersion, { body: {} }],
    [routes.tools.call, { body: { input: {}, version: 1 } }],
    [routes.variables.listOfTool, {}],
    [routes.variables.putOfTool, { params: { variable: 'RATE' }, body: { value: '7' } }],
    [routes.variables.removeOfTool, { params: { variable: 'RATE' } }],
    [routes.tools.change, { body: { status: 'unpublished' } }],
    [routes.tools.usage, {}],
    [routes.tools.usedBy, {}],
    [routes.triggers.ofTool, {}],
    [routes.tools.export, { query: { format: 'curl', version: '1' } }],
    [routes.tools.reviews, {}],
    [routes.tools.review, { body: { version: 1, decision: 'comment', note: 'Good' } }],
    [routes.tools.askReview, { body: { version: 1, by: 'service' } }],
    [routes.tools.remove, {}],
  ]),
  row(routes.mcpServers.list, { answers: 200 }),
  row(routes.mcpServers.add, {
    request: () => ({ body: { name: 'here', place: { kind: 'remote', url: 'ftp://here' } } }),
    answers: 400,
  }),
  ...thingRows('name', nothing.mcpServer, ({ mcpServerName }) => mcpServerName, [
    [routes.mcpServers.get, {}],
    [routes.mcpServers.change, { body: { place: { kind: 'remote', url: 'https://mcp.example/mcp' } } }],
    [routes.mcpServers.refresh, {}],
    [routes.mcpServers.connect, {}],
    [routes.mcpServers.tools, {}],
    [routes.mcpServers.approve, { body: { hash: '0'.repeat(64) } }],
    [routes.mcpServers.remove, {}],
  ]),
  row(routes.tools.shared, { answers: 200 }),
  row(routes.tools.rules, { answers: 200 }),
  row(routes.tools.setRules, { request: () => ({ body: { toolReview: 'none', service: null } }), answers: 200 }),
  // no team of the scene offers a tool: none can be told from one that is not there
  row(routes.tools.install, {
    request: () => ({ params: { team: noTeam, name: nothing.tool }, body: {} }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { team: theirs.teamId, name: theirs.toolName }, body: {} }),
      missing: { params: { team: noTeam, name: nothing.tool }, body: {} },
    },
  }),
  ...thingRows('id', nothing.workspace, ({ workspaceId }) => workspaceId, [
    [routes.skills.inWorkspace, {}],
    [routes.skills.diffInWorkspace, { params: { name: nothing.skill } }],
    [routes.skills.decideInWorkspace, { params: { name: nothing.skill }, body: { decision: 'withdraw' } }],
  ]),
  ...thingRows('name', nothing.agent, ({ agentName }) => agentName, [
    [routes.triggers.list, {}],
    [routes.triggers.deliveries, {}],
    [routes.triggers.execute, { body: { input: 'Hello' } }],
  ]),
  ...[routes.triggers.test, routes.triggers.makeSecret].map((route) =>
    row(route, {
      request: () => ({ params: { name: nothing.agent, id: nothing.trigger }, body: {} }),
      answers: 404,
      elsewhere: {
        foreign: ({ theirs }) => ({ params: { name: theirs.agentName, id: theirs.triggerId }, body: {} }),
        missing: { params: { name: nothing.agent, id: nothing.trigger }, body: {} },
      },
    }),
  ),
  ...[routes.triggers.testOfTool, routes.triggers.makeSecretOfTool].map((route) =>
    row(route, {
      request: () => ({ params: { name: nothing.tool, id: nothing.trigger }, body: {} }),
      answers: 404,
      elsewhere: {
        foreign: ({ theirs }) => ({ params: { name: theirs.toolName, id: theirs.triggerId }, body: {} }),
        missing: { params: { name: nothing.tool, id: nothing.trigger }, body: {} },
      },
    }),
  ),
  row(routes.triggers.allDeliveries, { answers: 200 }),
  row(routes.triggers.schedule, { request: () => ({ query: { schedule: '0 9 * * *' } }), answers: 200 }),
  ...thingRows('id', nothing.delivery, ({ deliveryId }) => deliveryId, [
    [routes.triggers.delivery, {}],
    [routes.triggers.redeliver, {}],
  ]),
  // the agent of the scene is a draft: its address cannot be told from one that nobody has
  ...thingRows('hook', nothing.hook, ({ hook }) => hook, [[routes.triggers.hook, {}]]),
  row(routes.openai.models, { answers: 200 }),
  row(routes.openai.model, {
    request: () => ({ params: { model: nothing.agent } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { model: theirs.agentName } }),
      missing: { params: { model: nothing.agent } },
    },
  }),
  row(routes.openai.chat, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.openai.embeddings, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.openai.respond, { request: () => ({ body: {} }), answers: 400 }),
  ...thingRows('id', nothing.turn.replace('turn', 'resp'), ({ turnId }) => turnId.replace('turn', 'resp'), [
    [routes.openai.response, {}],
    [routes.openai.cancelResponse, {}],
    [routes.openai.removeResponse, {}],
  ]),
  row(routes.mcp.message, { request: () => ({ body: '[]' }), answers: 400 }),
  row(routes.mcp.stream, { answers: 400 }),
  row(routes.mcp.endSession, { answers: 400 }),
  row(routes.mcp.setup, { answers: 200 }),
  row(routes.mcp.registry, { answers: 200 }),
  row(routes.mcp.registryVersions, { request: () => ({ params: { name: registryName } }), answers: 200 }),
  row(routes.mcp.registryVersion, {
    request: () => ({ params: { name: registryName, version: 'latest' } }),
    answers: 200,
  }),
  row(routes.mcp.clients, { answers: 200 }),
  row(routes.mcp.revokeClient, {
    request: () => ({ params: { id: nothing.key } }),
    answers: 404,
    elsewhere: {
      foreign: ({ theirs }) => ({ params: { id: theirs.keyId } }),
      missing: { params: { id: nothing.key } },
    },
  }),
  row(routes.oauth.resource, { answers: 200 }),
  row(routes.oauth.resourceOfMcp, { answers: 200 }),
  row(routes.oauth.server, { answers: 200 }),
  // an empty one, so that no sample is kept; more than ten in a minute are too many
  row(routes.oauth.register, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.oauth.token, { request: () => ({ body: {} }), answers: 400 }),
  row(routes.oauth.revoke, { request: () => ({ body: {} }), answers: 200 }),
  row(routes.oauth.describe, { request: () => ({ query: noConsent }), answers: 404 }),
  row(routes.oauth.decide, { request: () => ({ body: { decision: 'refuse', request: noConsent } }), answers: 404 }),

  row(routes.templates.build, { request: () => ({ body: { name: 'Not A Name' } }), answers: 400 }),
  row(routes.templates.list, { answers: 200 }),
  ...[routes.templates.get, routes.templates.remove].map((route) =>
    row(route, {
      request: () => ({ params: { name: 'no-such-template' } }),
      answers: 404,
      ours: ({ ours }) => ({ params: { name: ours.templateName } }),
      elsewhere: {
        foreign: ({ theirs }) => ({ params: { name: theirs.templateName } }),
        missing: { params: { name: 'no-such-template' } },
      },
    }),
  ),

  row(routes.system.health, { answers: 200 }),
  row(routes.system.openapi, { answers: 200 }),
  row(routes.system.schema, { request: () => ({ params: { kind: 'tool' } }), answers: 200 }),
])

/** Rows of routes that name a thing: one that nobody has, and another team's. */
function thingRows(
  parameter: string,
  missing: string,
  thingOf: (team: TeamThings) => string,
  rows: [Route, SampleRequest][],
): [Route, RouteSample][] {
  return rows.map(([route, { params, ...rest }]) => {
    const naming = (thing: string): SampleRequest => ({ ...rest, params: { ...params, [parameter]: thing } })
    // a thing within a thing, such as a process, may not be there
    const isWhole = Object.keys(params ?? {}).every((name) => name === 'port')
    return row(route, {
      request: () => naming(missing),
      answers: 404,
      ...(isWhole && { ours: ({ ours }: Scene) => naming(thingOf(ours)) }),
      elsewhere: { foreign: ({ theirs }) => naming(thingOf(theirs)), missing: naming(missing) },
    })
  })
}

/** Routes that nobody gave a row. */
export function routesWithoutSample(all: Route[]): string[] {
  return all.filter((route) => !routeSamples.has(route)).map(({ method, path }) => `${method} ${path}`)
}

export function pathOf(route: Route, { params = {}, query = {} }: SampleRequest): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

/** A request as `fetch` takes it. */
export function initOf(route: Route, { body }: SampleRequest): RequestInit & { headers: Record<string, string> } {
  return {
    method: route.method.toUpperCase(),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** A server on loopback has no domain: every team finds its own under this name. */
const registryName = 'local.coherex/coherex'

function row(
  route: Route,
  sample: Omit<RouteSample, 'request'> & Partial<Pick<RouteSample, 'request'>>,
): [Route, RouteSample] {
  return [route, { request: () => ({}), ...sample }]
}
