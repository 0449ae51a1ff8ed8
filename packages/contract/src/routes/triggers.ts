import { z } from 'zod'
import { agentName } from '../agents/agent.ts'
import { scheduleQuery } from '../agents/trigger-definition.ts'
import { delivery, deliveryStatus, deliveryWithPayload, madeSecret, secretRequest, trigger } from '../agents/trigger.ts'
import { execution, executionRequest } from '../runs/execution.ts'
import { toolName } from '../tools/tool.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

const tag = 'Triggers'
const agentParams = z.object({ name: agentName })
const triggerParams = agentParams.extend({ id: idOf('trigger') })
const deliveryParams = z.object({ id: idOf('delivery') })
const reads = { role: 'viewer', scope: 'read' } as const
const runs = { role: 'editor', scope: 'run' } as const

const ofTool = z.object({ name: toolName })
const triggerOfTool = ofTool.extend({ id: idOf('trigger') })

export const triggers = {
  ofTool: route({
    method: 'get',
    path: '/api/v1/tools/{name}/triggers',
    summary: 'What calls a tool by itself, with the next firings',
    tag,
    access: reads,
    params: ofTool,
    response: z.object({ items: z.array(trigger) }),
  }),
  testOfTool: route({
    method: 'post',
    path: '/api/v1/tools/{name}/triggers/{id}/test',
    summary: 'Fire a trigger of a tool by hand, with a payload of your own',
    tag,
    access: runs,
    params: triggerOfTool,
    body: z.strictObject({ payload: text().max(200_000).optional() }),
    response: delivery,
    status: 202,
  }),
  makeSecretOfTool: route({
    method: 'post',
    path: '/api/v1/tools/{name}/triggers/{id}/secret',
    summary: 'Make or replace the secret that requests to a webhook of a tool are signed with; it is told once',
    tag,
    access: { role: 'editor', scope: 'write' },
    params: triggerOfTool,
    body: secretRequest,
    response: madeSecret,
    status: 201,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/agents/{name}/triggers',
    summary: 'What starts an agent by itself, with the next firings',
    tag,
    access: reads,
    params: agentParams,
    response: z.object({ items: z.array(trigger) }),
  }),
  test: route({
    method: 'post',
    path: '/api/v1/agents/{name}/triggers/{id}/test',
    summary: 'Fire a trigger by hand, with a payload of your own',
    tag,
    access: runs,
    params: triggerParams,
    body: z.strictObject({ payload: text().max(200_000).optional() }),
    response: delivery,
    status: 202,
  }),
  makeSecret: route({
    method: 'post',
    path: '/api/v1/agents/{name}/triggers/{id}/secret',
    summary: 'Make or replace the secret that requests to a webhook are signed with; it is told once',
    tag,
    access: { role: 'editor', scope: 'write' },
    params: triggerParams,
    body: secretRequest,
    response: madeSecret,
    status: 201,
  }),
  schedule: route({
    method: 'get',
    path: '/api/v1/schedules/next',
    summary: 'When a schedule would fire next, before it is part of a definition',
    tag,
    access: reads,
    query: scheduleQuery,
    response: z.object({ next: z.array(moment) }),
  }),
  deliveries: route({
    method: 'get',
    path: '/api/v1/agents/{name}/deliveries',
    summary: 'What the triggers of an agent were sent, newest first',
    tag,
    access: reads,
    params: agentParams,
    query: pageQuery.extend({ triggerId: idOf('trigger').optional(), status: deliveryStatus.optional() }),
    response: pageOf(delivery),
  }),
  allDeliveries: route({
    method: 'get',
    path: '/api/v1/deliveries',
    summary: 'What the triggers of all agents and tools of the team were sent, newest first',
    tag,
    access: reads,
    query: pageQuery.extend({
      agent: agentName.optional(),
      tool: toolName.optional(),
      status: deliveryStatus.optional(),
    }),
    response: pageOf(delivery),
  }),
  delivery: route({
    method: 'get',
    path: '/api/v1/deliveries/{id}',
    summary: 'A delivery with its payload',
    tag,
    access: reads,
    params: deliveryParams,
    response: deliveryWithPayload,
  }),
  redeliver: route({
    method: 'post',
    path: '/api/v1/deliveries/{id}/redeliver',
    summary: 'Start the agent or tool once more with what a delivery held',
    tag,
    access: runs,
    params: deliveryParams,
    response: delivery,
    status: 202,
  }),
  hook: route({
    method: 'post',
    path: '/hooks/{hook}',
    summary: 'Where senders of webhooks post; the signature is what lets them in',
    description:
      'Answers 202 with the id of the delivery once it is stored, 200 with the first one’s id for a repetition, 401 for a wrong signature or time, 429 with Retry-After when it should be sent again later.',
    otherAnswers: { 200: 'It had come before: the delivery of then' },
    tag,
    access: 'anyone',
    params: z.object({ hook: text().min(1).max(100) }),
    body: 'bytes',
    idempotent: false,
    response: z.object({ id: z.string() }),
    status: 202,
  }),
  execute: route({
    method: 'post',
    path: '/api/v1/agents/{name}/execute',
    summary: 'Have an agent do something, for programs',
    description:
      'Waits and answers the turn with its output; with `Accept: text/event-stream` the UI message chunks as they come; with `?wait=false` 202 and the turn as it is. `POST /api/v1/turns/{id}/stop` ends it, `GET /api/v1/threads/{id}/stream` watches it.',
    tag,
    access: runs,
    params: agentParams,
    query: z.object({ wait: z.enum(['true', 'false']).default('true') }),
    body: executionRequest,
    response: execution,
  }),
}
