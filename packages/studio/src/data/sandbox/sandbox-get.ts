import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

const lookEveryMs = 5_000

/** A sandbox as it is. Its memory and what its sessions do are told by nobody, so it is looked at now and then. */
export const useSandbox = (id: string) =>
  useQuery({
    queryKey: ['sandbox', id],
    queryFn: ({ signal }) => call(routes.sandboxes.get, { params: { id } }, { signal }),
    refetchInterval: lookEveryMs,
  })
