import type { InboxItem } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Time } from '../../ui/text/time.tsx'
import { kindWords, type InboxShow } from './inbox-kinds.ts'

interface InboxListProps {
  items: readonly InboxItem[]
  openId: string | undefined
  show: InboxShow | undefined
}

export function InboxList({ items, openId, show }: InboxListProps) {
  return (
    <ul aria-label="Inbox" className="flex flex-col">
      {items.map((item) => (
        <InboxRow key={item.id} item={item} isOpen={item.id === openId} show={show} />
      ))}
    </ul>
  )
}

function InboxRow({ item, isOpen, show }: { item: InboxItem; isOpen: boolean; show: InboxShow | undefined }) {
  const { id, kind, title, summary, at, where, count } = item
  const { label, icon: Icon, isFailure } = kindWords[kind]
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const place = where.workspace?.name ?? where.thread?.title
  return (
    <li className="border-b border-line">
      <Link
        ref={row}
        to="/inbox/$id"
        params={{ id }}
        search={show ? { show } : {}}
        aria-current={isOpen || undefined}
        className={classNames(
          'flex items-start gap-2.5 px-5 py-2.5 text-dense focus-visible:-outline-offset-2 max-md:px-4',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <Icon
          aria-label={label}
          className={classNames('mt-0.5 size-4 shrink-0', isFailure ? 'text-red' : 'text-amber')}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
            {count > 1 && (
              <span className="shrink-0 text-small text-muted">{count === 100 ? '100+' : count} times</span>
            )}
            <span className="shrink-0 text-small text-muted">
              <Time at={at} />
            </span>
          </span>
          {summary && (
            <span className={classNames('block truncate text-small text-muted', kind === 'approval' && 'font-mono')}>
              {summary}
            </span>
          )}
          {place && <span className="block truncate text-small text-muted">in {place}</span>}
        </span>
      </Link>
    </li>
  )
}
