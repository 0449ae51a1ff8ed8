import type { Run } from './run.ts'

// how the isolate refuses an import whose name was put together while it ran; any other is known before, and runs elsewhere at once
const ofNode = 'it is a module of Node'

/** Why the isolate was too small for a run, in words; undefined when more room would not help. */
export function outgrewIsolate({ runtime, error }: Partial<Pick<Run, 'runtime' | 'error'>>): string | undefined {
  if (runtime?.name !== 'isolate' || !error) return undefined
  if (error.kind === 'memory') return 'it ran out of memory in the isolate'
  if (error.kind === 'timeout') return 'it ran out of time in the isolate'
  return error.kind === 'denied' && error.message.includes(ofNode)
    ? 'it needs a module that the isolate lacks'
    : undefined
}
