export type { Machine } from './assemble.ts'
export { type Profile, seccompFilter, syscallName } from './profile.ts'
