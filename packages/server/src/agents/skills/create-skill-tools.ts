import type { StoredAgent } from '../../registry/index.ts'
import type { Sandboxes } from '../../runs/index.ts'
import type { AgentTool, ToolContext } from '../turn/tool.ts'
import { layOutSkill } from './lay-out-skill.ts'
import { loadSkillTool } from './load-skill.ts'
import { listOfferedSkills, openSkill, type SkillDeps } from './offered-skills.ts'

// the tools whose code finds the files of a skill
const runsCode = new Set(['bash', 'run-code'])

/** The way to the skills of an agent: a tool to load them, where it has any. */
export function createSkillTools(
  deps: SkillDeps & { sandboxes: Sandboxes },
  sandboxOf: (context: ToolContext) => Promise<string>,
) {
  return async ({ definition }: StoredAgent, place: { teamId: string; workspaceId: string | null }) => {
    const offered = await listOfferedSkills(deps, definition, place)
    if (offered.length === 0) return []
    const { teamId } = place
    const made: AgentTool = loadSkillTool({
      offered,
      open: (name) => openSkill(deps, definition, { ...place, name }),
      ...(definition.tools?.some((tool) => runsCode.has(tool)) && {
        layOut: async (skill, context) =>
          layOutSkill(deps.sandboxes, { teamId, sandboxId: await sandboxOf(context) }, skill),
      }),
    })
    return [made]
  }
}
