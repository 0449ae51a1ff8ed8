import { z } from 'zod'
import { approveAgain } from '../agents/approval.ts'
import { fixRequest } from '../runs/fix.ts'
import { language } from '../runs/languages.ts'
import {
  languageStatus,
  receipt,
  run,
  runProgram,
  runRequest,
  runStatus,
  runSummary,
  runtimeName,
  runtimeStatus,
} from '../runs/run.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { anyText, text } from '../wire/text.ts'

const tag = 'Runs'
const params = z.object({ id: idOf('run') })
const wait = z.enum(['true', 'false']).default('true')

export const runs = {
  create: route({
    method: 'post',
    path: '/api/v1/runs',
    summary: 'Run code in a sandbox',
    description:
      'Answers when the run has ended. With `Accept: text/event-stream` it answers the events run-start, run-output and run-end as they happen; with `?wait=false` it answers 202 and the run as it is.',
    tag,
    access: { role: 'editor', scope: 'run' },
    query: z.object({ wait }),
    body: runRequest,
    response: run,
  }),
  route: route({
    method: 'post',
    path: '/api/v1/runs/route',
    summary: 'Which runtime a run would get, and why; nothing is run or recorded',
    tag,
    access: { role: 'editor', scope: 'run' },
    idempotent: false,
    body: runRequest.omit({ sandboxId: true, cellId: true, context: true }),
    response: receipt,
  }),
  list: route({
    method: 'get',
    path: '/api/v1/runs',
    summary: 'Runs of the team, newest first',
    tag,
    access: { role: 'viewer', scope: 'read' },
    query: pageQuery.extend({
      status: runStatus.optional(),
      language: language.optional(),
      runtime: runtimeName.optional(),
      createdBy: idOf('person').optional(),
      sandboxId: idOf('sandbox').optional(),
      workspaceId: idOf('workspace').optional(),
      search: text().max(200).optional().describe('Part of the code'),
    }),
    response: pageOf(runSummary),
  }),
  get: route({
    method: 'get',
    path: '/api/v1/runs/{id}',
    summary: 'A run with its output',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    response: run,
  }),
  program: route({
    method: 'get',
    path: '/api/v1/runs/{id}/program',
    summary: 'The code that was run',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    response: runProgram,
  }),
  events: route({
    method: 'get',
    path: '/api/v1/runs/{id}/events',
    summary: 'A run’s events as a stream; `Last-Event-ID` resumes it',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params,
    response: 'text',
  }),
  cancel: route({
    method: 'post',
    path: '/api/v1/runs/{id}/cancel',
    summary: 'Stop a run with everything it started',
    tag,
    access: { role: 'editor', scope: 'run' },
    params,
    idempotent: false,
    response: run,
  }),
  stdin: route({
    method: 'post',
    path: '/api/v1/runs/{id}/stdin',
    summary: 'Give the line that a run waits for; null is the end of input',
    tag,
    access: { role: 'editor', scope: 'run' },
    params,
    idempotent: false,
    body: z.strictObject({ text: anyText().max(1_000_000).nullable() }),
  }),
  escalate: route({
    method: 'post',
    path: '/api/v1/runs/{id}/escalate',
    summary: 'Run the same program again in a process sandbox, with more memory and time',
    description:
      'For a run that the isolate was too small for. What the code did before, it may do a second time; a call that needed an approval needs one again. Answers when it has ended; with `?wait=false` it answers 202 and the run as it is.',
    tag,
    access: { role: 'editor', scope: 'run' },
    params,
    query: z.object({ wait }),
    body: z.strictObject({ approve: approveAgain }),
    response: run,
  }),
  fix: route({
    method: 'post',
    path: '/api/v1/runs/{id}/fix',
    summary: 'Run the same program again with one of the fixes that its error carries',
    description:
      'Takes `kind` and `value` of a fix in `error.fixes`; any other is refused. What the code did before, it may do a second time. Answers when it has ended; with `?wait=false` it answers 202 and the run as it is.',
    tag,
    access: { role: 'editor', scope: 'run' },
    params,
    query: z.object({ wait }),
    body: fixRequest.extend({ approve: approveAgain }),
    response: run,
  }),
  file: route({
    method: 'get',
    path: '/api/v1/runs/{id}/files/{path}',
    summary: 'A file the run wrote; kept for a day',
    tag,
    access: { role: 'viewer', scope: 'read' },
    params: params.extend({ path: text().min(1).max(1024) }),
    response: 'text',
  }),
  runtimes: route({
    method: 'get',
    path: '/api/v1/runtimes',
    summary: 'The runtimes of this machine, with figures since the start',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: z.object({ items: z.array(runtimeStatus) }),
  }),
  languages: route({
    method: 'get',
    path: '/api/v1/languages',
    summary: 'What can be run here',
    tag,
    access: { role: 'viewer', scope: 'read' },
    response: z.object({ items: z.array(languageStatus) }),
  }),
}
