import type { Session } from '@coherex/contract'
import { MonitorSmartphone } from 'lucide-react'
import { useSessionEnd, useSessionList } from '../../data/access/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Table, TableSkeleton, type Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { agentName } from '../../words/agent-name.ts'

export function SessionsCard() {
  const sessions = useSessionList()
  const end = useSessionEnd()

  const columns: Column<Session>[] = [
    {
      key: 'browser',
      header: 'Browser',
      cell: ({ userAgent, current }) => (
        <span className="flex items-center gap-2.5" title={userAgent ?? undefined}>
          <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-muted" />
          {agentName(userAgent)}
          {current && <Pill tone="green">this one</Pill>}
        </span>
      ),
    },
    {
      key: 'ip',
      header: 'Address',
      from: 'md',
      cell: ({ ip }) => <span className="text-muted">{ip ?? 'unknown'}</span>,
    },
    { key: 'since', header: 'Signed in', from: 'lg', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: 'seen', header: 'Last seen', from: 'sm', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    {
      key: 'actions',
      header: '',
      align: 'right',
      cell: ({ id, current, userAgent }) =>
        !current && (
          <Button
            size="small"
            busy={end.isPending && end.variables.params.id === id}
            onClick={() =>
              end.mutate(
                { params: { id } },
                {
                  onSuccess: () => toast({ title: `${agentName(userAgent)} is signed out` }),
                  onError: (error) => toast({ title: error.message, tone: 'error' }),
                },
              )
            }
          >
            End session
          </Button>
        ),
    },
  ]

  return (
    <Card title="Sessions" description="Browsers in which you are signed in." flush>
      {sessions.data ? (
        <Table label="Sessions" columns={columns} rows={sessions.data.items} rowKey={({ id }) => id} />
      ) : sessions.error ? (
        <ErrorState doing="load your sessions" error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <TableSkeleton columns={columns} rows={2} />
      )}
    </Card>
  )
}
