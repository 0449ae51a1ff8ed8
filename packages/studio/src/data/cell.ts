import type { Cell } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'

/** The notebook of a sandbox, in order. */
export const cellsQuery = (sandboxId: string) =>
  queryOptions({
    queryKey: ['cell', sandboxId],
    queryFn: async ({ signal }): Promise<Cell[]> =>
      (await call(routes.sandboxes.listCells, { params: { id: sandboxId } }, { signal })).items,
  })

export const useCellCreate = () => useCall(routes.sandboxes.createCell, { changes: ['cell'] })
/** Edits, moves or collapses a cell. What is typed is shown already, so nothing is fetched again but by others. */
export const useCellChange = () => useCall(routes.sandboxes.changeCell, { changes: [] })
export const useCellDelete = () => useCall(routes.sandboxes.removeCell, { changes: ['cell'] })
export const useCellsClear = () => useCall(routes.sandboxes.clearCells, { changes: ['cell'] })
