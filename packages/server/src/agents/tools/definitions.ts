import {
  agentDefinition,
  CoherexError,
  type AgentDefinition,
  type AgentNeed,
  type DefinitionProblem,
} from '@coherex/contract'
import { z } from 'zod'
import { createAgent, getAgent, parseDefinition, putAgent, type AgentStore } from '../../registry/index.ts'
import { templates } from '../templates/read-templates.ts'
import { defineTool, type AgentTool, type ToolContext } from './tool.ts'

const source = z.string().min(1).max(200_000).describe('The whole definition, as YAML')

/** Tools to build agents with. A definition that is not valid is never stored: the model is told where it is wrong. */
export function definitionTools(store: AgentStore): AgentTool[] {
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
        const needs = await store.findNeeds(caller.teamId, definition)
        return {
          text: `The definition is valid.${describeNeeds(needs)}`,
          data: { source: input.source, isValid: true },
        }
      },
    }),
    defineTool({
      name: 'save_agent',
      description:
        'Stores a valid definition, once the person has agreed to it. An agent of that name gets a new version',
      input: z.strictObject({ source }),
      scope: 'write',
      isReadOnly: false,
      async run(input, context) {
        const { definition, problems } = parseDefinition(input.source)
        if (!definition) throw new CoherexError('invalid_input', `It was not saved. ${describeProblems(problems)}`)
        const saved = await save(store, context, definition, input.source)
        const needs = await store.findNeeds(context.caller.teamId, definition)
        const text = `"${saved.name}" is saved as version ${saved.version} and is ${saved.status}.${describeNeeds(needs)}`
        return { text, data: { source: input.source, isValid: true, saved: saved.name } }
      },
    }),
  ]
}

/** What starts by itself takes a person to activate it: a conversation could have been talked into it. */
async function save(
  store: AgentStore,
  { caller }: ToolContext,
  { name, triggers = [] }: AgentDefinition,
  text: string,
) {
  const before = await getAgent(store.database, caller.teamId, name).catch((error: unknown) => {
    if (error instanceof CoherexError && error.code === 'not_found') return undefined
    throw error
  })
  const note = 'Built in a conversation'
  const hasTriggers = triggers.length > 0
  if (!before || before.isBuiltIn) {
    return createAgent(store, caller, { source: text, note, ...(hasTriggers && { status: 'draft' }) })
  }
  if (hasTriggers && before.status === 'active') {
    throw new CoherexError(
      'conflict',
      `"${name}" is active and would have triggers: a person has to store that, or pause the agent first`,
    )
  }
  return putAgent(store, caller, name, { source: text, note })
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
