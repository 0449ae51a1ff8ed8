import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

interface NamedCall {
  id: string
  messageId: string
  callId: string
}

/** The view of a call. */
export const appQuery = (named: NamedCall) =>
  queryOptions({
    queryKey: ['mcp-server', 'app', named.messageId, named.callId],
    queryFn: ({ signal }) => call(routes.threads.app, { params: { ...named } }, { signal }),
    // its server is asked by calls, not by looks
    staleTime: Infinity,
  })

const lookAgainMs = 2_000

/** A call that a view asks for. Where a person is asked first, it takes until they have answered. */
export async function callFromApp(
  named: NamedCall,
  { tool, input }: { tool: string; input: Record<string, unknown> },
  signal: AbortSignal,
): Promise<object> {
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
  for (;;) {
    const body = { id, tool, input: input as never }
    const answer = await call(routes.threads.callFromApp, { params: { ...named }, body }, { signal })
    if (answer.status === 'done') return answer.result
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
    signal.throwIfAborted()
  }
}
