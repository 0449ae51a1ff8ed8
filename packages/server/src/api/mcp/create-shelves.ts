import type { Registry } from '../../registry/index.ts'
import { agentTools, type AgentToolsDeps } from './agent-tools.ts'
import { codeTools, type CodeToolsDeps } from './code-tools.ts'
import { publishedTools, type PublishedToolsDeps } from './published-tools.ts'
import type { Shelf } from './shelf.ts'
import { skillPrompts } from './skill-prompts.ts'
import { workspaceResources } from './workspace-resources.ts'
import { workspaceTools } from './workspace-tools.ts'

type ShelvesDeps = Omit<PublishedToolsDeps & CodeToolsDeps & AgentToolsDeps, 'registry'> & { registry: Registry }

/** What the product offers to clients of MCP. */
export function createShelves(deps: ShelvesDeps): Shelf[] {
  return [
    codeTools(deps),
    workspaceTools(deps.workspaces),
    agentTools(deps),
    publishedTools(deps),
    workspaceResources(deps.workspaces),
    skillPrompts(deps.registry),
  ]
}
