import { z } from 'zod'
import { run } from '../runs/run.ts'
import { schemaFailure } from '../tools/schema.ts'
import { toolExport, toolExportFormat } from '../tools/tool-export.ts'
import { toolReview, toolReviewAnswer, toolReviewQuestion, toolReviewRequest, toolRules } from '../tools/tool-review.ts'
import { toolRequest } from '../tools/tool-source.ts'
import { toolUsage, toolUser } from '../tools/tool-usage.ts'
import {
  sharedTool,
  tool,
  toolCheck,
  toolDetails,
  toolFiles,
  toolName,
  toolReach,
  toolStatus,
  toolSummary,
  toolTestResult,
  toolVerdict,
  toolVersion,
} from '../tools/tool.ts'
import { idOf } from '../wire/id.ts'
import { jsonValue } from '../wire/json-value.ts'
import { namedRecord } from '../wire/named-record.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Tools'
const params = z.object({ name: toolName })
const number = z.coerce.number().int().min(1).max(1_000_000_000)
const versionParams = params.extend({ version: number })
const version = z.number().int().min(1).max(1_000_000_000).optional()
const note = text().max(500).default('')

const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
const runs = { role: 'editor', scope: 'run' } as const

export const tools = {
  list: route({
    method: 'get',
    path: '/api/v1/tools',
    summary: 'Tools of the team',
    tag,
    access: reads,
    query: pageQuery.extend({
      search: text().max(200).optional(),
      language: text().max(30).optional(),
      tag: text().max(30).optional(),
      status: toolStatus.optional(),
      owner: idOf('person').optional(),
      reach: toolReach.optional(),
    }),
    response: pageOf(toolSummary),
  }),
  save: route({
    method: 'post',
    path: '/api/v1/tools',
    summary: 'Store a tool, or the next version of one',
    description:
      'Among the files is `tool.yaml`; or they come from a workspace, a code block or a past run. Schemas that the code declares are read by running it. Nobody gets the version before it is published; the same files again are the same version. Where the newest version is not `expectedVersion`, it is a conflict.',
    tag,
    access: writes,
    status: 201,
    body: toolRequest,
    response: toolDetails,
  }),
  shared: route({
    method: 'get',
    path: '/api/v1/tools/shared',
    summary: 'Tools that other teams of this server offer',
    tag,
    access: reads,
    query: pageQuery.extend({ search: text().max(200).optional() }),
    response: pageOf(sharedTool),
  }),
  install: route({
    method: 'post',
    path: '/api/v1/tools/shared/{team}/{name}/install',
    summary: 'Copy a version of another team’s tool into this team; it stays a draft until it is published here',
    tag,
    access: writes,
    status: 201,
    params: params.extend({ team: idOf('team') }),
    body: z.strictObject({ version }),
    response: toolDetails,
  }),
  rules: route({
    method: 'get',
    path: '/api/v1/tools/rules',
    summary: 'What the team asks before a tool is published',
    tag,
    access: reads,
    response: toolRules,
  }),
  setRules: route({
    method: 'put',
    path: '/api/v1/tools/rules',
    summary: 'Set who reviews a version before it is published',
    tag,
    access: { role: 'admin', scope: 'admin', by: 'session' },
    body: toolRules,
    response: toolRules,
  }),
  validate: route({
    method: 'post',
    path: '/api/v1/tools/validate',
    summary: 'Check the files of a tool without storing them or running its code',
    tag,
    access: reads,
    idempotent: false,
    body: z.strictObject({ files: toolFiles }),
    response: toolVerdict,
  }),
  check: route({
    method: 'post',
    path: '/api/v1/tools/check',
    summary: 'Check a value against a JSON Schema, as calls do',
    tag,
    access: reads,
    idempotent: false,
    body: z.strictObject({ schema: z.union([z.boolean(), namedRecord(text(), jsonValue)]), value: jsonValue }),
    response: z.object({ failures: z.array(schemaFailure) }),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/tools/{name}',
    summary: 'A tool with its published version',
    tag,
    access: reads,
    params,
    response: tool,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/tools/{name}',
    summary: 'Unpublish a tool, deprecate it with a reason, publish it again; or change its owner or its reach',
    tag,
    access: writes,
    params,
    body: z.union([
      z.discriminatedUnion('status', [
        z.strictObject({ status: z.literal('published') }),
        z.strictObject({ status: z.literal('unpublished') }),
        z.strictObject({ status: z.literal('deprecated'), reason: text().min(1).max(500) }),
      ]),
      z.strictObject({ owner: idOf('person') }),
      z.strictObject({ reach: toolReach }),
    ]),
    response: tool,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/tools/{name}',
    summary: 'Delete a tool with its versions, where nothing uses it',
    tag,
    description: 'By its owner, or an admin.',
    access: writes,
    params,
  }),
  versions: route({
    method: 'get',
    path: '/api/v1/tools/{name}/versions',
    summary: 'Versions of a tool, newest first',
    tag,
    access: reads,
    params,
    query: pageQuery,
    response: pageOf(toolVersion),
  }),
  version: route({
    method: 'get',
    path: '/api/v1/tools/{name}/versions/{version}',
    summary: 'A version of a tool with its files and schemas',
    tag,
    access: reads,
    params: versionParams,
    response: toolDetails,
  }),
  diff: route({
    method: 'get',
    path: '/api/v1/tools/{name}/diff',
    summary: 'What differs between two versions of a tool',
    tag,
    access: reads,
    params,
    query: z.object({ from: z.coerce.number().int().min(0), to: number }),
    response: z.object({ diff: z.string() }),
  }),
  test: route({
    method: 'post',
    path: '/api/v1/tools/{name}/tests',
    summary: 'Run the tests of a version, the newest unless named',
    tag,
    access: runs,
    params,
    body: z.strictObject({ version }),
    response: z.object({ results: z.array(toolTestResult) }),
  }),
  publishVersion: route({
    method: 'post',
    path: '/api/v1/tools/{name}/publish',
    summary: 'Publish a version, the newest unless named, where its checks are met',
    description:
      'The checks: its tests pass, it names a licence, its owner is in the team, and another person has approved it where the team asks for that. An older version is published again to roll back.',
    tag,
    access: writes,
    params,
    body: z.strictObject({ version, note }),
    response: z.object({ published: z.boolean(), version: z.number().int(), checks: z.array(toolCheck) }),
  }),
  call: route({
    method: 'post',
    path: '/api/v1/tools/{name}/call',
    summary: 'Call a tool in its published version, or the one named',
    description:
      'Input and output are checked against the schemas; what does not fit is named by its path. Every call is a run. With `Accept: text/event-stream` it answers `call-start` with the id of the run, which can be followed, then `call-end` with the answer or `call-error`.',
    tag,
    access: runs,
    params,
    body: z.strictObject({
      input: jsonValue.default({}),
      version,
      fresh: z.boolean().default(false).describe('Uses nothing that was kept of earlier calls'),
    }),
    response: z.object({
      output: z.unknown(),
      run,
      deprecated: z.string().optional().describe('Why the tool should not be called any more'),
    }),
  }),
  usage: route({
    method: 'get',
    path: '/api/v1/tools/{name}/usage',
    summary: 'Calls of a tool: how many, how long, what failed, by whom',
    tag,
    access: reads,
    params,
    query: z.object({ days: z.coerce.number().int().min(1).max(90).default(14) }),
    response: toolUsage,
  }),
  usedBy: route({
    method: 'get',
    path: '/api/v1/tools/{name}/used-by',
    summary: 'Agents and tools that name this tool',
    tag,
    access: reads,
    params,
    response: z.object({ items: z.array(toolUser) }),
  }),
  export: route({
    method: 'get',
    path: '/api/v1/tools/{name}/export',
    summary: 'A tool as another framework or language calls it',
    description:
      'The address of this server and an API key come from the environment: COHEREX_URL and COHEREX_API_KEY. A version that is named is pinned.',
    tag,
    access: reads,
    params,
    query: z.object({ format: toolExportFormat, version: number.optional() }),
    response: toolExport,
  }),
  reviews: route({
    method: 'get',
    path: '/api/v1/tools/{name}/reviews',
    summary: 'What people, models and services said of the versions of a tool, newest first',
    tag,
    access: reads,
    params,
    query: pageQuery.extend({ version: number.optional() }),
    response: pageOf(toolReview),
  }),
  review: route({
    method: 'post',
    path: '/api/v1/tools/{name}/reviews',
    summary: 'Approve a version, reject it, or comment on it; who approves is signed in',
    tag,
    access: writes,
    status: 201,
    params,
    body: toolReviewRequest,
    response: toolReview,
  }),
  askReview: route({
    method: 'post',
    path: '/api/v1/tools/{name}/reviews/ask',
    summary: 'Have a model, or the team’s review service, comment on a version',
    tag,
    access: runs,
    params,
    body: toolReviewQuestion,
    response: toolReviewAnswer,
  }),
}
