import { z } from 'zod'
import { processRequest, processSignals, sandboxProcess } from '../../runs/sandbox.ts'
import { route } from '../../wire/route.ts'
import { anyText } from '../../wire/text.ts'
import { ended, look, params, tag, use } from './sandbox-terms.ts'

const pid = z.coerce.number().int().min(1).max(4_194_304)

/** Commands in the background of a sandbox. */
export const sandboxProcesses = {
  startProcess: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/processes',
    summary: 'Run a command in the background',
    tag,
    access: use,
    params,
    status: 201,
    body: processRequest,
    response: sandboxProcess,
  }),
  listProcesses: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/processes',
    summary: 'Commands in the background that run, and those that ended lately',
    tag,
    access: look,
    refusals: ended,
    params,
    response: z.object({ items: z.array(sandboxProcess) }),
  }),
  getProcess: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/processes/{pid}',
    summary: 'A command in the background with its newest output',
    tag,
    access: look,
    refusals: ended,
    params: params.extend({ pid }),
    response: sandboxProcess,
  }),
  processOutput: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/processes/{pid}/output',
    summary: 'Its output as a stream: events `process-output`, then one `process-end`',
    tag,
    access: look,
    refusals: ended,
    params: params.extend({ pid }),
    response: 'text',
  }),
  writeProcess: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/processes/{pid}/stdin',
    summary: 'Write to its standard input',
    tag,
    access: use,
    params: params.extend({ pid }),
    idempotent: false,
    body: z.strictObject({ text: anyText().max(1_000_000).default(''), end: z.boolean().default(false) }),
  }),
  killProcess: route({
    method: 'delete',
    path: '/api/v1/sandboxes/{id}/processes/{pid}',
    summary: 'Send it a signal',
    tag,
    access: use,
    params: params.extend({ pid }),
    query: z.object({ signal: z.enum(processSignals).default('SIGTERM') }),
  }),
}
