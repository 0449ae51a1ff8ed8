import { CoherexError, skillLimits, skillName } from '@coherex/contract'
import { z } from 'zod'
import { describeProblem, fromGivenFiles, parseSkill, type Registry } from '../../registry/index.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

/** An agent writes a skill down. Nobody gets it, this agent neither, until a person has approved it. */
export function proposeSkillTool(skills: Pick<Registry['skills'], 'propose'>): AgentTool {
  return defineTool({
    name: 'propose_skill',
    description:
      'Proposes a skill to the team, or a new version of one: SKILL.md (front matter with name and description between two lines ---, then instructions) and files beside it. A person decides whether agents get it',
    input: z.strictObject({
      name: skillName,
      files: z
        .array(z.strictObject({ path: z.string().min(1).max(200), content: z.string().max(skillLimits.fileBytes) }))
        .min(1)
        .max(skillLimits.files),
      note: z.string().max(500).default('').describe('Why, for the person who decides'),
    }),
    scope: 'write',
    isReadOnly: false,
    async run({ name, files, note }, { caller, agent, threadId, turnId }) {
      const content = fromGivenFiles(Object.fromEntries(files.map((file) => [file.path, file.content])))
      const { problems, warnings } = parseSkill(content, name)
      if (problems.length > 0) {
        const lines = problems.map((problem) => `- ${describeProblem(problem)}`)
        throw new CoherexError('invalid_input', `It was not proposed. The skill is not valid:\n${lines.join('\n')}`)
      }
      const author = { name: agent.name, threadId, turnId }
      const version = await skills.propose(caller, { name, files: content, note, agent: author })
      const told = warnings.map((warning) => `\n- ${describeProblem(warning)}`).join('')
      const text = `"${name}" is proposed as version ${version}. A person decides under Skills whether agents get it.${told && ` Worth knowing:${told}`}`
      return { text, data: { skill: name, version, isProposed: true } }
    },
  })
}
