export { createAgents, type Agents } from './create-agents.ts'
export { readAgentUse } from './threads/agent-use.ts'
export { listThreads, readThread } from './threads/thread-store.ts'
export {
  changeThread,
  clearThread,
  createThread,
  exportThread,
  importThread,
  insertThread,
  readMessage,
  removeThread,
} from './threads/threads.ts'
export { fromMarkdown } from './threads/from-markdown.ts'
export { toMarkdown } from './threads/to-markdown.ts'
export { listTurns, pruneStreams, readTurn, type StoredTurn } from './turns/turn-store.ts'
export { isCallOf } from './turn/journal.ts'
export { prunePrograms } from './code-mode/program-store.ts'
export { findOpenCalls } from './turn/answer.ts'
export { recoverTurns } from './turns/queue-store.ts'
export { listApprovals, readApproval, readTeamRules, setTeamRules } from './approvals/approval-store.ts'
export { isFailure } from './turns/closing-chunks.ts'
export type { Turns } from './work/turns.ts'
export { deliveryTool } from './tools/read-delivery.ts'
export { findOccurrences, quietMs, type Cause, type Occurrence } from './occurrences/find-occurrences.ts'
export { seenNow, type Seen, type WatchedEvent } from './occurrences/seen.ts'
export { arrive, arriveEvents, findWake, wakeArrived } from './turns/wakes.ts'
export type { StoredWake } from './turns/tables.ts'
