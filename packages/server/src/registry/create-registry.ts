import type { Workspaces } from '../workspaces/index.ts'
import type { AgentDeps } from './agents/agent-kind.ts'
import { createAgentRegistry } from './agents/create-agent-registry.ts'
import type { DefinitionDeps } from './definition/create-definitions.ts'
import { createSkillRegistry } from './skills/create-skill-registry.ts'
import { createToolRegistry, type ToolDeps } from './tools/create-tool-registry.ts'

export type Registry = ReturnType<typeof createRegistry>

/** Definitions by name and version. A verb that changes one writes the audit log and tells the event itself. */
export function createRegistry(deps: DefinitionDeps & AgentDeps & ToolDeps & { workspaces: Workspaces }) {
  return { agents: createAgentRegistry(deps), skills: createSkillRegistry(deps), tools: createToolRegistry(deps) }
}
