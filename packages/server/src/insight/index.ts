export { createSearch, type Search } from './search/create-search.ts'
export { createExecutions, type Executions } from './executions/create-executions.ts'
export { createInbox, type Inbox } from './inbox/create-inbox.ts'
