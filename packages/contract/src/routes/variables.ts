import { z } from 'zod'
import { agentName } from '../agents/agent.ts'
import { variableName } from '../runs/run.ts'
import { ownedVariable, variable, variableValue } from '../runs/variable.ts'
import { toolName } from '../tools/tool.ts'
import { idOf } from '../wire/id.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Variables'
// whoever may run code finds the values there anyway
const reads = { role: 'editor', scope: 'read' } as const
const writes = { role: 'editor', scope: 'write' } as const
const ofWorkspace = z.object({ id: idOf('workspace') })
const ofAgent = z.object({ name: agentName })
const ofTool = z.object({ name: toolName })
const body = z.strictObject({ value: variableValue })
const response = z.object({ items: z.array(variable) })
const rules =
  'A run’s own `env` wins over the variables of the agent that runs it, and those over the workspace’s. They are settings and no secrets: whoever may run code can read them.'

export const variables = {
  list: route({
    method: 'get',
    path: '/api/v1/variables',
    summary: 'Environment variables of all workspaces, agents and tools of the team, by name',
    description: rules,
    tag,
    access: reads,
    query: pageQuery.extend({ search: text().max(100).optional().describe('Part of a name, or of whose it is') }),
    response: pageOf(ownedVariable),
  }),
  listOfWorkspace: route({
    method: 'get',
    path: '/api/v1/workspaces/{id}/variables',
    summary: 'Environment variables of everything that runs with a workspace, by name',
    description: rules,
    tag,
    access: reads,
    params: ofWorkspace,
    response,
  }),
  putOfWorkspace: route({
    method: 'put',
    path: '/api/v1/workspaces/{id}/variables/{variable}',
    summary: 'Set a variable of a workspace',
    description: 'Runs see it from now on, sandboxes when they wake the next time.',
    tag,
    access: writes,
    params: ofWorkspace.extend({ variable: variableName }),
    body,
    response: variable,
  }),
  removeOfWorkspace: route({
    method: 'delete',
    path: '/api/v1/workspaces/{id}/variables/{variable}',
    summary: 'Delete a variable of a workspace',
    tag,
    access: writes,
    params: ofWorkspace.extend({ variable: variableName }),
  }),
  listOfAgent: route({
    method: 'get',
    path: '/api/v1/agents/{name}/variables',
    summary: 'Environment variables of the code that an agent runs, by name',
    description: rules,
    tag,
    access: reads,
    params: ofAgent,
    response,
  }),
  putOfAgent: route({
    method: 'put',
    path: '/api/v1/agents/{name}/variables/{variable}',
    summary: 'Set a variable of an agent',
    description:
      'Its threads see it from their next call, in the environment of their sandbox when that wakes the next time.',
    tag,
    access: writes,
    params: ofAgent.extend({ variable: variableName }),
    body,
    response: variable,
  }),
  removeOfAgent: route({
    method: 'delete',
    path: '/api/v1/agents/{name}/variables/{variable}',
    summary: 'Delete a variable of an agent',
    tag,
    access: writes,
    params: ofAgent.extend({ variable: variableName }),
  }),
  listOfTool: route({
    method: 'get',
    path: '/api/v1/tools/{name}/variables',
    summary: 'Environment variables of a tool, by name',
    description:
      'A call finds those that `variables` of its version names. They are settings and no secrets: whoever may run code can read them.',
    tag,
    access: reads,
    params: ofTool,
    response,
  }),
  putOfTool: route({
    method: 'put',
    path: '/api/v1/tools/{name}/variables/{variable}',
    summary: 'Set a variable of a tool',
    description: 'Calls see it from now on.',
    tag,
    access: writes,
    params: ofTool.extend({ variable: variableName }),
    body,
    response: variable,
  }),
  removeOfTool: route({
    method: 'delete',
    path: '/api/v1/tools/{name}/variables/{variable}',
    summary: 'Delete a variable of a tool',
    tag,
    access: writes,
    params: ofTool.extend({ variable: variableName }),
  }),
}
