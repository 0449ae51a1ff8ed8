import { z } from 'zod'
import { modelName } from '../agents/agent.ts'
import {
  begunThread,
  message,
  queuedMessage,
  saidTurn,
  thread,
  threadImport,
  threadReach,
  threadRequest,
  threadSummary,
  turn,
  turnChanges,
  turnRequest,
  turnStatus,
} from '../agents/thread.ts'
import { appCall, appCallAnswer, toolApp } from '../tools/tool-app.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'
import { undoneChanges } from '../workspaces/workspace.ts'

const tag = 'Threads'
const params = z.object({ id: idOf('thread') })
const queuedParams = params.extend({ messageId: idOf('message') })
const callParams = queuedParams.extend({ callId: text().min(1).max(200) })
const turnParams = z.object({ id: idOf('turn') })
const reads = { role: 'viewer', scope: 'read' } as const
const runs = { role: 'editor', scope: 'run' } as const

export const threads = {
  create: route({
    method: 'post',
    path: '/api/v1/threads',
    summary: 'Begin a conversation with an agent',
    description:
      'With `message` the agent begins to answer at once: the thread has the message, and `turn` is the turn to follow at `/stream`.',
    tag,
    access: runs,
    body: threadRequest,
    response: begunThread,
    status: 201,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/threads',
    summary: 'Conversations of the team and your private ones, pinned ones first, then the newest',
    description:
      'Conversations that agents began with each other are listed with `startedBy=agent` only. With `reach=private` admins and owners also get those of others, as entries without title or words (`isHidden`).',
    tag,
    access: reads,
    query: pageQuery.extend({
      agent: text().max(64).optional(),
      workspaceId: idOf('workspace').optional().describe('Only those about this workspace'),
      search: text().max(200).optional().describe('Words in titles and messages'),
      mine: z.enum(['true', 'false']).default('false'),
      reach: threadReach.optional(),
      archived: z.enum(['true', 'false']).default('false').describe('Only archived ones, or only those that are not'),
      startedBy: text()
        .regex(
          /^(?:person|key|trigger|agent)(?:,(?:person|key|trigger|agent)){0,3}$/,
          'must be of person, key, trigger and agent',
        )
        .optional()
        .describe('What began them: `person`, `key`, `trigger`, `agent`, several with commas'),
    }),
    response: pageOf(threadSummary),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/threads/{id}',
    summary: 'A conversation with the branch that is shown',
    tag,
    access: reads,
    params,
    response: thread,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/threads/{id}',
    summary: 'Rename, pin, archive or share a conversation, choose its model or workspace, or show another branch',
    tag,
    access: runs,
    params,
    body: z.strictObject({
      title: text().min(1).max(200).optional(),
      pinned: z.boolean().optional(),
      model: modelName.nullable().optional(),
      head: idOf('message').optional().describe('A message whose branch is shown from now on'),
      reach: threadReach.optional().describe('Who sees it; only its author decides that'),
      isArchived: z.boolean().optional(),
      workspaceId: text().max(64).nullable().optional().describe('The workspace that the next turn works in'),
    }),
    response: thread,
  }),
  clear: route({
    method: 'post',
    path: '/api/v1/threads/{id}/clear',
    summary: 'Begin anew in the same conversation; earlier messages stay readable as a branch',
    tag,
    access: runs,
    params,
    idempotent: false,
    response: thread,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/threads/{id}',
    summary: 'Delete a conversation',
    tag,
    access: runs,
    params,
  }),
  turn: route({
    method: 'post',
    path: '/api/v1/threads/{id}/turns',
    summary: 'Say something to the agent',
    description:
      'Answers a stream of UI message chunks (AI SDK, version 1) as server-sent events; with `?wait=false` it answers 202 and the turn. The turn goes on when the caller hangs up. While the agent works, what is said with `?wait=false` at the end of the branch is queued: the answer is the turn under way, with `queued`. Anything else is refused then.',
    tag,
    access: runs,
    params,
    query: z.object({ wait: z.enum(['true', 'false']).default('true') }),
    body: turnRequest,
    response: saidTurn,
  }),
  changeQueued: route({
    method: 'patch',
    path: '/api/v1/threads/{id}/queued/{messageId}',
    summary: 'Change a message that waits, or have one tried again that could not be said; its author only',
    tag,
    access: runs,
    params: queuedParams,
    body: z.strictObject({ text: turnRequest.shape.text }),
    response: queuedMessage,
  }),
  removeQueued: route({
    method: 'delete',
    path: '/api/v1/threads/{id}/queued/{messageId}',
    summary: 'Take back a message that waits; its author only',
    tag,
    access: runs,
    params: queuedParams,
  }),
  regenerate: route({
    method: 'post',
    path: '/api/v1/threads/{id}/messages/{messageId}/regenerate',
    summary: 'Answer the same message again, as another branch',
    tag,
    access: runs,
    params: params.extend({ messageId: idOf('message') }),
    query: z.object({ wait: z.enum(['true', 'false']).default('true') }),
    body: z.strictObject({ model: modelName.optional() }),
    response: turn,
  }),
  stream: route({
    method: 'get',
    path: '/api/v1/threads/{id}/stream',
    summary: 'The turn under way as a stream; `Last-Event-ID` resumes it, 204 when nothing is under way',
    otherAnswers: { 204: 'Nothing is under way' },
    tag,
    access: reads,
    params,
    response: 'text',
  }),
  message: route({
    method: 'get',
    path: '/api/v1/threads/{id}/messages/{messageId}',
    summary: 'One message, whichever branch it is on',
    tag,
    access: reads,
    params: params.extend({ messageId: idOf('message') }),
    response: message,
  }),
  app: route({
    method: 'get',
    path: '/api/v1/threads/{id}/messages/{messageId}/calls/{callId}/app',
    summary: 'The view of a call: a page of MCP Apps that shows what the tool gave',
    description: 'It is of strangers: show it in a frame without an origin and without a network.',
    tag,
    access: reads,
    params: callParams,
    response: toolApp,
  }),
  callFromApp: route({
    method: 'post',
    path: '/api/v1/threads/{id}/messages/{messageId}/calls/{callId}/app',
    summary: 'Make a call that the view of a call asks for',
    description:
      'Within the tools, approval rules and steps of the agent that made the call. Where a person is asked first, the answer is `waiting`: ask for the same call again once they have answered.',
    tag,
    access: runs,
    params: callParams,
    body: appCall,
    idempotent: false,
    response: appCallAnswer,
  }),
  export: route({
    method: 'get',
    path: '/api/v1/threads/{id}/export',
    summary:
      'The conversation as JSON, all branches; as Markdown or as a notebook of Jupyter, the branch that is shown',
    tag,
    access: reads,
    params,
    query: z.object({ format: z.enum(['json', 'markdown', 'ipynb']).default('json') }),
    response: 'text',
  }),
  import: route({
    method: 'post',
    path: '/api/v1/threads/import',
    summary: 'Bring in an exported conversation',
    description:
      'A JSON export as it is, or a Markdown export as `{ "kind": "markdown", "text": … }`: its branch, with calls and images as words. A notebook of Jupyter becomes one message: its code cells are code blocks, with their outputs.',
    tag,
    access: runs,
    body: threadImport,
    response: thread,
    status: 201,
  }),
  turns: route({
    method: 'get',
    path: '/api/v1/turns',
    summary: 'Turns of the team, newest first',
    tag,
    access: reads,
    query: pageQuery.extend({
      status: turnStatus.optional(),
      agent: text().max(64).optional(),
      threadId: idOf('thread').optional(),
    }),
    response: pageOf(turn),
  }),
  getTurn: route({
    method: 'get',
    path: '/api/v1/turns/{id}',
    summary: 'A turn with its steps',
    tag,
    access: reads,
    params: turnParams,
    response: turn,
  }),
  stop: route({
    method: 'post',
    path: '/api/v1/turns/{id}/stop',
    summary: 'Stop a turn, its tools included',
    tag,
    access: runs,
    params: turnParams,
    idempotent: false,
    response: turn,
  }),
  turnChanges: route({
    method: 'get',
    path: '/api/v1/turns/{id}/changes',
    summary: 'What the answer of a turn did to the files of its workspace, call by call',
    tag,
    access: reads,
    params: turnParams,
    response: turnChanges,
  }),
  undoTurn: route({
    method: 'post',
    path: '/api/v1/turns/{id}/undo',
    summary: 'Take back what the answer of a turn did to files, as a new version',
    description:
      'What people and other agents changed before, between and since is kept. A file in which both changed the same lines stays as it is and is named in `kept`, with why. Undoing twice is undoing once.',
    tag,
    access: { role: 'editor', scope: 'write' },
    params: turnParams,
    response: undoneChanges,
  }),
  continue: route({
    method: 'post',
    path: '/api/v1/turns/{id}/continue',
    summary: 'Go on with a turn that ended at a limit or was stopped',
    tag,
    access: runs,
    params: turnParams,
    query: z.object({ wait: z.enum(['true', 'false']).default('true') }),
    response: turn,
  }),
}
