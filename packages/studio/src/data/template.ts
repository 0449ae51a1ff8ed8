import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'

/** Templates of the team in their newest version. */
export const useTemplateList = () =>
  useQuery({
    queryKey: ['template'],
    queryFn: ({ signal }) => call(routes.templates.list, { query: { limit: 100 } }, { signal }),
  })

/** Builds the next version of a template, and answers when it is built. */
export const useTemplateBuild = () => useCall(routes.templates.build, { changes: ['template', 'quota'] })

/** Deletes a template with all its versions. */
export const useTemplateDelete = () => useCall(routes.templates.remove, { changes: ['template', 'quota'] })
