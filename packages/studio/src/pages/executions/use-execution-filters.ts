import { startKinds } from '@coherex/contract'
import { useMemberList } from '../../data/access/member.ts'
import { useAgentList } from '../../data/library/agent.ts'
import type { Filter } from '../../shell/filter-bar.tsx'
import { codeFilters } from '../runs/code-filters.ts'
import { filterStatuses, spans, type ExecutionFilters, type FilterStatus, type Span } from './execution-filters.ts'
import { startNames } from './execution-words.ts'

const statusNames: Partial<Record<FilterStatus, string>> = { open: 'In progress', dead: 'Given up' }
const spanNames: Record<Span, string> = {
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

/** The filters of the list of executions, with the agents and people that the team has. */
export function useExecutionFilters(kind: ExecutionFilters['kind']): Filter<keyof ExecutionFilters>[] {
  const agents = useAgentList().items?.map(({ name }) => name) ?? []
  const people = useMemberList().items?.map(({ person }) => person) ?? []
  return [
    {
      kind: 'search',
      key: 'search',
      name: 'Text',
      label: 'Search in questions, answers and code',
      placeholder: 'Question, answer or code',
    },
    {
      kind: 'select',
      key: 'status',
      name: 'Status',
      all: 'Any status',
      values: filterStatuses,
      names: statusNames,
    },
    {
      kind: 'select',
      key: 'startedBy',
      name: 'Started by',
      all: 'Any start',
      values: startKinds,
      names: startNames,
      isRare: kind === 'code',
    },
    { kind: 'select', key: 'last', name: 'Time', all: 'Any time', values: Object.keys(spans), names: spanNames },
    {
      kind: 'select',
      key: 'agent',
      name: 'Agent',
      all: 'Any agent',
      values: agents,
      names: Object.fromEntries(agents.map((agent) => [agent, agent])),
      isRare: true,
    },
    {
      kind: 'select',
      key: 'by',
      name: 'Person',
      all: 'Anyone',
      values: ['me', ...people.map(({ id }) => id)],
      names: { me: 'Me', ...Object.fromEntries(people.map(({ id, name }) => [id, name])) },
    },
    ...(kind === 'turns' ? [] : codeFilters.map((filter) => ({ ...filter, isRare: kind !== 'code' }))),
  ]
}
