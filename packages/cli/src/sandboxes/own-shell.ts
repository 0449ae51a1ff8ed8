import { routes } from '@coherex/contract'
import { collectPages } from '../collect-pages.ts'
import type { Connection } from '../connect.ts'

const name = 'Shell'
const mostLookedAt = 200

/** The sandbox for whoever wants a terminal and names none: their newest one of that name, or a new one. */
export async function ownShell({ client }: Pick<Connection, 'client'>): Promise<{ id: string; name: string }> {
  const { person } = await client(routes.signIn.me, {})
  const items = await collectPages((page) => client(routes.sandboxes.list, { query: page }), mostLookedAt)
  const own = items.find((one) => one.name === name && one.createdBy.id === person.id && one.status !== 'ended')
  return own ?? client(routes.sandboxes.create, { body: { name } })
}
