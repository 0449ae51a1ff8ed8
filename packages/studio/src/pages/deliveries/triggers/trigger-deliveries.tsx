import type { Delivery } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deliveriesQuery } from '../../../data/delivery.ts'
import type { TriggerOwner } from '../../../data/library/trigger.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { OpeningLine } from '../../../ui/text/opening-line.tsx'
import { DeliveryDetails } from '../delivery-details.tsx'
import { deliveryStatus } from '../delivery-status.ts'

/** What the triggers were sent, newest first. */
export function TriggerDeliveries({ of }: { of: TriggerOwner }) {
  const deliveries = useQuery(deliveriesQuery(of))
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
          <StatusPill status={deliveryStatus(delivery)} />
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
