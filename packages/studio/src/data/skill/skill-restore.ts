import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSkillRestore = () => useCall(routes.skills.restore, { changes: ['skill', 'agent'] })
