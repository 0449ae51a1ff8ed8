import { startKinds } from '@coherex/contract'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useAgentList } from '../../data/agent.ts'
import { useMemberList } from '../../data/member.ts'
import { languageNames } from '../../output/run-words.ts'
import type { FilterChange } from '../../shell/address-filters.ts'
import { Button } from '../../ui/button.tsx'
import { FilterChips } from '../../ui/list/filter-chips.tsx'
import { FilterSelect } from '../../ui/list/filter-select.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { CodeFilterSelects } from '../runs/code-filter-selects.tsx'
import {
  changeExecutionFilters,
  filterStatuses,
  spans,
  type ExecutionFilters,
  type FilterStatus,
  type Span,
} from './execution-filters.ts'
import { startNames } from './execution-words.ts'

interface ExecutionFilterBarProps {
  filters: ExecutionFilters
  onChange: (filters: ExecutionFilters) => void
}

const kindNames = { turn: 'Turns of agents', run: 'Runs of code' }
const statusNames: Partial<Record<FilterStatus, string>> = { open: 'Under way', dead: 'Given up' }
const spanNames: Record<Span, string> = {
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

export function ExecutionFilterBar({ filters, onChange }: ExecutionFilterBarProps) {
  const set = (change: FilterChange<ExecutionFilters>) => onChange(changeExecutionFilters(filters, change))
  const { search, kind, status, startedBy, agent, by, language, runtime, last } = filters
  const [more, setMore] = useState(false)
  const showsMore = more || Boolean(agent ?? by ?? language ?? runtime)
  const agents = useAgentList().items?.map(({ name }) => name) ?? []
  const people = useMemberList().items?.map(({ person }) => person) ?? []
  const nameOf = Object.fromEntries(people.map(({ id, name }) => [id, name]))
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search in questions, answers and code"
          placeholder="Question, answer or code"
          value={search ?? ''}
          onSearch={(text) => set({ search: text })}
        />
        <FilterSelect
          label="Kind"
          all="Turns and runs"
          value={kind}
          values={['turn', 'run']}
          names={kindNames}
          onChange={(next) => set({ kind: next })}
        />
        <FilterSelect
          label="Status"
          all="Any status"
          value={status}
          values={filterStatuses}
          names={statusNames}
          onChange={(next) => set({ status: next })}
        />
        <FilterSelect
          label="Started by"
          all="Any start"
          value={startedBy}
          values={startKinds}
          names={startNames}
          onChange={(next) => set({ startedBy: next })}
        />
        <FilterSelect
          label="Time"
          all="Any time"
          value={last}
          values={Object.keys(spans) as Span[]}
          names={spanNames}
          onChange={(next) => set({ last: next })}
        />
        {showsMore ? (
          <>
            <FilterSelect
              label="Agent"
              all="Any agent"
              value={agent}
              values={withChosen(agents, agent)}
              names={asThey(agents)}
              onChange={(next) => set({ agent: next })}
            />
            <FilterSelect
              label="Person"
              all="Anyone"
              value={by}
              values={withChosen(
                people.map(({ id }) => id),
                by,
              )}
              names={nameOf}
              onChange={(next) => set({ by: next })}
            />
            <CodeFilterSelects filters={filters} onChange={set} />
          </>
        ) : (
          <Button look="quiet" icon={<ListFilter aria-hidden />} onClick={() => setMore(true)}>
            More filters
          </Button>
        )}
      </div>
      <FilterChips
        filters={[
          { key: 'search', name: 'Text', value: search },
          { key: 'kind', name: 'Kind', value: kind && kindNames[kind] },
          { key: 'status', name: 'Status', value: status && (statusNames[status] ?? status) },
          { key: 'startedBy', name: 'Started by', value: startedBy && startNames[startedBy] },
          { key: 'agent', name: 'Agent', value: agent },
          { key: 'by', name: 'Person', value: by && (nameOf[by] ?? by) },
          { key: 'language', name: 'Language', value: language && languageNames[language] },
          { key: 'runtime', name: 'Runtime', value: runtime },
          { key: 'last', name: 'Time', value: last && spanNames[last] },
        ]}
        onRemove={(key) => set({ [key]: undefined })}
        onClear={() => onChange({})}
      />
    </div>
  )
}

/** What is chosen stays in the list, also when it was deleted since. */
function withChosen(values: string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? values : [...values, chosen]
}

function asThey(values: string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, value]))
}
