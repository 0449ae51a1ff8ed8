import { useQuery } from '@tanstack/react-query'
import { deliveryQuery } from '../../../data/delivery.ts'
import { DeliveryDetails } from '../../deliveries/delivery-details.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function FailedTriggerItem({ item: { id, title, count }, onDecided }: ItemProps) {
  return (
    <Loaded query={useQuery(deliveryQuery(id))} what="the delivery">
      {(delivery) => (
        <>
          <div className="px-4 pt-4 pb-2 text-dense">
            <h2 className="text-body font-semibold">{title}</h2>
            {count > 1 && (
              <p className="text-muted">
                This is the last of {count === 100 ? 'more than 100' : count} failures. Dismissing takes all of them
                away.
              </p>
            )}
          </div>
          <DeliveryDetails delivery={delivery} onRedelivered={onDecided} />
        </>
      )}
    </Loaded>
  )
}
