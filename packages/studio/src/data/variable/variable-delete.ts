import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'
import type { VariableOwner } from './variable-owner.ts'

interface RemoveOptions {
  onSuccess?: () => void
  onError?: (error: Error) => void
}

/** Deletes a variable of a workspace or an agent. */
export function useVariableDelete(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.removeOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.removeOfAgent, { changes: ['variable'] })
  return (variable: string, options: RemoveOptions) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutate({ params: { id: owner.id, variable } }, options)
      : ofAgent.mutate({ params: { name: owner.name, variable } }, options)
}
