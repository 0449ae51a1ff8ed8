import type { Author } from '@coherex/contract'
import type { Context } from 'hono'
import type { Caller } from '../../../access/index.ts'
import { originOf, type Env } from './request-context.ts'

/** Who a change of a workspace is by: the caller, or the agent that acts for them by its own word, which gives it less. */
export function authorOf({ person, via }: Caller, context: Context<Env>, agent?: string): Author {
  const door = via === 'session' ? 'studio' : (originOf(context).door ?? 'api')
  if (agent) return { kind: 'agent', id: `${person.id}/${agent}`, name: agent, door }
  return { kind: 'person', id: person.id, name: person.name, door }
}
