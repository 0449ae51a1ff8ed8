export { createApp } from './http/app.ts'
export type { Api } from './http/api.ts'
export { createEventSocket } from './socket/events.ts'
