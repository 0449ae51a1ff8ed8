import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

export const useSecretList = ({ enabled }: { enabled: boolean }) =>
  usePages({
    queryKey: ['secret', 'list'],
    fetchPage: (cursor, signal) => call(routes.secrets.list, { query: cursor }, { signal }),
    enabled,
  })

export const useSecretDelete = () => useCall(routes.secrets.remove, { changes: ['secret', 'model', 'agent'] })
export const useSecretPut = () => useCall(routes.secrets.put, { changes: ['secret', 'model', 'agent'] })
