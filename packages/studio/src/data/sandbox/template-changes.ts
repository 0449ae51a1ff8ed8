import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Builds the next version of a template, and answers when it is built. */
export const useTemplateBuild = () => useCall(routes.templates.build, { changes: ['template', 'quota'] })

/** Deletes a template with all its versions. */
export const useTemplateDelete = () => useCall(routes.templates.remove, { changes: ['template', 'quota'] })
