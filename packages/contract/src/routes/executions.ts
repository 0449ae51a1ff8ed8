import { z } from 'zod'
import { approveAgain } from '../agents/approval.ts'
import { executionAgain, executionKind, executionStatuses, executionSummary } from '../runs/execution-summary.ts'
import { language } from '../runs/languages.ts'
import { runtimeName } from '../runs/run.ts'
import { startKind } from '../runs/started-by.ts'
import { timeline } from '../runs/timeline.ts'
import { idOf } from '../wire/id.ts'
import { exportFormat, pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

const tag = 'Executions'
const executionParams = z.object({ id: z.union([idOf('turn'), idOf('run')]) })
const reads = { role: 'viewer', scope: 'read' } as const
const filters = z.object({
  kind: executionKind.optional(),
  status: z
    .enum([...executionStatuses, 'open', 'dead'])
    .optional()
    .describe('Open is whatever has not ended; dead was given up by the server'),
  agent: text().max(64).optional().describe('Turns of an agent, and the runs they began'),
  createdBy: idOf('person').optional(),
  language: language.optional(),
  runtime: runtimeName.optional(),
  startedBy: startKind.optional(),
  from: moment.optional(),
  to: moment.optional(),
  search: text()
    .max(200)
    .optional()
    .describe(
      'Part of the question, the answer, the code, what was printed, or the title of the block or the conversation',
    ),
})

export const executions = {
  list: route({
    method: 'get',
    path: '/api/v1/executions',
    summary: 'Turns and runs of the team, newest first',
    tag,
    access: reads,
    query: pageQuery.extend(filters.shape),
    response: pageOf(executionSummary),
  }),
  export: route({
    method: 'get',
    path: '/api/v1/executions/export',
    summary: 'Turns and runs as a file, the newest 10,000 that fit the filters',
    tag,
    access: reads,
    query: filters.extend({ format: exportFormat.default('csv') }),
    response: 'text',
  }),
  again: route({
    method: 'get',
    path: '/api/v1/executions/{id}/retry',
    summary: 'What doing it again would do: the program, where it would run, its network and the approvals it needs',
    tag,
    access: reads,
    params: executionParams,
    response: executionAgain,
  }),
  retry: route({
    method: 'post',
    path: '/api/v1/executions/{id}/retry',
    summary: 'Do the same again: another turn for the same question, or another run of the same program',
    description:
      'The new one says what it repeats in `retryOf`. What the first one did, it may do a second time. The run of a call that needed an approval needs one again: `approve` has its hash, and takes a signed-in person.',
    tag,
    access: { role: 'editor', scope: 'run' },
    params: executionParams,
    body: z.strictObject({ approve: approveAgain }),
    response: executionSummary,
    status: 202,
  }),
  timeline: route({
    method: 'get',
    path: '/api/v1/turns/{id}/timeline',
    summary: 'A turn as it went: waiting, steps, calls, and the runs, turns and approvals they began',
    tag,
    access: reads,
    params: z.object({ id: idOf('turn') }),
    response: timeline,
  }),
}
