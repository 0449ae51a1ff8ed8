import { languages } from '@coherex/contract'
import { languageNames, usedRuntimes } from '../../output/run-words.ts'
import type { Filter } from '../../shell/filter-bar.tsx'

/** What code was written in, and what ran it. */
export const codeFilters = [
  {
    kind: 'select',
    key: 'language',
    name: 'Language',
    all: 'Any language',
    values: languages,
    names: languageNames,
  },
  { kind: 'select', key: 'runtime', name: 'Runtime', all: 'Any runtime', values: usedRuntimes },
] as const satisfies Filter<'language' | 'runtime'>[]
