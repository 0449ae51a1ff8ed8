import type { AuditEvent } from '@coherex/contract'
import { Filter, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useEscape } from '../../../ui/state/use-escape.ts'
import { Code } from '../../../ui/text/code.tsx'
import { ShortId } from '../../../ui/text/copy.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { exactTime, relativeTime } from '../../../words/relative-time.ts'
import type { AuditFilters } from './audit-filters.ts'
import { deedOf, objectOf } from './audit-words.ts'

interface AuditEventDetailsProps {
  event: AuditEvent
  onFilter: (part: AuditFilters) => void
}

export function AuditEventDetails({ event, onFilter }: AuditEventDetailsProps) {
  const { id, at, actor, action, target, details, ip, requestId } = event
  return (
    <div className="flex flex-col gap-5">
      <p className="text-body">
        <span className="font-medium">{actor.name}</span> <span className="text-muted">{deedOf(action)}</span>{' '}
        <span className="font-medium break-words">{objectOf(event)}</span>
      </p>
      <dl className="grid grid-cols-[96px_1fr] items-baseline gap-x-3 gap-y-2 text-dense">
        <Line name="When">
          {exactTime(at)} <span className="text-muted">({relativeTime(at, Date.now())})</span>
        </Line>
        <Line name="Action">
          <code className="text-small">{action}</code>
        </Line>
        <Line name="Who">
          {actor.name} <span className="text-muted">({actor.kind})</span> {actor.id && <ShortId id={actor.id} />}
        </Line>
        {target && (
          <Line name="On what">
            {target.name ?? target.kind} <span className="text-muted">({target.kind})</span>{' '}
            {target.id && <ShortId id={target.id} />}{' '}
            {target.kind === 'run' && target.id && (
              <TextLink to="/runs/$id" params={{ id: target.id }}>
                Open the run
              </TextLink>
            )}
          </Line>
        )}
        <Line name="From">{ip ?? 'the server itself'}</Line>
        {requestId && (
          <Line name="Request">
            <ShortId id={requestId} className="-ml-1" />
          </Line>
        )}
        <Line name="Event">
          <ShortId id={id} className="-ml-1" />
        </Line>
      </dl>
      {Object.keys(details).length > 0 && (
        <div>
          <h3 className="mb-1.5 text-dense font-medium">Details</h3>
          <Code label="Details as JSON" text={JSON.stringify(details, null, 2)} />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Filter aria-hidden />} onClick={() => onFilter({ action })}>
          Only this action
        </Button>
        {actor.id && (
          <Button size="small" icon={<Filter aria-hidden />} onClick={() => onFilter({ actorId: actor.id ?? '' })}>
            Only {actor.name}
          </Button>
        )}
      </div>
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

/** The details beside the list. Escape closes them. */
export function AuditEventPanel({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useEscape(onClose, true)
  return (
    <div className="overflow-y-auto px-5 py-3">
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-dense font-medium text-muted">Event</h2>
        <IconButton
          label="Close details"
          shortcut="escape"
          icon={<X aria-hidden />}
          className="-mr-2"
          onClick={onClose}
        />
      </div>
      {children}
    </div>
  )
}
