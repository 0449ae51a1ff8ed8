export type { Machine } from './assemble.ts'
export { type Profile, seccompFilter } from './profile.ts'
