import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'

export const useKeyList = () =>
  usePages({
    queryKey: ['key', 'list'],
    fetchPage: (cursor, signal) => call(routes.keys.list, { query: cursor }, { signal }),
  })

export const useKeyCreate = () => useCall(routes.keys.create, { changes: ['key'] })
export const useKeyRevoke = () => useCall(routes.keys.revoke, { changes: ['key'] })
