import type { Run } from './run.ts'

// what the isolate says of an import whose name was put together while it ran; any other is known before, and runs elsewhere at once
const refusedImport = /^CapabilityError: Cannot import "(node:)?([\w/]+)"/

// those of Node that programs name without its prefix; the list is in the first load of the studio, so it is short
const builtins =
  /^(child_process|crypto|dns|events|fs|https?|net|os|path|process|stream|tls|url|util|vm|worker_threads|zlib)\b/

/** Why the isolate was too small for a run, in words; undefined when more room would not help. */
export function outgrewIsolate({ runtime, error }: Partial<Pick<Run, 'runtime' | 'error'>>): string | undefined {
  if (runtime?.name !== 'isolate' || !error) return undefined
  if (error.kind === 'memory') return 'it ran out of memory in the isolate'
  if (error.kind === 'timeout') return 'it ran out of time in the isolate'
  const [, prefix, name = ''] = (error.kind === 'denied' && refusedImport.exec(error.message)) || []
  return name !== '' && (prefix !== undefined || builtins.test(name))
    ? 'it needs a module that the isolate lacks'
    : undefined
}
