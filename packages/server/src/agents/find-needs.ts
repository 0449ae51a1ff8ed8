import { CoherexError, type AgentDefinition, type AgentNeed, type TriggerDefinition } from '@coherex/contract'
import type { Database } from '../base/index.ts'
import type { Models } from '../models/index.ts'
import { getAgent, isInSomeWorkspace, listActiveSkills, refuseTool } from '../registry/index.ts'
import type { McpServers } from '../tools/index.ts'
import type { Workspaces } from '../workspaces/index.ts'

export interface NeedDeps {
  database: Database
  models: Models
  workspaces: Pick<Workspaces, 'get'>
  mcp: Pick<McpServers, 'refuses'>
}

/** What a definition still lacks in a team, so that it is told before the agent is used and not when it fails. */
export async function findNeeds(deps: NeedDeps, teamId: string, definition: AgentDefinition): Promise<AgentNeed[]> {
  const { tools = [], sources = [], skills = [], triggers = [] } = definition
  const needs = [await modelNeed(deps, teamId, definition.model)]
  for (const tool of tools) needs.push(await toolNeed(deps, teamId, tool, definition.name))
  for (const { name } of sources) {
    needs.push({ kind: 'source', name, message: `The source "${name}" is not connected in this team` })
  }
  if (skills !== 'all') needs.push(...(await skillNeeds(deps.database, teamId, skills)))
  for (const trigger of triggers) needs.push(await triggerNeed(deps.workspaces, teamId, trigger))
  return needs.filter((need) => need !== undefined)
}

async function modelNeed(
  deps: { models: Models },
  teamId: string,
  named: string | undefined,
): Promise<AgentNeed | undefined> {
  try {
    const name = await deps.models.choose(teamId, [named])
    const message = await deps.models.refuses(teamId, name)
    return message === undefined ? undefined : { kind: 'model', name, message }
  } catch (error) {
    if (!(error instanceof CoherexError)) throw error
    return { kind: 'model', name: named ?? '', message: error.message }
  }
}

async function triggerNeed(
  workspaces: Pick<Workspaces, 'get'>,
  teamId: string,
  trigger: TriggerDefinition,
): Promise<AgentNeed | undefined> {
  if ('event' in trigger && trigger.event === 'document-added') {
    return { kind: 'trigger', name: trigger.event, message: 'This version keeps no documents that could be added' }
  }
  const { workspace } = trigger
  if (workspace === undefined) return undefined
  try {
    await workspaces.get(teamId, workspace)
    return undefined
  } catch (error) {
    if (!(error instanceof CoherexError)) throw error
    return { kind: 'trigger', name: workspace, message: `The team has no workspace ${workspace}` }
  }
}

async function toolNeed(
  { database, mcp }: NeedDeps,
  teamId: string,
  reference: string,
  own: string,
): Promise<AgentNeed | undefined> {
  const [kind, name = ''] = reference.split(':')
  if (kind === 'tool') return registeredNeed(database, teamId, name)
  if (kind === 'mcp') return mcpNeed(mcp, teamId, name)
  if (kind !== 'agent' || name === own) return undefined
  try {
    await getAgent(database, teamId, name)
    return undefined
  } catch (error) {
    if (error instanceof CoherexError) return { kind: 'agent', name, message: `The team has no agent "${name}"` }
    throw error
  }
}

async function mcpNeed(mcp: NeedDeps['mcp'], teamId: string, named: string): Promise<AgentNeed | undefined> {
  const [server = '', tool] = named.split('/')
  const message = await mcp.refuses(teamId, { server, tool })
  return message === undefined ? undefined : { kind: 'mcp', name: named, message }
}

/** A tool that is named without a version must be published. */
async function registeredNeed(database: Database, teamId: string, named: string): Promise<AgentNeed | undefined> {
  const [name = '', version] = named.split('@')
  const message = await refuseTool(database, teamId, { name, version: version ? Number(version) : undefined })
  return message === undefined ? undefined : { kind: 'tool', name: named, message }
}

/** A skill may be the team's or lie in a workspace; either way a person must have approved it. */
async function skillNeeds(database: Database, teamId: string, names: readonly string[]): Promise<AgentNeed[]> {
  const active = await listActiveSkills(database, teamId, { names, most: names.length })
  const needs: AgentNeed[] = []
  for (const name of new Set(names)) {
    if (active.some((one) => one.name === name) || (await isInSomeWorkspace(database, teamId, name))) continue
    needs.push({ kind: 'skill', name, message: `The team has no approved skill "${name}"` })
  }
  return needs
}
