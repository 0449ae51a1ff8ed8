import type { ZodError } from 'zod'
import type { AgentTool } from '../turn/tool.ts'

/** What is wrong with the arguments of a call, for the model that made it. */
export function describeProblems({ issues }: ZodError): string {
  const problems = issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return `The arguments are not valid. ${problems.slice(0, 10).join('; ')}`
}

export function describeUnknownTool(name: string, tools: readonly AgentTool[]): string {
  return `There is no tool "${name}". There are: ${tools.map((tool) => tool.name).join(', ')}`
}

/** Why a call could not be read. What is no JSON comes as the text it was. */
export function describeUnreadable(
  { toolName, input, errorText }: { toolName: string; input: unknown; errorText: string },
  tools: readonly AgentTool[],
): string {
  const tool = tools.find(({ name }) => name === toolName)
  if (!tool) return describeUnknownTool(toolName, tools)
  if (typeof input === 'string') return `The arguments are no JSON: ${input.slice(0, 200)}`
  const { error } = tool.input.safeParse(input)
  return error ? describeProblems(error) : errorText.slice(0, 2_000)
}
