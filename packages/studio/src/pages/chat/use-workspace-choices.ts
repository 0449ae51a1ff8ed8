import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../../data/call.ts'
import type { Choice } from '../../ui/select.tsx'

/** Workspaces an agent can work in. */
export function useWorkspaceChoices(): Choice<string>[] {
  const { data } = useQuery({
    queryKey: ['workspace', 'choices'],
    queryFn: ({ signal }) => call(routes.workspaces.list, { query: { limit: 100 } }, { signal }),
  })
  return data?.items.flatMap(({ id, name, archivedAt }) => (archivedAt ? [] : [{ value: id, label: name }])) ?? []
}
