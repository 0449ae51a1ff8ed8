import { CoherexError, skillName } from '@coherex/contract'
import { z } from 'zod'
import { byPath, instructionsPath, readText } from '../../registry/index.ts'
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from '../turn/tool.ts'
import { describeSkills } from './describe-skills.ts'
import type { OfferedSkill, OpenedSkill } from './offered-skills.ts'

export interface LoadSkill {
  /** What the agent is told of when the turn begins. */
  offered: readonly OfferedSkill[]
  /** The one that the person tries. */
  tried?: string | undefined
  /** A skill that the agent may have now. */
  open(name: string): Promise<OpenedSkill | undefined>
  /** Puts the files where the agent's code runs and answers where; absent for agents that run no code. */
  layOut?(skill: OpenedSkill, context: ToolContext): Promise<string>
}

/** Skills on demand: first the instructions, then files of it that they name; scripts run in the thread's sandbox. */
export function loadSkillTool({ offered, tried, open, layOut }: LoadSkill): AgentTool {
  return defineTool({
    name: 'load_skill',
    description:
      'Loads a skill: its instructions, a list of its files, and the files themselves into your sandbox. With a path it reads one of the files instead',
    guidance: describeSkills(offered, tried),
    input: z.strictObject({
      name: skillName,
      path: z.string().min(1).max(200).optional().describe('A file of the skill, such as references/tables.md'),
    }),
    scope: 'read',
    isReadOnly: true,
    async run({ name, path }, context) {
      const skill = await open(name)
      if (!skill) {
        const names = offered.map((one) => one.name).join(', ')
        throw new CoherexError('not_found', `You have no skill "${name}". You have: ${names || 'none'}`)
      }
      if (path !== undefined && path !== instructionsPath) return readSkillFile(skill, path)
      const hasFiles = skill.content.size > 1
      const place = hasFiles && layOut ? await layOut(skill, context) : undefined
      return describeSkill(skill, place)
    },
  })
}

function describeSkill({ name, version, content, body }: OpenedSkill, place: string | undefined): ToolOutput {
  const files = [...content].sort(byPath).filter(([path]) => path !== instructionsPath)
  const where = place
    ? `Its files are in your sandbox in ${place}, read-only; run its scripts there, such as: cd ${place} && ls`
    : 'Read its files with load_skill and their path'
  const listed = files.map(([path, { length }]) => `- ${path} (${length} bytes)`)
  const from = version === null ? 'of this workspace' : `version ${version}`
  const head = [`Skill ${name}, ${from}.`, ...(files.length > 0 ? [`${where}:`, ...listed] : [])]
  return { text: `${head.join('\n')}\n\n${body.trim()}`, data: { skill: name, version } }
}

function readSkillFile({ name, content }: OpenedSkill, path: string): ToolOutput {
  const bytes = content.get(path)
  if (!bytes) {
    const paths = [...content.keys()].sort().join(', ')
    throw new CoherexError('not_found', `The skill "${name}" has no file "${path}". It has: ${paths}`)
  }
  return { text: readText(bytes) ?? `${path} is no text: ${bytes.length} bytes` }
}
