import { hasScope, type Scope } from '@coherex/contract'
import type { StoredAgent } from '../../registry/index.ts'
import type { OpenCall } from '../loop/answer.ts'
import type { AgentTool, AskingChain } from '../tools/tool.ts'
import { findAsking } from './find-rule.ts'
import { forcedRules } from './forced-rules.ts'

/** A call that the definition asks nobody about. */
export interface PlainCall {
  id: string
  tool: string
  reference: string | null
  isReadOnly: boolean
}

/** The calls of a step that can begin with it, unless the team's rules say otherwise: those are looked at where they are kept. */
export function findPlainCalls(
  calls: readonly OpenCall[],
  tools: readonly AgentTool[],
  { agent, chain, scopes }: { agent: StoredAgent; chain: AskingChain; scopes: readonly Scope[] },
): PlainCall[] {
  const { definition } = agent
  const rules = [definition.approvals, forcedRules(definition, chain.agents)]
  return calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.tool)
    const parsed = tool?.input.safeParse(call.input)
    if (!tool || !parsed?.success || !hasScope(scopes, tool.scope)) return []
    const asking = findAsking(rules, tool, { input: parsed.data, wasApprovedHere: false })
    if (asking) return []
    return { id: call.id, tool: tool.name, reference: tool.reference ?? null, isReadOnly: tool.isReadOnly }
  })
}
