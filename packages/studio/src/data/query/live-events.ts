import { backoff, changesUnknown, socketClose, type ChangeEvent } from '@coherex/contract'
import type { QueryClient } from '@tanstack/react-query'
import { refetchAll, refetchNouns } from './noun.ts'

interface LiveEventsOptions {
  queryClient: QueryClient
  onConnection: (connected: boolean) => void
}

const waits = { firstMs: 1_000, longestMs: 15_000 }

/** Listens for what changed on the server and fetches what is shown of it. Returns how to stop. */
export function listenToChanges({ queryClient, onConnection }: LiveEventsOptions): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false

  function connect() {
    // the server tells what changed since the oldest answer that is shown: nothing is asked for twice
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/events?age=${ageOfAnswers(queryClient)}`)
    socket.onopen = () => {
      // what changed while the line was lost is unknown
      if (failures > 0) void refetchAll(queryClient)
      failures = 0
      onConnection(true)
    }
    socket.onmessage = ({ data }) => {
      const event = parseEvent(data)
      if (event?.type === changesUnknown) void refetchAll(queryClient)
      else if (event) void refetchNouns(queryClient, nounsOf(event), event.id)
    }
    socket.onclose = ({ code }) => {
      if (stopped) return
      // signed out, moved to another team, or only the network: who is asking must be asked again
      void queryClient.invalidateQueries({ queryKey: ['me'] })
      failures = code === socketClose.stopping ? 1 : failures + 1
      if (failures > 1) onConnection(false)
      timer = setTimeout(connect, backoff(failures, waits) * (0.5 + Math.random() / 2))
    }
  }

  connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    socket?.close()
  }
}

// an answer is this much older than the moment it came, at the most
const wayMs = 1_000

/** In milliseconds. */
function ageOfAnswers(queryClient: QueryClient): number {
  const times = queryClient
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.dataUpdatedAt || Date.now())
  return Math.max(0, Date.now() - Math.min(Date.now(), ...times)) + wayMs
}

function nounsOf({ type }: ChangeEvent): string[] {
  switch (type) {
    // a change of members or of the team can be a change of what I am and may do
    case 'member':
    case 'team':
      return [type, 'me']
    // a key that comes or goes changes which models there are, and what agents lack
    case 'secret':
    case 'model':
      return ['model', 'agent', type]
    // turns and runs are also in the list of both
    case 'run':
      return [type, 'execution']
    // a turn that is stopped or goes on elsewhere takes its questions back, or has new ones
    case 'thread':
      return [type, 'execution', 'approval', 'inbox']
    // what waits for a person is also in the inbox
    case 'approval':
    case 'proposal':
    case 'agent':
    case 'skill':
    case 'tool':
    case 'delivery':
      return [type, 'inbox']
    // `file-changed` is for those who see each key press: reading a file that is being typed in would cut the typing into versions
    case 'version-made':
      // what a proposal would do depends on the file as it is now
      return ['version', 'file', 'workspace', 'proposal']
    default:
      return [type]
  }
}

function parseEvent(data: unknown): ChangeEvent | undefined {
  try {
    const event = JSON.parse(String(data)) as Partial<ChangeEvent> | null
    return typeof event?.type === 'string' ? { type: event.type, id: event.id ?? null } : undefined
  } catch {
    // not one of ours; the next one will be
    return undefined
  }
}
