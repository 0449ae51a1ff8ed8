export type { ExecutionFilters } from './executions/execution-filters.ts'
export { listExecutions, type ExecutionDeps } from './executions/list-executions.ts'
export { readTimeline } from './executions/read-timeline.ts'
export { retryExecution } from './executions/retry-execution.ts'
