import type { Run } from './run.ts'

// what the isolate says of an import that it has not got
const missingModule = /\b(Cannot find (module|package)|is not available (here|in the isolate))/i

/** Why the isolate was too small for a run, in words; undefined when more room would not help. */
export function outgrewIsolate({ runtime, error }: Partial<Pick<Run, 'runtime' | 'error'>>): string | undefined {
  if (runtime?.name !== 'isolate' || !error) return undefined
  if (error.kind === 'memory') return 'it ran out of memory in the isolate'
  if (error.kind === 'timeout') return 'it ran out of time in the isolate'
  return missingModule.test(error.message) ? 'it needs a module that the isolate lacks' : undefined
}
