import type { SandboxEnding } from '../../runtimes/index.ts'
import type { KeptSession, SandboxRow } from './sandbox.ts'

const endings: Record<SandboxEnding['why'], string> = {
  closed: 'it was closed',
  memory: 'it used more memory than its limit',
  crashed: 'it crashed',
  protocol: 'its processes broke the rules of the sandbox',
}

/** Why a sandbox sleeps that ended by itself. */
export function describeEnding(why: SandboxEnding['why']): string {
  return endings[why]
}

/** Why a sandbox sleeps that nobody used. */
export function describeIdle({ idleTimeoutMs: ms }: Pick<SandboxRow, 'idleTimeoutMs'>): string {
  const time = ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
  return `nobody used it for ${time}`
}

/** What is lost with the sessions of a sandbox, in words; undefined when there was nothing to lose. */
export function describeLoss(sessions: KeptSession[]): string | undefined {
  const used = sessions.filter(({ cells }) => cells > 0)
  if (used.length === 0) return undefined
  const names = used.map(({ context, cells }) => `${context} after ${cells} ${cells === 1 ? 'cell' : 'cells'}`)
  return `variables are gone (${names.join(', ')}): rerun runs the cells again`
}

/** The files that a sandbox lacks since it was opened again; undefined when it lacks none. */
export function describeMissing(paths: string[]): string | undefined {
  if (paths.length === 0) return undefined
  return paths.length === 1 ? '1 file could not be put back' : `${paths.length} files could not be put back`
}

/** What whoever wakes a sandbox should know of its sleep. */
export function describeWaking(
  { reason, sessions, notice }: Pick<SandboxRow, 'reason' | 'sessions' | 'notice'>,
  missing: string[],
): string {
  const said = [
    `It slept because ${reason ?? 'nobody used it'}: its files are back`,
    // one that slept twice without a cell in between still lacks what it lacked before
    describeLoss(sessions) ??
      (notice?.includes('variables are gone') ? 'its variables are gone' : 'no variables were lost'),
    describeMissing(missing),
  ]
  return said.filter((part) => part !== undefined).join('; ')
}
