import { z } from 'zod'
import { cell, cellChange, cellRequest } from '../../runs/cell.ts'
import { idOf } from '../../wire/id.ts'
import { route } from '../../wire/route.ts'
import { ended, look, params, tag, use } from './sandbox-terms.ts'

const cellParams = params.extend({ cellId: idOf('cell') })

/** The notebook of a sandbox. Cells are run by `POST /api/v1/runs` with their id as `cellId`. */
export const sandboxCells = {
  listCells: route({
    method: 'get',
    path: '/api/v1/sandboxes/{id}/cells',
    summary: 'Cells of its notebook, in order',
    tag,
    access: look,
    refusals: ended,
    params,
    response: z.object({ items: z.array(cell) }),
  }),
  createCell: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/cells',
    summary: 'Insert a cell, without running it',
    tag,
    access: use,
    params,
    status: 201,
    body: cellRequest,
    response: cell,
  }),
  changeCell: route({
    method: 'patch',
    path: '/api/v1/sandboxes/{id}/cells/{cellId}',
    summary: 'Edit, move or collapse a cell, or clear its output',
    tag,
    access: use,
    params: cellParams,
    body: cellChange,
    response: cell,
  }),
  removeCell: route({
    method: 'delete',
    path: '/api/v1/sandboxes/{id}/cells/{cellId}',
    summary: 'Delete a cell; its runs stay',
    tag,
    access: use,
    params: cellParams,
  }),
  clearCells: route({
    method: 'post',
    path: '/api/v1/sandboxes/{id}/cells/clear',
    summary: 'Clear the outputs of all cells; their runs stay',
    tag,
    access: use,
    params,
    idempotent: false,
    body: z.strictObject({}),
    response: z.object({ items: z.array(cell) }),
  }),
}
