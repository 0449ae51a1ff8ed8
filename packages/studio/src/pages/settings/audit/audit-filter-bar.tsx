import type { AuditEvent } from '@coherex/contract'
import { compactFilters, type FilterChange } from '../../../shell/address-filters.ts'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { Chip } from '../../../ui/list/chip.tsx'
import { SearchInput } from '../../../ui/list/search-input.tsx'
import { hasFilters, lastDays, type AuditFilters } from './audit-filters.ts'
import { auditNouns } from './audit-words.ts'

interface AuditFilterBarProps {
  filters: AuditFilters
  onChange: (filters: AuditFilters) => void
  /** What is shown now: the names of actors come from it. */
  events: readonly AuditEvent[]
}

export function AuditFilterBar({ filters, onChange, events }: AuditFilterBarProps) {
  // another choice closes the event that was open
  const set = (change: FilterChange<AuditFilters>) =>
    onChange(compactFilters<AuditFilters>({ ...filters, event: undefined, ...change }))
  const noun = auditNouns.find(({ value }) => value === filters.action)
  const { action, actorId, from, to } = filters
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search the audit log"
          placeholder="Person, action or thing"
          value={filters.search ?? ''}
          onSearch={(search) => set({ search })}
        />
        <Select
          label="Kind of action"
          className="w-36!"
          value={noun?.value ?? 'all'}
          choices={auditNouns}
          onChange={(next) => set({ action: next === 'all' ? undefined : next })}
        />
        <div className="flex items-center gap-1.5">
          <Input
            type="date"
            aria-label="From day"
            className="w-36!"
            value={from ?? ''}
            max={to}
            onChange={(event) => set({ from: event.target.value })}
          />
          <span className="text-muted">–</span>
          <Input
            type="date"
            aria-label="To day"
            className="w-36!"
            value={to ?? ''}
            min={from}
            onChange={(event) => set({ to: event.target.value })}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {[
          { label: 'Today', days: 1 },
          { label: 'Last 7 days', days: 7 },
          { label: 'Last 30 days', days: 30 },
        ].map(({ label, days }) => (
          <Button
            key={label}
            size="small"
            look="quiet"
            className="-ml-1"
            onClick={() => set(lastDays(days, new Date()))}
          >
            {label}
          </Button>
        ))}
        {action && <Chip name="Action" value={noun?.label ?? action} onRemove={() => set({ action: undefined })} />}
        {actorId && (
          <Chip
            name="Who"
            value={events.find(({ actor }) => actor.id === actorId)?.actor.name ?? actorId}
            onRemove={() => set({ actorId: undefined })}
          />
        )}
        {(from ?? to) && (
          <Chip name="Days" value={daysInWords(from, to)} onRemove={() => set({ from: undefined, to: undefined })} />
        )}
        {filters.search && <Chip name="Search" value={filters.search} onRemove={() => set({ search: undefined })} />}
        {hasFilters(filters) && (
          <Button size="small" look="quiet" onClick={() => onChange({})}>
            Clear all
          </Button>
        )}
      </div>
    </div>
  )
}

function daysInWords(from: string | undefined, to: string | undefined): string {
  if (from && to) return from === to ? from : `${from} to ${to}`
  return from ? `from ${from}` : `up to ${to}`
}
