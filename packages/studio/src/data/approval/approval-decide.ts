import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useApprovalDecide = () => useCall(routes.approvals.decide, { changes: ['approval', 'thread'] })
