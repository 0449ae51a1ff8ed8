import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useSecretList = ({ enabled }: { enabled: boolean }) =>
  usePages({
    queryKey: ['secret', 'list'],
    fetchPage: (cursor, signal) => call(routes.secrets.list, { query: cursor }, { signal }),
    enabled,
  })
