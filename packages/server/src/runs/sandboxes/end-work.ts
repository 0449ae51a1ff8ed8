import type { ProcessSignal } from '@coherex/contract'
import type { OpenSandbox } from './open-sandbox.ts'

/** Ends running cells and keeps their sessions; false where none ran. */
export async function interruptCells({ inside }: OpenSandbox, context?: string): Promise<boolean> {
  let interrupted = false
  for (const session of inside.sessions().filter(({ status }) => status === 'running')) {
    if (context !== undefined && session.context !== context) continue
    interrupted = (await inside.interrupt(session.context)) || interrupted
  }
  return interrupted
}

/** Sends a signal to a process; false where there is no such process. */
export async function killProcess(
  open: OpenSandbox,
  { pid, signal }: { pid: number; signal: ProcessSignal },
): Promise<boolean> {
  const found = open.processes().find(({ process }) => process.pid === pid)
  if (found) open.touch()
  found?.process.kill(signal)
  return found !== undefined
}
