import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

const lookEveryMs = 2_000

export const useSandboxProcesses = (id: string) =>
  useQuery({
    queryKey: ['sandbox', id, 'processes'],
    queryFn: ({ signal }) => call(routes.sandboxes.listProcesses, { params: { id } }, { signal }),
    refetchInterval: lookEveryMs,
  })

export const useProcessStart = () => useCall(routes.sandboxes.startProcess, { changes: ['sandbox'] })

export const useProcessKill = () => useCall(routes.sandboxes.killProcess, { changes: ['sandbox'] })
