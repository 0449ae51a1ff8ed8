export { startZygote } from './start-zygote.ts'
export type { ForkOptions, Zygote, ZygoteSpec } from './zygote.ts'
