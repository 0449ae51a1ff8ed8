import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSkillDelete = () => useCall(routes.skills.remove, { changes: ['skill', 'agent'] })
