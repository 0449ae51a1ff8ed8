import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSkillDecide = () => useCall(routes.skills.decide, { changes: ['skill', 'agent'] })
