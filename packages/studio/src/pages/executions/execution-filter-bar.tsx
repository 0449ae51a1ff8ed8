import { languages, startKinds } from '@coherex/contract'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useAgentList } from '../../data/agent/agent-list.ts'
import { useMemberList } from '../../data/member/member-list.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Select, withAll } from '../../ui/select.tsx'
import { usedRuntimes } from '../runs/run-filter-bar.tsx'
import { languageNames } from '../runs/run-words.ts'
import {
  changeExecutionFilters,
  filterStatuses,
  hasExecutionFilters,
  spans,
  type ExecutionFilters,
  type Span,
} from './execution-filters.ts'
import { startNames } from './execution-words.ts'

interface ExecutionFilterBarProps {
  filters: ExecutionFilters
  onChange: (filters: ExecutionFilters) => void
}

const kindNames = { turn: 'Turns of agents', run: 'Runs of code' }
const statusNames = { open: 'Under way', dead: 'Given up' }
const spanNames: Record<Span, string> = {
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

export function ExecutionFilterBar({ filters, onChange }: ExecutionFilterBarProps) {
  const set = (part: Parameters<typeof changeExecutionFilters>[1]) => onChange(changeExecutionFilters(filters, part))
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
          onSearch={(text) => set({ search: text || undefined })}
        />
        <Pick
          label="Kind"
          all="Turns and runs"
          value={kind}
          values={['turn', 'run']}
          names={kindNames}
          onPick={(next) => set({ kind: next })}
        />
        <Pick
          label="Status"
          all="Any status"
          value={status}
          values={filterStatuses}
          names={statusNames}
          onPick={(next) => set({ status: next })}
        />
        <Pick
          label="Started by"
          all="Any start"
          value={startedBy}
          values={startKinds}
          names={startNames}
          onPick={(next) => set({ startedBy: next })}
        />
        <Pick
          label="Time"
          all="Any time"
          value={last}
          values={Object.keys(spans) as Span[]}
          names={spanNames}
          onPick={(next) => set({ last: next })}
        />
        {showsMore ? (
          <>
            <Pick
              label="Agent"
              all="Any agent"
              value={agent}
              values={withChosen(agents, agent)}
              names={asThey(agents)}
              onPick={(next) => set({ agent: next })}
            />
            <Pick
              label="Person"
              all="Anyone"
              value={by}
              values={withChosen(
                people.map(({ id }) => id),
                by,
              )}
              names={nameOf}
              onPick={(next) => set({ by: next })}
            />
            <Pick
              label="Language"
              all="Any language"
              value={language}
              values={languages}
              names={languageNames}
              onPick={(next) => set({ language: next })}
            />
            <Pick
              label="Runtime"
              all="Any runtime"
              value={runtime}
              values={usedRuntimes}
              onPick={(next) => set({ runtime: next })}
            />
          </>
        ) : (
          <Button look="quiet" icon={<ListFilter aria-hidden />} onClick={() => setMore(true)}>
            More filters
          </Button>
        )}
      </div>
      {hasExecutionFilters(filters) && (
        <div className="flex flex-wrap items-center gap-2">
          {search && <Chip name="Text" value={search} onRemove={() => set({ search: undefined })} />}
          {kind && <Chip name="Kind" value={kindNames[kind]} onRemove={() => set({ kind: undefined })} />}
          {status && (
            <Chip
              name="Status"
              value={status === 'open' || status === 'dead' ? statusNames[status] : status}
              onRemove={() => set({ status: undefined })}
            />
          )}
          {startedBy && (
            <Chip name="Started by" value={startNames[startedBy]} onRemove={() => set({ startedBy: undefined })} />
          )}
          {agent && <Chip name="Agent" value={agent} onRemove={() => set({ agent: undefined })} />}
          {by && <Chip name="Person" value={nameOf[by] ?? by} onRemove={() => set({ by: undefined })} />}
          {language && (
            <Chip name="Language" value={languageNames[language]} onRemove={() => set({ language: undefined })} />
          )}
          {runtime && <Chip name="Runtime" value={runtime} onRemove={() => set({ runtime: undefined })} />}
          {last && <Chip name="Time" value={spanNames[last]} onRemove={() => set({ last: undefined })} />}
          <Button size="small" look="quiet" onClick={() => onChange({})}>
            Clear all
          </Button>
        </div>
      )}
    </div>
  )
}

interface PickProps<Value extends string> {
  label: string
  all: string
  value: Value | undefined
  values: readonly Value[]
  names?: Partial<Record<Value, string>>
  onPick: (value: Value | undefined) => void
}

function Pick<Value extends string>({ label, all, value, values, names, onPick }: PickProps<Value>) {
  return (
    <Select
      label={label}
      className="w-36!"
      value={value ?? 'all'}
      choices={withAll(all, values, names)}
      onChange={(next) => onPick(next === 'all' ? undefined : (next as Value))}
    />
  )
}

/** What is chosen stays in the list, also when it was deleted since. */
function withChosen(values: string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? values : [...values, chosen]
}

function asThey(values: string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, value]))
}
