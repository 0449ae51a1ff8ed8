import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Where a browser downloads a skill. */
export const skillZipUrl = (name: string) => routes.skills.zip.path.replace('{name}', name)

export const useSkillImport = () => useCall(routes.skills.importZip, { changes: ['skill', 'agent'] })
