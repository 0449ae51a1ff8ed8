import { agentDefinition, builtInTools, type AgentDefinition } from '@coherex/contract'
import { EgressError, teamRules } from '../../egress/index.ts'
import { nearestWord } from '../definition/nearest-word.ts'
import { lowerFirst, parseText, type ParsedText } from '../definition/parse-text.ts'
import type { ReadDocument } from '../definition/read-document.ts'
import { refusedSchedules } from './schedule.ts'

export function parseDefinition(source: string): ParsedText<AgentDefinition> {
  return parseText(source, {
    schema: agentDefinition,
    begin: 'kind: agent',
    refuse: (definition) => [...refusedAddresses(definition), ...refusedSchedules(definition)],
    hintFor,
  })
}

/** Prefixes that the guard would refuse: one that names no host would open every address at once. */
function refusedAddresses({ network }: AgentDefinition): { path: PropertyKey[]; message: string }[] {
  return (network?.allow ?? []).flatMap((allow, index) => {
    try {
      teamRules({ allow: [allow] })
      return []
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      return [{ path: ['network', 'allow', index], message: lowerFirst(error.message) }]
    }
  })
}

function hintFor(path: PropertyKey[], valueAt: ReadDocument['valueAt']): string | undefined {
  const [place] = path
  const tool = place === 'tools' ? valueAt(path) : place === 'approvals' ? path[1] : undefined
  const guess = typeof tool === 'string' && nearestWord(tool, builtInTools)
  if (guess && guess !== tool) return `Did you mean “${guess}”?`
  return hints[path.map(String).join('.')]
}

const hints: Record<string, string> = {
  kind: 'The first line is “kind: agent”',
  model: 'For example anthropic/claude-sonnet-5, or compatible/<model> for a server of yours',
  name: 'For example data-analyst',
}
