import type { StoredAgent } from '../../registry/index.ts'
import type { Sandboxes } from '../../runs/index.ts'
import type { AgentTool, ToolContext } from '../turn/tool.ts'
import { layOutSkill } from './lay-out-skill.ts'
import { loadSkillTool } from './load-skill.ts'
import { listOfferedSkills, openSkill, type SkillDeps, type SkillPlace } from './offered-skills.ts'

// the tools whose code finds the files of a skill
const runsCode = new Set(['bash', 'run-code'])

/** The way to the skills of an agent: a tool to load them, where it has any. */
export function createSkillTools(
  deps: SkillDeps & { sandboxes: Sandboxes },
  sandboxOf: (context: ToolContext) => Promise<string>,
) {
  return async ({ definition }: StoredAgent, { teamId, workspaceId, skill }: SkillPlace) => {
    const place = { teamId, workspaceId, skill }
    const offered = await listOfferedSkills(deps, definition, place)
    if (offered.length === 0) return []
    const made: AgentTool = loadSkillTool({
      offered,
      tried: skill?.name,
      open: (name) => openSkill(deps, definition, { ...place, name }),
      ...(definition.tools?.some((tool) => runsCode.has(tool)) && {
        layOut: async (skill, context) =>
          layOutSkill(deps.sandboxes, { teamId, sandboxId: await sandboxOf(context) }, skill),
      }),
    })
    return [made]
  }
}
