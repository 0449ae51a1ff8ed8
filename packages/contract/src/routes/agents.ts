import { z } from 'zod'
import {
  agent,
  agentName,
  agentProposal,
  agentStatus,
  agentSummary,
  agentTemplate,
  agentVersion,
  definitionReach,
  definitionVerdict,
  generatedDefinition,
  modelName,
} from '../agents/agent.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { anyText, text } from '../wire/text.ts'

const tag = 'Agents'
const params = z.object({ name: agentName })
const versionNumber = z.coerce.number().int().min(1).max(1_000_000_000)
const versionParams = params.extend({ version: versionNumber })

/** A definition as text, YAML or JSON: as text, so that comments survive and errors have lines. */
const definitionText = z.strictObject({
  source: anyText().max(200_000),
  note: text().max(500).default(''),
})

export const agents = {
  schema: route({
    method: 'get',
    path: '/api/v1/agents/schema',
    summary: 'The JSON Schema of an agent definition, for editors',
    tag,
    access: 'anyone',
    response: z.record(z.string(), z.unknown()),
  }),
  templates: route({
    method: 'get',
    path: '/api/v1/agents/templates',
    summary: 'Agents to start from, with what each still needs',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: z.object({ items: z.array(agentTemplate) }),
  }),
  validate: route({
    method: 'post',
    path: '/api/v1/agents/validate',
    summary: 'Check a definition without storing it',
    tag,
    access: { role: 'viewer', scope: 'read' },
    idempotent: false,
    body: definitionText.pick({ source: true }),
    yaml: true,
    response: definitionVerdict,
  }),
  generate: route({
    method: 'post',
    path: '/api/v1/agents/generate',
    summary: 'Have a definition written from a description; nothing is stored as an agent',
    description:
      'One turn of the agent `builder`, of two minutes at most: it costs what the turn costs, and its thread stays to go on with. The turn stops when the caller hangs up.',
    tag,
    access: { role: 'editor', scope: 'write' },
    idempotent: false,
    body: z.strictObject({ text: text().trim().min(1).max(20_000), model: modelName.optional() }),
    response: generatedDefinition,
  }),
  create: route({
    method: 'post',
    path: '/api/v1/agents',
    summary: 'Create an agent from its definition',
    description:
      'The body is JSON with the definition as text in `source`, or the definition itself as `application/yaml`.',
    tag,
    access: { role: 'editor', scope: 'write' },
    body: definitionText.extend({
      status: agentStatus.extract(['draft', 'active']).optional().describe('Active unless it still needs something'),
    }),
    yaml: true,
    response: agent,
    status: 201,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/agents',
    summary: 'Agents of the team',
    tag,
    access: { role: 'viewer', scope: 'read' },
    query: pageQuery.extend({
      status: agentStatus.optional(),
      search: text().max(200).optional(),
      uses: text()
        .regex(/^(?:agent|skill):[a-z0-9-]{1,64}$/, 'must be agent:NAME or skill:NAME')
        .optional()
        .describe('Those that may ask this agent, or load this skill'),
    }),
    response: pageOf(agentSummary),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/agents/{name}',
    summary: 'An agent with the definition in use',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    response: agent,
  }),
  put: route({
    method: 'put',
    path: '/api/v1/agents/{name}',
    summary: 'Store a new version of an agent',
    tag,
    access: { role: 'editor', scope: 'write' },
    params,
    body: definitionText.extend({
      expectedVersion: z.number().int().min(1).optional().describe('Refuses when another version came first'),
    }),
    yaml: true,
    response: agent,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/agents/{name}',
    summary: 'Activate, pause or archive an agent; or change its owner or its reach',
    description: 'Owner and reach are changed by its owner, or an admin. Only its owner makes an agent private.',
    tag,
    access: { role: 'editor', scope: 'write' },
    params,
    body: z.union([
      z.strictObject({
        status: agentStatus,
        expectedVersion: z.number().int().min(1).optional().describe('Refuses when another version is in use by now'),
      }),
      z.strictObject({ owner: idOf('person') }),
      z.strictObject({ reach: definitionReach }),
    ]),
    response: agent,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/agents/{name}',
    summary: 'Delete an agent with its versions; its threads stay',
    description: 'By its owner, or an admin.',
    tag,
    access: { role: 'editor', scope: 'write' },
    params,
  }),
  versions: route({
    method: 'get',
    path: '/api/v1/agents/{name}/versions',
    summary: 'Versions of an agent, newest first, proposals among them',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    query: pageQuery,
    response: pageOf(agentVersion),
  }),
  version: route({
    method: 'get',
    path: '/api/v1/agents/{name}/versions/{version}',
    summary: 'A version with its definition',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params: versionParams,
    response: agentVersion.extend({ source: z.string() }),
  }),
  diff: route({
    method: 'get',
    path: '/api/v1/agents/{name}/diff',
    summary: 'What changed between two versions, as a unified diff',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    query: z.object({ from: versionNumber, to: versionNumber }),
    response: z.object({ diff: z.string() }),
  }),
  rollback: route({
    method: 'post',
    path: '/api/v1/agents/{name}/versions/{version}/restore',
    summary: 'Make a version that was in use the newest one again',
    tag,
    access: { role: 'editor', scope: 'write' },
    params: versionParams,
    response: agent,
  }),
  proposals: route({
    method: 'get',
    path: '/api/v1/agents/{name}/proposals',
    summary: 'Versions that agents propose, with the diff and what the agent may newly do',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    response: z.object({ items: z.array(agentProposal) }),
  }),
  decide: route({
    method: 'post',
    path: '/api/v1/agents/{name}/versions/{version}/decide',
    summary: 'Approve or reject a proposed version; by a signed-in person',
    description:
      'The digest says what was seen: it is refused when the proposal or the version in use is another one by now.',
    tag,
    access: { role: 'editor', scope: 'write', by: 'session' },
    params: versionParams,
    body: z.strictObject({
      decision: z.enum(['approve', 'reject']),
      digest: text().regex(/^[0-9a-f]{64}$/, 'must be the digest of what was seen'),
      note: definitionText.shape.note,
    }),
    response: agent,
    idempotent: false,
  }),
}
