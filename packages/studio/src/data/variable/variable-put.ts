import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'
import type { VariableOwner } from './variable-owner.ts'

interface PutOptions {
  onSuccess?: () => void
  onError?: (error: Error) => void
}

/** Sets a variable of a workspace or an agent. */
export function useVariablePut(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.putOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.putOfAgent, { changes: ['variable'] })
  const { error, isPending } = owner.kind === 'workspace' ? ofWorkspace : ofAgent
  const put = ({ name: variable, value }: { name: string; value: string }, options: PutOptions = {}) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutate({ params: { id: owner.id, variable }, body: { value } }, options)
      : ofAgent.mutate({ params: { name: owner.name, variable }, body: { value } }, options)
  return { put, error, isPending }
}
