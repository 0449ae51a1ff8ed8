export { readDeliveryText } from './delivery-store.ts'
export { pruneDeliveries } from './prune-deliveries.ts'
export { followAgent, followTool } from './sync-triggers.ts'
export { Triggers } from './triggers.ts'
