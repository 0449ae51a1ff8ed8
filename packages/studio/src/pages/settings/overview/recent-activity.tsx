import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useAuditList } from '../../../data/access/audit.ts'
import { useRight } from '../../../data/access/rights.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { deedOf, objectOf } from '../audit/audit-words.ts'

const shown = 6

/** The last changes in the team, for those who may read the audit log. */
export function RecentActivity() {
  const right = useRight('admin', 'read the audit log')
  const events = useAuditList({ limit: shown, enabled: right.may })
  if (!right.may) return null
  return (
    <Card
      flush
      title="Recent activity"
      actions={
        <span className="text-dense">
          <TextLink to="/settings/audit">Audit log</TextLink>
        </span>
      }
    >
      {events.items ? (
        events.items.length > 0 ? (
          <ul>
            {events.items.slice(0, shown).map(({ id, actor, action, target, at }) => (
              <li key={id} className="border-b border-line last:border-0">
                <Link
                  to="/settings/audit"
                  search={{ event: id }}
                  className="flex h-11 items-center gap-2.5 px-5 text-dense transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
                >
                  <Avatar name={actor.name} size="small" />
                  <span className="min-w-0 flex-1 truncate">
                    <span className="font-medium">{actor.name}</span>{' '}
                    <span className="text-muted">{deedOf(action)}</span> {objectOf({ actor, target })}
                  </span>
                  <span className="text-muted">
                    <Time at={at} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <Empty icon={History} title="Nothing happened yet">
            Changes in the team show up here.
          </Empty>
        )
      ) : events.error ? (
        <ErrorState doing="load the recent activity" error={events.error} onRetry={() => void events.refetch()} />
      ) : (
        <Waiting label="Loading">
          {Array.from({ length: 4 }, (_, index) => (
            <div key={index} className="flex h-11 items-center gap-2.5 border-b border-line px-5 last:border-0">
              <Skeleton className="size-5" />
              <Skeleton className="h-3 w-72" />
            </div>
          ))}
        </Waiting>
      )}
    </Card>
  )
}
