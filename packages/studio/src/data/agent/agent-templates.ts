import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const useAgentTemplates = () =>
  useQuery({
    queryKey: ['agent', 'templates'],
    queryFn: ({ signal }) => call(routes.agents.templates, {}, { signal }),
  })
