import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

/** Providers and their models, and what is used where none is named. */
export const useModelList = () =>
  useQuery({
    queryKey: ['model', 'list'],
    queryFn: ({ signal }) => call(routes.models.list, {}, { signal }),
    staleTime: 60_000,
  })

/** Asks a provider whether it takes the key. */
export const useModelCheck = () => useCall(routes.models.check, { changes: [] })
export const useModelSetDefault = () => useCall(routes.models.setDefault, { changes: ['model', 'agent'] })
export const useModelSetEmbedding = () => useCall(routes.models.setEmbedding, { changes: ['model'] })
