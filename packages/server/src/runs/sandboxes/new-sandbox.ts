import type { AuditAction, SandboxRequest, Template } from '@coherex/contract'
import type { AuditEntry, TeamCaller } from '../../access/index.ts'
import { createId } from '../../base/index.ts'
import { describeLoss } from './describe-sandbox.ts'
import type { PackagesOfRequest } from './packages/prepare-packages.ts'
import {
  defaultIdleTimeoutMs,
  defaultSandboxLimits,
  type KeptSession,
  type SandboxOwners,
  type SandboxRow,
} from './sandbox.ts'

/** The row of a sandbox as it was asked for. */
export function newSandbox(
  { teamId, person }: TeamCaller,
  request: SandboxRequest,
  {
    serverId,
    template,
    owners,
    kept,
    lacks,
  }: PackagesOfRequest & {
    serverId: string
    template: Pick<Template, 'name' | 'version'> | undefined
    owners: SandboxOwners
  },
): SandboxRow {
  const now = new Date()
  const id = createId('sandbox')
  return {
    teamId,
    id,
    name: request.name ?? `sandbox ${id.slice(-4)}`,
    status: 'running',
    reason: null,
    notice: lacks.length > 0 ? lacks.join('; ') : null,
    personId: person.id,
    personName: person.name,
    serverId,
    language: request.language ?? null,
    templateName: template?.name ?? null,
    templateVersion: template?.version ?? null,
    limits: {
      memoryMb: request.limits?.memoryMb ?? defaultSandboxLimits.memoryMb,
      diskMb: request.limits?.diskMb ?? defaultSandboxLimits.diskMb,
    },
    network: request.network && request.network.allow.length > 0 ? request.network : null,
    env: request.env ?? {},
    workspaceId: owners.workspaceId ?? null,
    agentName: owners.agentName ?? null,
    threadId: owners.threadId ?? null,
    privateTo: owners.privateTo ?? null,
    idleTimeoutMs: request.idleTimeoutMs ?? defaultIdleTimeoutMs,
    forkedFrom: null,
    sessions: [],
    leftOut: 0,
    packages: kept,
    outsideLock: false,
    sharesSince: now,
    createdAt: now,
    lastUsedAt: now,
    endedAt: null,
  }
}

/** The row of a fork: the same place, other processes. */
export function forkedSandbox(
  { person }: TeamCaller,
  source: SandboxRow,
  { name, sessions, serverId }: { name: string | undefined; sessions: KeptSession[]; serverId: string },
): SandboxRow {
  const now = new Date()
  return {
    ...source,
    id: createId('sandbox'),
    name: name ?? `${source.name} (fork)`.slice(0, 80),
    status: 'running',
    reason: null,
    notice: `Its files are a copy; ${describeLoss(sessions) ?? 'there were no variables to lose'}`,
    personId: person.id,
    personName: person.name,
    serverId,
    forkedFrom: source.id,
    sessions: [],
    sharesSince: now,
    createdAt: now,
    lastUsedAt: now,
  }
}

export function auditSandbox(
  caller: TeamCaller,
  action: AuditAction,
  row: SandboxRow,
  details: Record<string, unknown> = {},
): AuditEntry {
  return {
    teamId: row.teamId,
    actor: caller,
    action,
    target: { kind: 'sandbox', id: row.id, name: row.name },
    details: { ...details, ...(row.network ? { network: row.network.allow } : {}) },
  }
}

export function alertOfSandbox(row: SandboxRow, signs: object[]): AuditEntry {
  return {
    teamId: row.teamId,
    actor: { kind: 'system', name: 'Coherex' },
    action: 'sandbox.alert',
    target: { kind: 'sandbox', id: row.id, name: row.name },
    details: { signs, createdBy: { id: row.personId, name: row.personName } },
  }
}
