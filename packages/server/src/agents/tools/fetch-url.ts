import { CoherexError } from '@coherex/contract'
import { z } from 'zod'
import { checkUrl, EgressError, teamRules, type Egress } from '../../egress/index.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

const mostBytes = 1_000_000
const textual = /^(?:text\/|application\/(?:[\w.+-]*json|xml|javascript|yaml|x-yaml)|image\/svg)/i

/**
 * Reads from the addresses that the definition lists, through the guard; with an empty list it can read nothing. Where the
 * definition says so, a person can let it read another one.
 */
export function fetchUrlTool(
  egress: Egress,
  { allow, asksOutside }: { allow: readonly string[]; asksOutside: boolean },
): AgentTool {
  return defineTool({
    name: 'fetch_url',
    description: describe(allow, asksOutside),
    input: z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
    scope: 'run',
    isReadOnly: true,
    isOutside: ({ url }) => asksOutside && !isAllowed(url, allow),
    async run({ url }, { signal, isApproved }) {
      try {
        // approved is this address; where it leads on to is checked against the list like any other
        const rules = teamRules({ allow: isApproved && asksOutside ? [...allow, withoutQuery(url)] : allow })
        const caller = egress.outbound({ rules })
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

function describe(allow: readonly string[], asksOutside: boolean): string {
  const list = allow.length > 0 ? `Allowed addresses begin with: ${allow.join(', ')}` : 'No address is allowed'
  const others = asksOutside ? 'A person is asked about any other' : 'Any other is refused'
  return `Gets a text or JSON document over HTTP. ${list}. ${others}`
}

function isAllowed(url: string, allow: readonly string[]): boolean {
  try {
    checkUrl(new URL(url), teamRules({ allow }))
    return true
  } catch (error) {
    if (error instanceof EgressError) return false
    throw error
  }
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
