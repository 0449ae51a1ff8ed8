import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSkillChange = () => useCall(routes.skills.change, { changes: ['skill', 'agent'] })
