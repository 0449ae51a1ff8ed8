import { hasScope, type Scope } from '@coherex/contract'
import type { OpenCall } from '../turn/answer.ts'
import type { PlainCall } from '../turn/call.ts'
import type { AgentTool } from '../turn/tool.ts'
import { findAsking, type RuledBy } from './find-asking.ts'

// what was said in the conversation is looked up where a call is admitted
const nothingSaid = { wasApproved: false, isStanding: false }

/** The calls of a step that need no person and begin with it. */
export function findPlainCalls(
  calls: readonly OpenCall[],
  tools: readonly AgentTool[],
  { scopes, ...ruledBy }: RuledBy & { scopes: readonly Scope[] },
): PlainCall[] {
  return calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.tool)
    const parsed = tool?.input.safeParse(call.input)
    if (!tool || !parsed?.success || !hasScope(scopes, tool.scope)) return []
    const asking = findAsking(ruledBy, tool, { input: parsed.data, said: nothingSaid })
    if (asking) return []
    return { id: call.id, tool: tool.name, isReadOnly: tool.isReadOnly }
  })
}
