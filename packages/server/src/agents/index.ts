export { createAgents, type Agents } from './create-agents.ts'
export { readAgentUse } from './threads/agent-use.ts'
export { listThreads, readThread } from './threads/thread-store.ts'
export {
  changeThread,
  clearThread,
  createThread,
  exportThread,
  importThread,
  readMessage,
  removeThread,
} from './threads/threads.ts'
export { fromMarkdown } from './threads/from-markdown.ts'
export { toMarkdown } from './threads/to-markdown.ts'
export { listTurns, pruneStreams, readTurn, type StoredTurn } from './threads/turn-store.ts'
export { isCallOf } from './programs/journal.ts'
export { prunePrograms } from './programs/program-store.ts'
export { findOpenCalls } from './loop/answer.ts'
export { recoverTurns } from './threads/queue-store.ts'
export { listApprovals, readApproval, readTeamRules, setTeamRules } from './approvals/approval-store.ts'
export { listDeliveries, readDelivery } from './triggers/delivery-store.ts'
export { pruneDeliveries } from './triggers/prune-deliveries.ts'
export { isFailure } from './turns/closing-chunks.ts'
export type { Turns } from './turns/turns.ts'
