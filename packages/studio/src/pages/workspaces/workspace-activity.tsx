import { useQuery } from '@tanstack/react-query'
import { runQuery } from '../../data/run/run-get.ts'
import { useWorkspaceRuns } from '../../data/run/run-list.ts'
import { useThreadList } from '../../data/thread/thread-list.ts'
import { ActivityIcon } from '../chat/activity-icon.tsx'
import { activityWords } from '../chat/thread-words.ts'

/** What is under way in a workspace. */
export function WorkspaceActivity({ id, onRuns, onAgent }: { id: string; onRuns: () => void; onAgent: () => void }) {
  return (
    <>
      <RunQueueStatus id={id} onOpen={onRuns} />
      <AgentStatus id={id} onOpen={onAgent} />
    </>
  )
}

/** Runs of the workspace that are under way or wait for a place. */
export function RunQueueStatus({ id, onOpen }: { id: string; onOpen: () => void }) {
  const runs = useWorkspaceRuns(id).items ?? []
  const running = runs.filter(({ status }) => status === 'running' || status === 'loading').length
  const queued = runs.filter(({ status }) => status === 'queued')
  // the one that waits longest is the next to begin
  const next = queued.at(-1)
  const position = useQuery({ ...runQuery(next?.id ?? ''), enabled: next !== undefined }).data?.position
  if (running + queued.length === 0) return null
  const words = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(queued.length > 0 ? [`${queued.length} waiting${position ? `, number ${position} in the queue` : ''}`] : []),
  ]
  return (
    <button type="button" title="Runs of this workspace" onClick={onOpen} className="shrink-0 hover:text-text">
      {words.join(', ')}
    </button>
  )
}

/** What the agents do that work with these files: the one that waits for a person first. */
export function AgentStatus({ id, onOpen }: { id: string; onOpen: () => void }) {
  const busy = useThreadList({}).items?.filter((one) => one.workspaceId === id && one.activity !== 'idle') ?? []
  const shown = busy.find(({ activity }) => activity === 'waiting') ?? busy[0]
  if (!shown) return null
  const words = shown.activity === 'waiting' ? 'waiting for approval' : activityWords[shown.activity].toLowerCase()
  return (
    <button
      type="button"
      title="Open the chat"
      onClick={onOpen}
      className="flex shrink-0 items-center gap-1.5 hover:text-text [&_svg]:size-3.5"
    >
      <ActivityIcon activity={shown.activity} />
      <span role="status">
        {shown.agent}: {words}
        {busy.length > 1 && `, and ${busy.length - 1} more`}
      </span>
    </button>
  )
}
