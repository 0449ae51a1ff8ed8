import { languages, type Language, type ToolReach, type ToolStatus } from '@coherex/contract'
import { useMe } from '../../data/access/me.ts'
import { useMemberList } from '../../data/access/member.ts'
import type { ToolQuery } from '../../data/library/tool.ts'
import { languageNames } from '../../output/run-words.ts'
import { compactFilters, nameLike, oneOf, wordsOf } from '../../shell/address-filters.ts'
import type { Filter } from '../../shell/filter-bar.tsx'

/** The filters of the list of tools as they stand in the address. */
export interface ToolFilters {
  search?: string
  language?: Language
  status?: ToolStatus
  /** The id of a person, or `me`. */
  owner?: string
  tag?: string
  reach?: ToolReach
}

const statuses: readonly ToolStatus[] = ['draft', 'published', 'deprecated', 'unpublished']
const reaches: readonly ToolReach[] = ['private', 'team', 'server']
const reachNames: Record<ToolReach, string> = { private: 'Private', team: 'Team', server: 'Server' }

/** What of an address can be a filter; the rest is ignored. */
export function parseToolFilters(address: Record<string, unknown>): ToolFilters {
  return compactFilters<ToolFilters>({
    search: wordsOf(address['search'])?.slice(0, 200),
    language: oneOf(languages, address['language']),
    status: oneOf(statuses, address['status']),
    owner: nameLike(/^(me|per_\w+)$/, address['owner']),
    tag: nameLike(/^[a-z0-9-]{1,30}$/, wordsOf(address['tag'])),
    reach: oneOf(reaches, address['reach']),
  })
}

/** The filters as the API wants them. */
export function toToolQuery({ owner, ...filters }: ToolFilters, myId: string): ToolQuery {
  return { ...filters, ...(owner && { owner: owner === 'me' ? myId : owner }) }
}

/** The filters of the list, with the people of the team and the tags of the tools in sight. */
export function useToolFilters(tags: readonly string[]): Filter<keyof ToolFilters>[] {
  const { person } = useMe()
  const others = (useMemberList().items ?? []).map((one) => one.person).filter(({ id }) => id !== person.id)
  return [
    { kind: 'search', key: 'search', name: 'Text', label: 'Search tools' },
    {
      ...{ kind: 'select', key: 'language', name: 'Language', all: 'Any language' },
      ...{ values: languages, names: languageNames },
    },
    { kind: 'select', key: 'status', name: 'Status', all: 'Any status', values: statuses },
    {
      ...{ kind: 'select', key: 'owner', name: 'Owner', all: 'Any owner' },
      values: ['me', ...others.map(({ id }) => id)],
      names: { me: 'Me', ...Object.fromEntries(others.map(({ id, name }) => [id, name])) },
    },
    { kind: 'select', key: 'tag', name: 'Tag', all: 'Any tag', values: tags },
    { kind: 'select', key: 'reach', name: 'Reach', all: 'Any reach', values: reaches, names: reachNames, isRare: true },
  ]
}
