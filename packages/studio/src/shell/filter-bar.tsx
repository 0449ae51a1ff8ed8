import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field/switch.tsx'
import { FilterChips } from '../ui/list/filter-chips.tsx'
import { FilterSelect } from '../ui/list/filter-select.tsx'
import { SearchInput } from '../ui/list/search-input.tsx'
import type { FilterChange } from './address-filters.ts'

/** A filter of a list: how it is chosen, and what its chip says while it is on. */
export type Filter<Name extends string> =
  | { kind: 'search'; key: Name; name: string; label: string; placeholder?: string }
  | {
      kind: 'select'
      key: Name
      name: string
      /** What it says while it filters nothing. */
      all: string
      values: readonly string[]
      /** Names of those values that are no words to show. */
      names?: Partial<Record<string, string>>
      /** Shown once somebody asks for more filters, or while it is on. */
      isRare?: boolean
    }
  | { kind: 'switch'; key: Name; name: string; label: string; value: string }

interface FilterBarProps<Filters extends object> {
  filters: readonly Filter<keyof Filters & string>[]
  /** As they stand in the address. */
  values: Filters
  onChange: (change: FilterChange<Filters>) => void
  onClear: () => void
}

/** The filters of a list, with a chip for each that is on. */
export function FilterBar<Filters extends object>({ filters, values, onChange, onClear }: FilterBarProps<Filters>) {
  const [more, setMore] = useState(false)
  const set = (key: string, value: unknown) => onChange({ [key]: value } as FilterChange<Filters>)
  const isRare = (filter: Filter<string>) => filter.kind === 'select' && filter.isRare === true
  const showsRare = more || filters.some((filter) => isRare(filter) && values[filter.key] !== undefined)
  const shown = filters.filter((filter) => showsRare || !isRare(filter))
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        {shown.map((filter) => (
          <Control
            key={filter.key}
            filter={filter}
            value={values[filter.key]}
            onChange={(value) => set(filter.key, value)}
          />
        ))}
        {shown.length < filters.length && (
          <Button look="quiet" icon={<ListFilter aria-hidden />} onClick={() => setMore(true)}>
            More filters
          </Button>
        )}
      </div>
      <FilterChips
        filters={filters.map((filter) => ({
          key: filter.key,
          name: filter.name,
          value: chipOf(filter, values[filter.key]),
        }))}
        onRemove={(key) => set(key, undefined)}
        onClear={onClear}
      />
    </div>
  )
}

interface ControlProps {
  filter: Filter<string>
  value: unknown
  onChange: (value: string | true | undefined) => void
}

function Control({ filter, value, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : undefined
  switch (filter.kind) {
    case 'search': {
      const { label, placeholder } = filter
      return <SearchInput label={label} {...(placeholder && { placeholder })} value={text ?? ''} onSearch={onChange} />
    }
    case 'select': {
      const { name, all, values, names } = filter
      // what is chosen stays in the list, also when it was deleted since
      const offered = text === undefined || values.includes(text) ? values : [...values, text]
      return (
        <FilterSelect
          label={name}
          all={all}
          value={text}
          values={offered}
          {...(names && { names })}
          onChange={onChange}
        />
      )
    }
    case 'switch':
      return (
        <Switch checked={value === true} onChange={(on) => onChange(on || undefined)}>
          {filter.label}
        </Switch>
      )
  }
}

function chipOf(filter: Filter<string>, value: unknown): string | undefined {
  if (filter.kind === 'switch') return value === true ? filter.value : undefined
  if (typeof value !== 'string') return undefined
  return filter.kind === 'select' ? (filter.names?.[value] ?? value) : value
}
