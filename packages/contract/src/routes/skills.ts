import { z } from 'zod'
import { definitionReach } from '../agents/agent.ts'
import { skillName } from '../agents/skill-name.ts'
import {
  skill,
  skillFiles,
  skillState,
  skillSummary,
  skillVerdict,
  skillVersion,
  skillVersionDetails,
  workspaceSkill,
} from '../agents/skill.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Skills'
const params = z.object({ name: skillName })
const number = z.coerce.number().int().min(1).max(1_000_000_000)
const versionParams = params.extend({ version: number })
const note = text().max(500).default('')
const digest = text().regex(/^[0-9a-f]{64}$/, 'must be the digest of what was seen')

const reads = { role: 'viewer', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
// what is approved goes into prompts: a signed-in editor, or a key that may do everything
const approves = { role: 'editor', scope: 'admin' } as const
const whoseBecomesActive =
  'It becomes active at once when whoever sends it may approve skills: a signed-in editor, or a key with the scope `admin`. What other keys send waits as a proposal.'

export const skills = {
  list: route({
    method: 'get',
    path: '/api/v1/skills',
    summary: 'Skills of the team',
    tag,
    access: reads,
    query: pageQuery.extend({ state: skillState.optional(), search: text().max(200).optional() }),
    response: pageOf(skillSummary),
  }),
  validate: route({
    method: 'post',
    path: '/api/v1/skills/validate',
    summary: 'Check the files of a skill without storing them',
    tag,
    access: reads,
    idempotent: false,
    body: z.strictObject({ folder: text().max(200).optional(), files: skillFiles }),
    response: skillVerdict,
  }),
  importZip: route({
    method: 'post',
    path: '/api/v1/skills/import',
    summary: 'Store a skill from a zip, as a new one or as the next version',
    description: `SKILL.md stands at the root of the archive or in its one folder. ${whoseBecomesActive}`,
    tag,
    access: writes,
    query: z.object({ note }),
    body: 'bytes',
    response: skill,
    status: 201,
    idempotent: false,
  }),
  get: route({
    method: 'get',
    path: '/api/v1/skills/{name}',
    summary: 'A skill with the files of its active version',
    tag,
    access: reads,
    params,
    response: skill,
  }),
  put: route({
    method: 'put',
    path: '/api/v1/skills/{name}',
    summary: 'Store a skill, or the next version of one',
    description: whoseBecomesActive,
    tag,
    access: writes,
    params,
    body: z.strictObject({
      files: skillFiles,
      note,
      expectedVersion: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Refuses when the newest version is another one; 0 when there must be none'),
    }),
    response: skill,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/skills/{name}',
    summary: 'Archive a skill, so that no agent gets it, or bring it back; or change its owner or its reach',
    description: 'Owner and reach are changed by its owner, or an admin. Only its owner makes a skill private.',
    tag,
    access: approves,
    params,
    body: z.union([
      z.strictObject({ archived: z.boolean() }),
      z.strictObject({ owner: idOf('person') }),
      z.strictObject({ reach: definitionReach }),
    ]),
    response: skill,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/skills/{name}',
    summary: 'Delete a skill with its versions',
    description: 'By its owner, or an admin.',
    tag,
    access: { role: 'editor', scope: 'write' },
    params,
  }),
  versions: route({
    method: 'get',
    path: '/api/v1/skills/{name}/versions',
    summary: 'Versions of a skill, newest first, proposals among them',
    tag,
    access: reads,
    params,
    query: pageQuery,
    response: pageOf(skillVersion),
  }),
  version: route({
    method: 'get',
    path: '/api/v1/skills/{name}/versions/{version}',
    summary: 'A version with its files',
    tag,
    access: reads,
    params: versionParams,
    response: skillVersionDetails,
  }),
  decide: route({
    method: 'post',
    path: '/api/v1/skills/{name}/versions/{version}/decide',
    summary: 'Approve or reject a proposed version',
    description:
      'The digest says what was seen: a proposal that is another one by now is not decided. One that an agent wrote is approved by a signed-in person.',
    tag,
    access: approves,
    params: versionParams,
    body: z.strictObject({ decision: z.enum(['approve', 'reject']), digest, note }),
    response: skill,
    idempotent: false,
  }),
  restore: route({
    method: 'post',
    path: '/api/v1/skills/{name}/versions/{version}/restore',
    summary: 'Store an old version again as the newest one',
    tag,
    access: approves,
    params: versionParams,
    response: skill,
  }),
  diff: route({
    method: 'get',
    path: '/api/v1/skills/{name}/diff',
    summary: 'What changed between two versions, as a unified diff in which nothing is invisible',
    tag,
    access: reads,
    params,
    query: z.object({
      from: z.coerce.number().int().min(0).max(1_000_000_000).describe('0 is before the first'),
      to: number,
    }),
    response: z.object({ diff: z.string() }),
  }),
  zip: route({
    method: 'get',
    path: '/api/v1/skills/{name}/zip',
    summary: 'The files of a skill as a zip with its folder',
    tag,
    access: reads,
    params,
    query: z.object({ version: number.optional() }),
    response: 'text',
  }),
  inWorkspace: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/skills',
    summary: 'Skills in the folder `skills` of a workspace, and whether agents get them',
    tag,
    access: reads,
    params: z.object({ id: idOf('workspace') }),
    response: z.object({ items: z.array(workspaceSkill) }),
  }),
  diffInWorkspace: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/skills/{name}/diff',
    summary: 'What a skill of a workspace has that was not approved yet, as a diff in which nothing is invisible',
    tag,
    access: reads,
    params: z.object({ id: idOf('workspace'), name: skillName }),
    response: z.object({ diff: z.string(), digest: z.string() }),
  }),
  decideInWorkspace: route({
    method: 'post',
    path: '/api/v1/workspaces/{id}/skills/{name}/decide',
    summary: 'Approve a skill of a workspace as it is now, or take that back',
    description: 'Agents get it in threads of the workspace, for as long as none of its files changes.',
    tag,
    access: approves,
    params: z.object({ id: idOf('workspace'), name: skillName }),
    body: z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('approve'), digest }),
      z.strictObject({ decision: z.literal('withdraw') }),
    ]),
    response: workspaceSkill,
    idempotent: false,
  }),
}
