import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** What is wrong with a definition, as the server sees it. */
export const useAgentValidate = (source: string) =>
  useQuery({
    queryKey: ['agent', 'validate', source],
    queryFn: async ({ signal }) => ({
      source,
      ...(await call(routes.agents.validate, { body: { source } }, { signal })),
    }),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })
