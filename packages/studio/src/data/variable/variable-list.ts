import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { ownerKey, type VariableOwner } from './variable-owner.ts'

export const variablesQuery = (owner: VariableOwner) =>
  queryOptions({
    queryKey: ['variable', ownerKey(owner)],
    queryFn: ({ signal }) =>
      owner.kind === 'workspace'
        ? call(routes.variables.listOfWorkspace, { params: { id: owner.id } }, { signal })
        : call(routes.variables.listOfAgent, { params: { name: owner.name } }, { signal }),
  })
