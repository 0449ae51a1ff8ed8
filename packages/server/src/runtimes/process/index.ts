export { createProcessRuntime, type ProcessRuntime, type ProcessRuntimeOptions } from './process-runtime.ts'
export { bindsOf, findLanguages, findProgram, programDirectories } from './find-languages.ts'
export type { GuestCommand } from './guest-command.ts'
export { compilerErrors, installHint, memoryMbOf, type ProcessLanguage } from './languages.ts'
