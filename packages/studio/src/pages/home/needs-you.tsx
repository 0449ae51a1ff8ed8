import type { InboxItem } from '@coherex/contract'
import { Inbox } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { HomeLine } from './home-line.tsx'

const shown = 3

/** The top of the inbox; nothing while nothing waits. */
export function NeedsYou({ items, hasMore }: { items: readonly InboxItem[]; hasMore: boolean }) {
  if (items.length === 0) return null
  return (
    <Card
      flush
      title="Needs you"
      actions={
        <span className="text-dense">
          <TextLink to="/inbox">
            Inbox ({items.length}
            {hasMore && '+'})
          </TextLink>
        </span>
      }
    >
      <ul>
        {items.slice(0, shown).map(({ id, title, summary, at }) => (
          <HomeLine
            key={id}
            link={{ to: '/inbox/$id', params: { id } }}
            icon={<Inbox aria-hidden />}
            end={<Time at={at} />}
          >
            <span className="font-medium">{title}</span> <span className="text-muted">{summary}</span>
          </HomeLine>
        ))}
      </ul>
    </Card>
  )
}
