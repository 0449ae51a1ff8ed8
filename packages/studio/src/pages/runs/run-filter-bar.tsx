import { runStatuses } from '@coherex/contract'
import { languageNames } from '../../output/run-words.ts'
import type { FilterChange } from '../../shell/address-filters.ts'
import { FilterChips } from '../../ui/list/filter-chips.tsx'
import { FilterSelect } from '../../ui/list/filter-select.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { CodeFilterSelects } from './code-filter-selects.tsx'
import { changeRunFilters, type RunFilters } from './run-filters.ts'

interface RunFilterBarProps {
  filters: RunFilters
  onChange: (filters: RunFilters) => void
}

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  const set = (change: FilterChange<RunFilters>) => onChange(changeRunFilters(filters, change))
  const { search, status, language, runtime, mine } = filters
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput label="Search in the code" value={search ?? ''} onSearch={(text) => set({ search: text })} />
        <FilterSelect
          label="Status"
          all="Any status"
          value={status}
          values={runStatuses}
          onChange={(next) => set({ status: next })}
        />
        <CodeFilterSelects filters={filters} onChange={set} />
        <Switch checked={mine ?? false} onChange={(on) => set({ mine: on || undefined })}>
          Only mine
        </Switch>
      </div>
      <FilterChips
        filters={[
          { key: 'search', name: 'Code', value: search },
          { key: 'status', name: 'Status', value: status },
          { key: 'language', name: 'Language', value: language && languageNames[language] },
          { key: 'runtime', name: 'Runtime', value: runtime },
          { key: 'mine', name: 'By', value: mine && 'me' },
        ]}
        onRemove={(key) => set({ [key]: undefined })}
        onClear={() => onChange({})}
      />
    </div>
  )
}
