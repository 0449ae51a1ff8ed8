import { z } from 'zod'
import {
  artifact,
  artifactChange,
  artifactExecution,
  artifactRun,
  artifactVersion,
  fenceExecution,
  fenceRequest,
} from '../artifacts/artifact.ts'
import { run } from '../runs/run.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Artifacts'
const params = z.object({ id: idOf('artifact') })
const threadParams = z.object({ id: idOf('thread') })
const messageParams = threadParams.extend({ messageId: idOf('message') })
const number = z.coerce.number().int().min(1).max(2_147_483_647)
const wait = z.enum(['true', 'false']).default('true')
const reads = { role: 'viewer', scope: 'read' } as const
const runs = { role: 'editor', scope: 'run' } as const

const execution =
  'With `runtime: server` the code runs in the conversation’s own sandbox, where variables of earlier blocks are; it answers when the run has ended, with `?wait=false` at once with 202. With `runtime: browser` it keeps a report of what a browser ran: such a run is marked `reportedBy: client` and takes no run seconds.'

/** Fences of messages that people edit and run. */
export const artifacts = {
  ofThread: route({
    method: 'get',
    path: '/api/v1/threads/{id}/artifacts',
    summary: 'Code blocks of a conversation that were edited or run',
    tag,
    access: reads,
    params: threadParams,
    response: z.object({ items: z.array(artifact) }),
  }),
  open: route({
    method: 'post',
    path: '/api/v1/threads/{id}/messages/{messageId}/artifacts',
    summary: 'Make an artifact of a code block, or find the one it is',
    tag,
    access: runs,
    params: messageParams,
    body: fenceRequest,
    response: artifact,
  }),
  executeFence: route({
    method: 'post',
    path: '/api/v1/threads/{id}/messages/{messageId}/executions',
    summary: 'Run a code block of a message, or report that a browser ran it',
    description: execution,
    tag,
    access: runs,
    params: messageParams,
    query: z.object({ wait }),
    body: fenceExecution,
    response: run,
  }),
  fenceExecutions: route({
    method: 'get',
    path: '/api/v1/threads/{id}/messages/{messageId}/executions',
    summary: 'Executions of the code blocks of a message, newest first',
    tag,
    access: reads,
    params: messageParams,
    query: pageQuery,
    response: pageOf(artifactRun),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/artifacts/{id}',
    summary: 'An artifact as it is now, or as it was at a version',
    tag,
    access: reads,
    params,
    query: z.object({ version: number.optional() }),
    response: artifact,
  }),
  save: route({
    method: 'put',
    path: '/api/v1/artifacts/{id}',
    summary: 'Store the next version of an artifact',
    description:
      'The same text again is the same version. Where `expectedVersion` is not the newest, it is a conflict.',
    tag,
    access: runs,
    params,
    body: artifactChange,
    response: artifact,
  }),
  versions: route({
    method: 'get',
    path: '/api/v1/artifacts/{id}/versions',
    summary: 'Versions of an artifact, newest first',
    tag,
    access: reads,
    params,
    query: pageQuery,
    response: pageOf(artifactVersion),
  }),
  diff: route({
    method: 'get',
    path: '/api/v1/artifacts/{id}/diff',
    summary: 'What differs between two versions',
    tag,
    access: reads,
    params,
    query: z.object({ from: number, to: number }),
    response: z.object({ diff: z.string() }),
  }),
  notebook: route({
    method: 'get',
    path: '/api/v1/artifacts/{id}/notebook',
    summary: 'An artifact as a notebook of Jupyter, with the output of its newest run',
    tag,
    access: reads,
    params,
    response: 'text',
  }),
  execute: route({
    method: 'post',
    path: '/api/v1/artifacts/{id}/executions',
    summary: 'Run an artifact, or report that a browser ran it',
    description: execution,
    tag,
    access: runs,
    params,
    query: z.object({ wait }),
    body: artifactExecution,
    response: run,
  }),
  executions: route({
    method: 'get',
    path: '/api/v1/artifacts/{id}/executions',
    summary: 'Executions of an artifact, newest first',
    tag,
    access: reads,
    params,
    query: pageQuery.extend({ search: text().max(200).optional().describe('Part of what was printed') }),
    response: pageOf(artifactRun),
  }),
}
