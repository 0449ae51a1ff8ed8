import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'
import { useExecutionList } from '../../data/execution.ts'
import { newestInboxQuery } from '../../data/inbox.ts'
import { useModelList } from '../../data/library/model.ts'
import { ownRunQuery } from '../../data/run/run-list.ts'
import { useSandboxList } from '../../data/sandbox.ts'
import { useThreadList } from '../../data/thread/thread-list.ts'
import { useWorkspaceList } from '../../data/workspace.ts'
import { Page } from '../../shell/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Together } from '../../ui/together.tsx'
import { ChatCard } from './chat-card.tsx'
import { NeedsYou } from './needs-you.tsx'
import { NoTeam } from './no-team.tsx'
import { Resume } from './resume.tsx'
import { RunningNow } from './running-now.tsx'

const Example = lazy(async () => ({ default: (await import('./example.tsx')).Example }))

export function HomePage() {
  const { person, team } = useMe()
  if (!team) return <NoTeam />
  return (
    <Page title={`Hello, ${person.name.split(' ')[0]}`} tabTitle="Home" wide>
      <Start key={team.id} personId={person.id} />
    </Page>
  )
}

/** Where one goes on: what needs a person, what runs, what was open last; and for a newcomer something to run. */
function Start({ personId }: { personId: string }) {
  const mayRun = useRight('editor', 'run code').may
  const ownRun = useQuery(ownRunQuery(personId))
  const models = useModelList()
  const inbox = useQuery(newestInboxQuery)
  const running = useExecutionList({ status: 'open' })
  const workspaces = useWorkspaceList({ archived: false })
  const threads = useThreadList({ mine: 'true', startedBy: 'person,key', limit: 10 })
  const sandboxes = useSandboxList(undefined)
  // the example stays when it has run: its output stands below it
  const [isNewcomer, setIsNewcomer] = useState<boolean>()
  if (isNewcomer === undefined && ownRun.data) setIsNewcomer(ownRun.data.items.length === 0)
  return (
    <Together queries={[ownRun, models, inbox, running, workspaces, threads, sandboxes]}>
      {isNewcomer && mayRun && (
        <Suspense fallback={<Skeleton className="h-72" />}>
          <Example />
        </Suspense>
      )}
      <ChatCard />
      <NeedsYou items={inbox.data?.items ?? []} hasMore={inbox.data?.nextCursor != null} />
      <RunningNow executions={running.items ?? []} />
      <Resume workspaces={workspaces.items} threads={threads.items} sandboxes={sandboxes.items} />
    </Together>
  )
}
