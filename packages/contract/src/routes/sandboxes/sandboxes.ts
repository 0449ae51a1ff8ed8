import { z } from 'zod'
import { lineOfText } from '../../access/people.ts'
import { approveAgain } from '../../agents/approval.ts'
import { packageLock } from '../../packages/package.ts'
import { language } from '../../runs/languages.ts'
import { contextName, runStatus } from '../../runs/run.ts'
import {
  changedSandbox,
  largestSandbox,
  previewLink,
  sandbox,
  sandboxChange,
  sandboxPackagesChange,
  sandboxRequest,
  sandboxStatus,
  sandboxVariable,
  sandboxVariablePage,
} from '../../runs/sandbox.ts'
import { idOf } from '../../wire/id.ts'
import { pageOf, pageQuery } from '../../wire/page.ts'
import { route } from '../../wire/route.ts'
import { anyText, text } from '../../wire/text.ts'
import { sandboxCells } from './sandbox-cells.ts'
import { sandboxFiles } from './sandbox-files.ts'
import { sandboxProcesses } from './sandbox-processes.ts'
import { ended, look, params, tag, use } from './sandbox-terms.ts'

const inContext = z.strictObject({ context: contextName.optional() })
const port = z.coerce.number().int().min(1).max(65_535)

export const sandboxes = {
  create: route({
    method: 'post',
    path: '/api/v1/sandboxes',
    summary: 'Make a sandbox that lives on',
    description:
      'Cells run in it by `POST /api/v1/runs` with its id as `sandboxId`. With `Accept: text/event-stream` it answers `progress` events with a line each while packages are fetched, then `end` with the answer or `error`.',
    tag,
    access: use,
    status: 201,
    body: sandboxRequest,
    response: sandbox,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/sandboxes',
    summary: 'Sandboxes of the team, newest first',
    description: 'Those that have ended are told only when asked for by `status=ended`.',
    tag,
    access: look,
    query: pageQuery.extend({ status: sandboxStatus.optional() }),
    response: pageOf(sandbox),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}',
    summary: 'A sandbox; looking does not wake it',
    tag,
    access: look,
    params,
    response: sandbox,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/sandboxes/{id}',
    summary: 'Rename a sandbox, or change its network, limits or idle time',
    description:
      'One that is awake has its network and memory changed at once; `atNextWake` names what takes effect when it next wakes. Looking and changing do not wake it.',
    tag,
    access: use,
    params,
    body: sandboxChange,
    response: changedSandbox,
  }),
  packages: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/packages',
    summary: 'Add packages to a sandbox, or take some away',
    description:
      'Resolved together with those it has, by the team’s rules; versions it has stay where they fit, unless `upgrade` says otherwise. Answers when they can be imported: by the next cell, without a restart. What a session has loaded stays as it is. They stay with the sandbox when it sleeps, and go with its forks. With `Accept: text/event-stream` it answers `progress` events with a line each while packages are fetched, then `end` with the answer or `error`.',
    tag,
    access: use,
    params,
    idempotent: false,
    body: sandboxPackagesChange.refine(
      ({ requirements, remove }) => requirements.length + remove.length > 0,
      'nothing to add and nothing to remove',
    ),
    response: z.object({
      /** Null where none is left of this language. */
      lock: packageLock.nullable(),
      /** New, or of another version than before. */
      changed: z.array(z.object({ name: z.string(), version: z.string() })),
    }),
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/sandboxes/{id}',
    summary: 'End a sandbox and delete its files',
    tag,
    access: use,
    params,
  }),
  interrupt: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/interrupt',
    summary: 'Stop the running cell and keep its session’s variables',
    tag,
    access: use,
    params,
    idempotent: false,
    body: inContext,
    response: z.object({ interrupted: z.boolean() }),
  }),
  reset: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/reset',
    summary: 'End a session, or all of them; files stay',
    tag,
    access: use,
    params,
    idempotent: false,
    body: inContext,
    response: sandbox,
  }),
  fork: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/fork',
    summary: 'A new sandbox with a copy of the files; variables are not copied, and rerun makes them again',
    tag,
    access: use,
    params,
    status: 201,
    body: z.strictObject({ name: lineOfText(80).optional() }),
    response: sandbox,
  }),
  extend: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/extend',
    summary: 'Keep it awake from now for its idle time, or for another one',
    tag,
    access: use,
    params,
    idempotent: false,
    body: z.strictObject({ idleTimeoutMs: z.number().int().min(1000).max(largestSandbox.idleTimeoutMs).optional() }),
    response: sandbox,
  }),
  rerun: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/rerun',
    summary: 'Run its cells again in fresh sessions, in order, to have their variables back',
    description:
      'Cells that succeeded are run again, up to the first that fails now; `cells=all` runs the code cells of the notebook instead, from first to last. `restart=false` keeps the sessions. Answers when they have ended. Cells of calls that needed an approval need one again: `approve` has their hashes, and takes a signed-in person.',
    tag,
    access: use,
    params,
    idempotent: false,
    body: inContext.extend({
      cells: z.enum(['succeeded', 'all']).optional(),
      restart: z.boolean().optional(),
      approve: approveAgain,
    }),
    response: z.object({
      runs: z.array(z.object({ id: idOf('run'), status: runStatus })),
      /** Cells that were not run because one before them failed. */
      left: z.number().int(),
    }),
  }),
  ...sandboxCells,
  ...sandboxFiles,
  variables: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/variables',
    summary: 'Variables of a session',
    tag,
    access: look,
    refusals: ended,
    params,
    query: inContext,
    response: z.object({
      items: z.array(sandboxVariable),
      /** A cell runs, and the session does not answer meanwhile. */
      isBusy: z.boolean().optional(),
    }),
  }),
  variable: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/variables/{name}',
    summary: 'A variable in full; of a table, a page',
    tag,
    access: look,
    refusals: ended,
    params: params.extend({ name: text().min(1).max(200) }),
    query: inContext.extend({
      offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    response: sandboxVariablePage,
  }),
  complete: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/complete',
    summary: 'Names that could follow at a place in code, by what a session holds',
    description:
      'Of Python: variables, attributes, and keys of dictionaries and frames. `prefix` is what is typed of the name already. Answers none while a cell runs, and where there is no session.',
    tag,
    access: use,
    params,
    idempotent: false,
    body: z.strictObject({
      code: anyText().max(1_000_000),
      /** In UTF-16 units, as editors count. */
      cursor: z.number().int().min(0).max(1_000_000),
      /** The one of the sandbox unless named. */
      language: language.optional(),
    }),
    response: z.object({ prefix: z.string(), items: z.array(z.object({ name: z.string(), kind: z.string() })) }),
  }),
  ...sandboxProcesses,
  preview: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/ports/{port}',
    summary: 'An address at which members of the team see what listens on a port of the sandbox',
    tag,
    access: use,
    refusals: ended,
    params: params.extend({ port }),
    response: previewLink,
  }),
  sharePreview: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/ports/{port}/share',
    summary: 'An address at which anyone who has it sees the port, for a time',
    tag,
    access: use,
    params: params.extend({ port }),
    status: 201,
    body: z.strictObject({ hours: z.number().int().min(1).max(168).default(24) }),
    response: previewLink,
  }),
  unsharePreviews: route({
    method: 'delete',
    path: '/api/v1/sandboxes/{id}/shares',
    summary: 'Make every address void that was shared for this sandbox so far',
    tag,
    access: use,
    params,
  }),
}
