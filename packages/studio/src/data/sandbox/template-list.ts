import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** Templates of the team in their newest version. */
export const useTemplateList = () =>
  useQuery({
    queryKey: ['template'],
    queryFn: ({ signal }) => call(routes.templates.list, { query: { limit: 100 } }, { signal }),
  })
