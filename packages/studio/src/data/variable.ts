import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './call.ts'
import { useCall } from './use-call.ts'

/** What variables are set for, as its routes name it. */
export type VariableOwner = { kind: 'workspace'; id: string } | { kind: 'agent'; name: string }

export const ownerKey = (owner: VariableOwner) => (owner.kind === 'workspace' ? owner.id : owner.name)

export const variablesQuery = (owner: VariableOwner) =>
  queryOptions({
    queryKey: ['variable', ownerKey(owner)],
    queryFn: ({ signal }) =>
      owner.kind === 'workspace'
        ? call(routes.variables.listOfWorkspace, { params: { id: owner.id } }, { signal })
        : call(routes.variables.listOfAgent, { params: { name: owner.name } }, { signal }),
  })

interface ChangeOptions {
  onSuccess?: () => void
  onError?: (error: Error) => void
}

/** Deletes a variable of a workspace or an agent. */
export function useVariableDelete(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.removeOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.removeOfAgent, { changes: ['variable'] })
  return (variable: string, options: ChangeOptions) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutate({ params: { id: owner.id, variable } }, options)
      : ofAgent.mutate({ params: { name: owner.name, variable } }, options)
}

/** Sets a variable of a workspace or an agent. */
export function useVariablePut(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.putOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.putOfAgent, { changes: ['variable'] })
  return ({ name: variable, value }: { name: string; value: string }) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutateAsync({ params: { id: owner.id, variable }, body: { value } })
      : ofAgent.mutateAsync({ params: { name: owner.name, variable }, body: { value } })
}
