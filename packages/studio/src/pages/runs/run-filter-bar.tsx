import { languages, runStatuses, runtimeNames } from '@coherex/contract'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Select, withAll } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { changeRunFilters, hasRunFilters, type RunFilters } from './run-filters.ts'
import { languageNames } from './run-words.ts'

interface RunFilterBarProps {
  filters: RunFilters
  onChange: (filters: RunFilters) => void
}

// what runs here; the others are not there yet
export const usedRuntimes = runtimeNames.filter((name) => name === 'isolate' || name === 'process')

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  const set = (part: Parameters<typeof changeRunFilters>[1]) => onChange(changeRunFilters(filters, part))
  const { status, language, runtime, mine, search } = filters
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search in the code"
          value={filters.search ?? ''}
          onSearch={(text) => set({ search: text || undefined })}
        />
        <Select
          label="Status"
          className="w-36!"
          value={status ?? 'all'}
          choices={withAll('Any status', runStatuses)}
          onChange={(next) => set({ status: next === 'all' ? undefined : next })}
        />
        <Select
          label="Language"
          className="w-36!"
          value={language ?? 'all'}
          choices={withAll('Any language', languages, languageNames)}
          onChange={(next) => set({ language: next === 'all' ? undefined : next })}
        />
        <Select
          label="Runtime"
          className="w-36!"
          value={runtime ?? 'all'}
          choices={withAll('Any runtime', usedRuntimes)}
          onChange={(next) => set({ runtime: next === 'all' ? undefined : next })}
        />
        <Switch checked={mine ?? false} onChange={(on) => set({ mine: on || undefined })}>
          Only mine
        </Switch>
      </div>
      {hasRunFilters(filters) && (
        <div className="flex flex-wrap items-center gap-2">
          {search && <Chip name="Code" value={search} onRemove={() => set({ search: undefined })} />}
          {status && <Chip name="Status" value={status} onRemove={() => set({ status: undefined })} />}
          {language && (
            <Chip name="Language" value={languageNames[language]} onRemove={() => set({ language: undefined })} />
          )}
          {runtime && <Chip name="Runtime" value={runtime} onRemove={() => set({ runtime: undefined })} />}
          {mine && <Chip name="By" value="me" onRemove={() => set({ mine: undefined })} />}
          <Button size="small" look="quiet" onClick={() => onChange({})}>
            Clear all
          </Button>
        </div>
      )}
    </div>
  )
}
