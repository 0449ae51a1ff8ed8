export { createExecutions, type Executions } from './executions/create-executions.ts'
