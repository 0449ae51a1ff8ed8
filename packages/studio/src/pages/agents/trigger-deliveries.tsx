import type { Delivery } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deliveriesQuery, deliveryQuery, useRedeliver } from '../../data/delivery.ts'
import { useRight } from '../../data/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { OpeningLine } from '../../ui/opening-line.tsx'
import { StatusPill, type Status } from '../../ui/pill.tsx'
import { toast } from '../../ui/toast.ts'

const turnStatuses: Record<string, Status> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  sleeping: 'sleeping',
  done: 'succeeded',
  failed: 'failed',
  stopped: 'cancelled',
}
const shownPayload = 20_000

/** What the triggers were sent, newest first. */
export function TriggerDeliveries({ agentName }: { agentName: string }) {
  const deliveries = useQuery(deliveriesQuery(agentName))
  const [open, setOpen] = useState<string>()
  return (
    <section aria-label="Deliveries">
      <h3 className="px-4 pt-4 pb-2 text-small font-medium text-muted">Last deliveries</h3>
      {deliveries.error && !deliveries.data && <ErrorState doing="load the deliveries" error={deliveries.error} />}
      {deliveries.data?.items.length === 0 && (
        <p className="px-4 pb-4 text-dense text-muted">Nothing came yet. “Test” fires a trigger by hand.</p>
      )}
      <ol>
        {deliveries.data?.items.map((delivery) => (
          <DeliveryLine
            key={delivery.id}
            delivery={delivery}
            isOpen={open === delivery.id}
            onToggle={() => setOpen(open === delivery.id ? undefined : delivery.id)}
          />
        ))}
      </ol>
    </section>
  )
}

function DeliveryLine({ delivery, isOpen, onToggle }: { delivery: Delivery; isOpen: boolean; onToggle: () => void }) {
  const { trigger, kind, receivedAt } = delivery
  return (
    <OpeningLine
      isOpen={isOpen}
      onToggle={onToggle}
      at={receivedAt}
      line={
        <>
          <StatusPill status={statusOf(delivery)} />
          <span className="min-w-0 flex-1 truncate">
            {trigger}
            {(kind === 'test' || kind === 'redelivery') && <span className="text-muted"> · {kind}</span>}
          </span>
        </>
      }
    >
      <DeliveryDetails delivery={delivery} />
    </OpeningLine>
  )
}

function statusOf({ status, turnStatus }: Delivery): Status {
  if (status === 'pending') return 'queued'
  if (status === 'failed') return 'failed'
  return status === 'refused' ? 'cancelled' : (turnStatuses[turnStatus ?? ''] ?? 'queued')
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { id, reason, threadId, tries } = delivery
  const full = useQuery(deliveryQuery(id))
  const redeliver = useRedeliver()
  const { may } = useRight('editor', 'redeliver')
  const payload = full.data?.payload
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-4 text-dense">
      {reason && <p className="text-amber">{reason}</p>}
      {tries > 1 && <p className="text-muted">Tried {tries} times</p>}
      {full.error && <ErrorState doing="load what was sent" error={full.error} />}
      {payload === null && <p className="text-muted">What was sent is no longer kept.</p>}
      {payload === '' && <p className="text-muted">Nothing was sent with it.</p>}
      {payload && <Code label="What was sent" text={formatPayload(payload)} />}
      {full.data?.answer && (
        <section aria-label="What it answered" className="border-l-2 border-line pl-3">
          <h4 className="text-small font-medium text-muted">Answer</h4>
          <p className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap">{full.data.answer}</p>
        </section>
      )}
      <div className="flex gap-2">
        {threadId && (
          <LinkButton to="/threads/$id" params={{ id: threadId }}>
            Open conversation
          </LinkButton>
        )}
        {may && (
          <Button
            busy={redeliver.isPending}
            onClick={() =>
              redeliver.mutate(
                { params: { id } },
                {
                  onSuccess: () => toast({ title: 'It was sent once more' }),
                  onError: (error) => toast({ title: 'It was not sent', description: error.message, tone: 'error' }),
                },
              )
            }
          >
            Redeliver
          </Button>
        )}
      </div>
    </div>
  )
}

function formatPayload(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownPayload)
  } catch {
    // not JSON: as it came
    return text.slice(0, shownPayload)
  }
}
