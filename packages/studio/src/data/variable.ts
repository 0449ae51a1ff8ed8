import type { OwnedVariable } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** What variables are set for, as its routes name it. */
export type VariableOwner = { kind: 'workspace'; id: string } | { kind: 'agent' | 'tool'; name: string }

/** An owner as the list of all variables names it. */
export const ownerOf = ({ kind, id }: OwnedVariable['owner']): VariableOwner =>
  kind === 'workspace' ? { kind, id } : { kind, name: id }

export const ownerKey = (owner: VariableOwner) => (owner.kind === 'workspace' ? owner.id : owner.name)

export const variablesQuery = (owner: VariableOwner) =>
  queryOptions({
    queryKey: ['variable', ownerKey(owner)],
    queryFn: ({ signal }) =>
      owner.kind === 'workspace'
        ? call(routes.variables.listOfWorkspace, { params: { id: owner.id } }, { signal })
        : call(
            owner.kind === 'tool' ? routes.variables.listOfTool : routes.variables.listOfAgent,
            { params: { name: owner.name } },
            { signal },
          ),
  })

/** The variables of all workspaces, agents and tools. */
export const useVariableList = ({ search, enabled }: { search: string; enabled: boolean }) =>
  usePages({
    queryKey: ['variable', 'all', search],
    fetchPage: (cursor, signal) =>
      call(routes.variables.list, { query: { ...(search && { search }), ...cursor } }, { signal }),
    enabled,
    keepsLast: true,
  })

interface ChangeOptions {
  onSuccess?: () => void
  onError?: (error: Error) => void
}

/** Deletes a variable of a workspace, an agent or a tool. */
export function useVariableDelete(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.removeOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.removeOfAgent, { changes: ['variable'] })
  const ofTool = useCall(routes.variables.removeOfTool, { changes: ['variable'] })
  return (variable: string, options: ChangeOptions) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutate({ params: { id: owner.id, variable } }, options)
      : (owner.kind === 'tool' ? ofTool : ofAgent).mutate({ params: { name: owner.name, variable } }, options)
}

/** Sets a variable of a workspace, an agent or a tool. */
export function useVariablePut(owner: VariableOwner) {
  const ofWorkspace = useCall(routes.variables.putOfWorkspace, { changes: ['variable'] })
  const ofAgent = useCall(routes.variables.putOfAgent, { changes: ['variable'] })
  const ofTool = useCall(routes.variables.putOfTool, { changes: ['variable'] })
  return ({ name: variable, value }: { name: string; value: string }) =>
    owner.kind === 'workspace'
      ? ofWorkspace.mutateAsync({ params: { id: owner.id, variable }, body: { value } })
      : (owner.kind === 'tool' ? ofTool : ofAgent).mutateAsync({
          params: { name: owner.name, variable },
          body: { value },
        })
}
