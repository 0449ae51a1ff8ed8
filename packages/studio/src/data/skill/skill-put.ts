import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSkillPut = () => useCall(routes.skills.put, { changes: ['skill', 'agent'] })
