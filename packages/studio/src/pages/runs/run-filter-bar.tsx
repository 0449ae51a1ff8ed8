import { languages, runStatuses, runtimeNames } from '@coherex/contract'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Input } from '../../ui/input.tsx'
import { Select, type Choice } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { changeRunFilters, hasRunFilters, type RunFilters } from './run-filters.ts'
import { languageNames } from './run-words.ts'

interface RunFilterBarProps {
  filters: RunFilters
  onChange: (filters: RunFilters) => void
}

const typingPauseMs = 250
// what runs here; the others are not there yet
const usedRuntimes = runtimeNames.filter((name) => name === 'isolate' || name === 'process')

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  const [text, setText] = useState(filters.search ?? '')
  const apply = useEffectEvent((search: string) => {
    if (search !== (filters.search ?? '')) onChange(changeRunFilters(filters, { search: search || undefined }))
  })
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const set = (part: Parameters<typeof changeRunFilters>[1]) => onChange(changeRunFilters(filters, part))
  const clearSearch = () => {
    setText('')
    set({ search: undefined })
  }
  const { status, language, runtime, mine, search } = filters
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative min-w-52 flex-1 md:max-w-80">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            aria-label="Search in the code"
            placeholder="Search in the code"
            className="pl-8.5"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
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
          {search && <Chip name="Code" value={search} onRemove={clearSearch} />}
          {status && <Chip name="Status" value={status} onRemove={() => set({ status: undefined })} />}
          {language && (
            <Chip name="Language" value={languageNames[language]} onRemove={() => set({ language: undefined })} />
          )}
          {runtime && <Chip name="Runtime" value={runtime} onRemove={() => set({ runtime: undefined })} />}
          {mine && <Chip name="By" value="me" onRemove={() => set({ mine: undefined })} />}
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              setText('')
              onChange({})
            }}
          >
            Clear all
          </Button>
        </div>
      )}
    </div>
  )
}

function withAll<Value extends string>(
  all: string,
  values: readonly Value[],
  names: Partial<Record<Value, string>> = {},
): Choice<Value | 'all'>[] {
  return [
    { value: 'all', label: all },
    ...values.map((value) => ({ value, label: names[value] ?? value.charAt(0).toUpperCase() + value.slice(1) })),
  ]
}
