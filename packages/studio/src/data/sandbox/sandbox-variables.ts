import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** Variables of a session. Asked for again when a cell has ended: `after` names it. */
export const useSandboxVariables = (id: string, context: string, after: string | undefined) =>
  useQuery({
    queryKey: ['sandbox', id, 'variables', context, after],
    queryFn: ({ signal }) => call(routes.sandboxes.variables, { params: { id }, query: { context } }, { signal }),
    placeholderData: keepPreviousData,
    // while a cell runs the session does not answer; the next cell's end asks again
    retry: false,
  })

export const rowsPerPage = 50

/** One variable in full; of a table, a page. */
export const useSandboxVariable = (id: string, { context, name, page, after }: VariablePlace) =>
  useQuery({
    queryKey: ['sandbox', id, 'variable', context, name, page, after],
    queryFn: ({ signal }) => {
      const query = { context, offset: page * rowsPerPage, limit: rowsPerPage }
      return call(routes.sandboxes.variable, { params: { id, name }, query }, { signal })
    },
    placeholderData: keepPreviousData,
    retry: false,
  })

interface VariablePlace {
  context: string
  name: string
  page: number
  after: string | undefined
}
