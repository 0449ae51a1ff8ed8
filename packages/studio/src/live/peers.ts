import type { Awareness } from 'y-protocols/awareness'

/** Another window at the same workspace: a person's, or where an agent wrote last. */
export interface Peer {
  client: number
  id: string
  name: string
  color: string
  isAgent: boolean
  isMe: boolean
  file: string | undefined
  /** Two relative positions as JSON, in the text of the file. */
  selection: { anchor: unknown; head: unknown } | undefined
}

const plainColor = '#64748b'

/** Who else is here, as the server says. What a client says of itself is never taken for granted. */
export function peersOf(awareness: Awareness, me: string): Peer[] {
  return [...awareness.getStates()].flatMap(([client, state]) => {
    const peer = client === awareness.clientID ? undefined : readPeer(client, state, me)
    return peer ? [peer] : []
  })
}

function readPeer(client: number, state: Record<string, unknown>, me: string): Peer | undefined {
  const { user, file, selection } = state
  if (!isRecord(user) || typeof user['id'] !== 'string' || typeof user['name'] !== 'string') return undefined
  const { id, name, color } = user
  return {
    client,
    id,
    name,
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/.test(color) ? color : plainColor,
    isAgent: user['kind'] === 'agent',
    isMe: id === me,
    file: typeof file === 'string' ? file : undefined,
    selection: isRecord(selection) ? { anchor: selection['anchor'], head: selection['head'] } : undefined,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
