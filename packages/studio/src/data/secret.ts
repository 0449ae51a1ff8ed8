import { routes } from 'virtual:contract-routes'
import { call } from './call.ts'
import { useCall } from './use-call.ts'
import { usePages } from './use-pages.ts'

export const useSecretList = ({ enabled }: { enabled: boolean }) =>
  usePages({
    queryKey: ['secret', 'list'],
    fetchPage: (cursor, signal) => call(routes.secrets.list, { query: cursor }, { signal }),
    enabled,
  })

export const useSecretDelete = () => useCall(routes.secrets.remove, { changes: ['secret', 'model', 'agent'] })
export const useSecretPut = () => useCall(routes.secrets.put, { changes: ['secret', 'model', 'agent'] })
