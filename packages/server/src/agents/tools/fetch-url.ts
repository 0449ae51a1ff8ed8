import { CoherexError } from '@coherex/contract'
import { z } from 'zod'
import { EgressError, teamRules, type Egress } from '../../egress/index.ts'
import { defineTool, type AgentTool } from './tool.ts'

const mostBytes = 1_000_000
const textual = /^(?:text\/|application\/(?:[\w.+-]*json|xml|javascript|yaml|x-yaml)|image\/svg)/i

/** Reads from the addresses that the definition lists, through the guard; with an empty list it can read nothing. */
export function fetchUrlTool(egress: Egress, allow: readonly string[]): AgentTool {
  return defineTool({
    name: 'fetch_url',
    description:
      allow.length > 0
        ? `Gets a text or JSON document over HTTP. Allowed addresses begin with: ${allow.join(', ')}`
        : 'Gets a document over HTTP. No address is allowed in this agent’s definition, so every call is refused',
    input: z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
    isReadOnly: true,
    async run({ url }, { signal }) {
      const caller = egress.caller({ rules: teamRules({ allow }) })
      try {
        const { status, headers, body, truncated } = await caller.fetch({ url, maxBytes: mostBytes }, signal)
        const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
        if (!textual.test(type))
          return { text: `${status} ${type || 'no type'}: ${body.length} bytes that are no text` }
        const text = new TextDecoder().decode(body)
        return { text: `${status} ${type}\n\n${text}${truncated ? '\n… cut at 1 MB' : ''}` }
      } catch (error) {
        if (error instanceof EgressError) throw new CoherexError('forbidden', error.message, { cause: error })
        throw error
      }
    },
  })
}
