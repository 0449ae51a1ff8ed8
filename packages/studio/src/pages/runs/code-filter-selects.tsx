import { languages } from '@coherex/contract'
import { languageNames, usedRuntimes } from '../../output/run-words.ts'
import type { FilterChange } from '../../shell/address-filters.ts'
import { FilterSelect } from '../../ui/list/filter-select.tsx'
import type { RunFilters } from './run-filters.ts'

type CodeFilters = Pick<RunFilters, 'language' | 'runtime'>

interface CodeFilterSelectsProps {
  filters: CodeFilters
  onChange: (change: FilterChange<CodeFilters>) => void
}

/** What code was written in, and what ran it. */
export function CodeFilterSelects({ filters: { language, runtime }, onChange }: CodeFilterSelectsProps) {
  return (
    <>
      <FilterSelect
        label="Language"
        all="Any language"
        value={language}
        values={languages}
        names={languageNames}
        onChange={(next) => onChange({ language: next })}
      />
      <FilterSelect
        label="Runtime"
        all="Any runtime"
        value={runtime}
        values={usedRuntimes}
        onChange={(next) => onChange({ runtime: next })}
      />
    </>
  )
}
