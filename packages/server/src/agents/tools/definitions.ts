import { agentDefinition, CoherexError, type AgentNeed, type DefinitionProblem } from '@coherex/contract'
import { z } from 'zod'
import { parseDefinition, type Registry } from '../../registry/index.ts'
import { templates } from '../templates/read-templates.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

const source = z.string().min(1).max(200_000).describe('The whole definition, as YAML')

/** Tools to build agents with. A definition that is not valid is never stored: the model is told where it is wrong. */
export function definitionTools(agents: Pick<Registry['agents'], 'findNeeds' | 'propose'>): AgentTool[] {
  return [
    defineTool({
      name: 'describe_definitions',
      description: 'Shows the JSON Schema of an agent definition and the templates to start from',
      input: z.strictObject({}),
      scope: 'read',
      isReadOnly: true,
      async run() {
        const schema = JSON.stringify(z.toJSONSchema(agentDefinition, { io: 'input' }))
        const examples = templates.map((template) => `# ${template.title}\n${template.source}`)
        return { text: `${examples.join('\n')}\n\nJSON Schema:\n${schema}` }
      },
    }),
    defineTool({
      name: 'draft_definition',
      description: 'Checks a definition and shows it to the person. Use it each time the definition grows',
      input: z.strictObject({ source }),
      scope: 'read',
      isReadOnly: true,
      async run(input, { caller }) {
        const { definition, problems } = parseDefinition(input.source)
        if (!definition) return { text: describeProblems(problems), data: { source: input.source, isValid: false } }
        const needs = await agents.findNeeds(caller.teamId, definition)
        return {
          text: `The definition is valid.${describeNeeds(needs)}`,
          data: { source: input.source, isValid: true },
        }
      },
    }),
    defineTool({
      name: 'save_agent',
      description:
        'Stores a valid definition, once the person has agreed to it. A new agent becomes a draft that a person activates; for one that is or was in use it is a proposal that a person accepts',
      input: z.strictObject({ source }),
      scope: 'write',
      isReadOnly: false,
      async run(input, { caller, agent, threadId, turnId }) {
        const { definition, problems } = parseDefinition(input.source)
        if (!definition) throw new CoherexError('invalid_input', `It was not saved. ${describeProblems(problems)}`)
        const author = { name: agent.name, threadId, turnId }
        const note = 'Written in a conversation'
        const { name, version, state } = await agents.propose(caller, { ...input, note, agent: author })
        const needs = await agents.findNeeds(caller.teamId, definition)
        const text =
          state === 'draft'
            ? `"${name}" is saved as version ${version}, a draft. A person activates it on its page under Agents.`
            : `Version ${version} of "${name}" is proposed, and what is in use stays. A person accepts or rejects it on its page under Agents.`
        const data = { source: input.source, isValid: true, saved: name, isProposed: state === 'proposed' }
        return { text: `${text}${describeNeeds(needs)}`, data }
      },
    }),
  ]
}

function describeProblems(problems: DefinitionProblem[]): string {
  const lines = problems.map(({ line, column, path, message, hint }) => {
    const where = line === undefined ? '' : `line ${line}, column ${column}: `
    return `- ${where}${[path, message].filter(Boolean).join(' ')}${hint ? ` (${hint})` : ''}`
  })
  return `The definition is not valid:\n${lines.join('\n')}`
}

function describeNeeds(needs: AgentNeed[]): string {
  if (needs.length === 0) return ''
  return ` It still needs:\n${needs.map(({ message }) => `- ${message}`).join('\n')}`
}
