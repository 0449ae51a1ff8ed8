import type { Language, Sandbox } from '@coherex/contract'
import type { Sandbox as RuntimeSandbox, SandboxLimits } from '../../runtimes/index.ts'
import type { sandboxTable } from '../sandbox-table.ts'
import type { VariableOwners } from '../variables/environment.ts'
import { toLocks } from './packages/sandbox-packages.ts'

export type SandboxRow = typeof sandboxTable.$inferSelect

/** Whose variables a sandbox has besides its own, the thread it belongs to, and the one person who sees it. */
export interface SandboxOwners extends VariableOwners {
  threadId?: string
  privateTo?: string | null
}

/** What is remembered of a session once it is gone. */
export interface KeptSession {
  context: string
  language: Language
  cells: number
}

/** What a sandbox gets that asks for nothing. */
export const defaultSandboxLimits: SandboxLimits = {
  memoryMb: 1024,
  processes: 128,
  openFiles: 1024,
  diskMb: 1024,
  inodes: 10_000,
}
export const defaultIdleTimeoutMs = 15 * 60_000

export function toSandboxLimits({ memoryMb, diskMb }: SandboxRow['limits']): SandboxLimits {
  return { ...defaultSandboxLimits, memoryMb, diskMb }
}

/** A session's name where nobody gave one: each language has its own. */
export function contextOf({ context, language }: { context?: string | undefined; language: Language }): string {
  return context ?? language
}

export function keepSessions(inside: RuntimeSandbox): KeptSession[] {
  return inside.sessions().map(({ context, language, cells }) => ({ context, language, cells }))
}

/** What is open of a sandbox in this process. */
export interface SandboxState {
  inside: RuntimeSandbox
  lastUsedAt: number
}

export function toSandbox(
  row: SandboxRow,
  saved: { files: number; bytes: number } | undefined,
  state: SandboxState | undefined,
): Sandbox {
  const memory = state?.inside.memory()
  const lastUsedAt = state ? Math.max(state.lastUsedAt, row.lastUsedAt.getTime()) : row.lastUsedAt.getTime()
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    reason: row.reason,
    language: row.language,
    template:
      row.templateName !== null && row.templateVersion !== null
        ? { name: row.templateName, version: row.templateVersion }
        : null,
    limits: row.limits,
    network: row.network,
    idleTimeoutMs: row.idleTimeoutMs,
    createdBy: { id: row.personId, name: row.personName },
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    expiresAt: row.status === 'running' ? new Date(lastUsedAt + row.idleTimeoutMs).toISOString() : null,
    forkedFrom: row.forkedFrom,
    ...(row.threadId !== null && { threadId: row.threadId }),
    sessions: state?.inside.sessions() ?? [],
    memory: memory ? { currentMb: toMb(memory.current), peakMb: toMb(memory.peak) } : null,
    saved: { files: saved?.files ?? 0, bytes: saved?.bytes ?? 0, leftOut: row.leftOut },
    packages: toLocks(row.packages),
    outsideLock: row.outsideLock,
    notice: row.notice,
  }
}

const toMb = (bytes: number) => Math.round((bytes / 1024 / 1024) * 10) / 10
