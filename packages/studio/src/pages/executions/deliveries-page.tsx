import type { Delivery, DeliveryStatus } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Webhook, X } from 'lucide-react'
import { useDeliveryList } from '../../data/delivery.ts'
import { useAgentList } from '../../data/library/agent.ts'
import { compactFilters, nameLike, oneOf, type FilterChange } from '../../shell/address-filters.ts'
import { FilterBar } from '../../shell/filter-bar.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { places } from '../../shell/places.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { useEscape } from '../../ui/state/use-escape.ts'
import { Time } from '../../ui/text/time.tsx'
import { DeliveryDetails } from '../deliveries/delivery-details.tsx'
import { deliveryStatus } from '../deliveries/delivery-status.ts'
import { KindChips } from './kind-chips.tsx'

// not the contract’s own list, which would bring its schemas into the first load
const deliveryStatuses: readonly DeliveryStatus[] = ['pending', 'started', 'failed', 'refused']

interface DeliveryFilters {
  status?: DeliveryStatus
  agent?: string
  open?: string
}

/** What the triggers of all agents were sent. */
export function DeliveriesPage() {
  const filters = parseDeliveryFilters(useSearch({ from: '/shell/team-places/executions' }))
  const { open, ...query } = filters
  const navigate = useNavigate()
  const roomy = useIsRoomy()
  const agents = useAgentList().items?.map(({ name }) => name) ?? []
  const deliveries = useDeliveryList(query)
  const change = (part: FilterChange<DeliveryFilters>) =>
    void navigate({ to: '/executions', search: addressOf({ ...filters, open: undefined, ...part }), replace: true })
  const clear = () => change({ status: undefined, agent: undefined })
  const close = () => change({})
  const shown = deliveries.items?.find(({ id }) => id === open)
  useEscape(close, roomy && shown !== undefined)
  return (
    <ListPage
      title="Executions"
      label="Deliveries"
      place={places.activity}
      description="Everything that schedules, webhooks and events sent to the team’s agents, and the executions they started."
      filters={
        <>
          <KindChips kind="deliveries" />
          <FilterBar
            filters={[
              { kind: 'select', key: 'status', name: 'Status', all: 'Any status', values: deliveryStatuses },
              {
                kind: 'select',
                key: 'agent',
                name: 'Agent',
                all: 'Any agent',
                values: agents,
                names: Object.fromEntries(agents.map((agent) => [agent, agent])),
              },
            ]}
            values={filters}
            onChange={change}
            onClear={clear}
          />
        </>
      }
      isFiltered={Object.keys(query).length > 0}
      onClear={clear}
      pages={deliveries}
      columns={columns}
      linkOf={({ id }) => ({ to: '/executions', search: addressOf({ ...filters, open: id }) })}
      onOpen={(id) => change({ open: id })}
      openKey={shown?.id}
      stickyHeader={roomy}
      detailsLabel="Delivery details"
      details={roomy && shown && <Details key={shown.id} delivery={shown} onClose={close} />}
      empty={{
        icon: Webhook,
        unmatched: 'No delivery matches the filters.',
        title: 'No deliveries yet',
        text: 'Give an agent a schedule, a webhook or an event to start on, and what it is sent is listed here.',
        action: <LinkButton to="/agents">Open agents</LinkButton>,
      }}
    >
      {!roomy && shown && (
        <Dialog open onClose={close} title={titleOf(shown)}>
          <DeliveryDetails delivery={shown} />
        </Dialog>
      )}
    </ListPage>
  )
}

function Details({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { turnId } = delivery
  return (
    <div className="overflow-y-auto">
      <header className="flex items-center gap-2 px-4 py-3">
        <h2 className="min-w-0 flex-1 truncate text-lead font-semibold">{titleOf(delivery)}</h2>
        {turnId && (
          <LinkButton to="/executions/$id" params={{ id: turnId }}>
            Open turn
          </LinkButton>
        )}
        <IconButton label="Close details" shortcut="escape" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <DeliveryDetails delivery={delivery} />
    </div>
  )
}

const addressOf = (filters: FilterChange<DeliveryFilters>) => ({ kind: 'deliveries', ...compactFilters(filters) })
const titleOf = ({ agent, tool, trigger }: Delivery) => `${trigger} of ${agent ?? tool}`

function parseDeliveryFilters(address: Record<string, unknown>): DeliveryFilters {
  return compactFilters<DeliveryFilters>({
    status: oneOf(deliveryStatuses, address['status']),
    agent: nameLike(/^[a-z0-9-]{1,64}$/, address['agent']),
    open: nameLike(/^dlv_\w+$/, address['open']),
  })
}

const columns: readonly Column<Delivery>[] = [
  { key: 'status', header: 'Status', cell: (delivery) => <StatusPill status={deliveryStatus(delivery)} /> },
  {
    key: 'what',
    header: 'What',
    isName: true,
    className: 'w-full max-w-0',
    cell: ({ agent, tool, trigger, reason }) => (
      <span className="block min-w-0">
        <span className="block truncate">
          <span className="font-medium">{agent ?? tool}</span> · {trigger}
        </span>
        {reason && <span className="block truncate text-small text-muted">{reason}</span>}
      </span>
    ),
  },
  { key: 'kind', header: 'Started by', from: 'sm', cell: ({ kind }) => kind },
  { key: 'when', header: 'When', align: 'right', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
]
