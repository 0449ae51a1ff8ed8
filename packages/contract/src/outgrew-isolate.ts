import type { Run } from './run.ts'

// what the isolate says of an import whose name was put together while it ran; any other is known before, and runs elsewhere at once
const refusedImport = /^CapabilityError: Cannot import "(node:)?([\w/]+)"/

// those of Node that go without its prefix: other names are no modules of a process either
const builtins = new Set(
  (
    'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs ' +
    'http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream ' +
    'string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib'
  ).split(' '),
)

/** Why the isolate was too small for a run, in words; undefined when more room would not help. */
export function outgrewIsolate({ runtime, error }: Partial<Pick<Run, 'runtime' | 'error'>>): string | undefined {
  if (runtime?.name !== 'isolate' || !error) return undefined
  if (error.kind === 'memory') return 'it ran out of memory in the isolate'
  if (error.kind === 'timeout') return 'it ran out of time in the isolate'
  const [, prefix, name = ''] = (error.kind === 'denied' && refusedImport.exec(error.message)) || []
  const isOfNode = prefix !== undefined || builtins.has(name.split('/')[0] ?? '')
  return name !== '' && isOfNode ? 'it needs a module that the isolate lacks' : undefined
}
