import { CoherexError, type AgentDefinition, type DefinitionProblem } from '@coherex/contract'
import { parseDefinition } from './parse-definition.ts'

export function requireDefinition(source: string): AgentDefinition {
  const { definition, problems } = parseDefinition(source)
  if (!definition) throw invalidDefinition(problems)
  return definition
}

export function invalidDefinition(problems: DefinitionProblem[]): CoherexError {
  const [first] = problems
  const where = first?.line ? `line ${first.line}: ` : ''
  const what = first ? [first.path, first.message].filter(Boolean).join(' ') : 'is not valid'
  return new CoherexError('invalid_input', `The definition is not valid: ${where}${what}`, { details: problems })
}
