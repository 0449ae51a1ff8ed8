import { routes } from '@coherex/contract'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Origin } from '../../../access/index.ts'

/** What every request carries through the server. */
export interface Env {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    clientAddress: string | null
    /** The client's headers, with our own word on the client's address. */
    headers: Headers
    callerId?: string
    /** The path of the route that answers, with parameters as `{name}`. */
    route?: string
    body?: Promise<string>
  }
}

export function originOf(context: Context<Env>): Origin {
  const isCommandLine = context.req.header('user-agent')?.startsWith('coherex-cli') ?? false
  const door = context.req.path === routes.mcp.message.path ? 'mcp' : isCommandLine ? 'cli' : 'api'
  return { ip: context.get('clientAddress'), requestId: context.get('requestId'), door }
}
