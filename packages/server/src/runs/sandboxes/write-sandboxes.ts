import { CoherexError } from '@coherex/contract'
import { recordAudit, toAuditRow, type AuditEntry } from '../../access/index.ts'
import type { Database, Log } from '../../base/index.ts'
import { WriteBatches } from '../record/write-batches.ts'
import { copyContents, countSandboxes, insertSandbox } from './sandbox-store.ts'
import type { SandboxRow } from './sandbox.ts'

export interface NewSandbox {
  row: SandboxRow
  audit: AuditEntry
}

// far more than a team can use; sleeping ones cost storage, which has a quota of its own
const mostPerTeam = 1000

/** Writes new sandboxes with their audit events, many in one transaction when many come at once. */
export function createSandboxWriter({ database, log }: { database: Database; log: Log }) {
  const batches = new WriteBatches<NewSandbox>({
    async write(items) {
      await database.call('create_sandboxes', JSON.stringify(toBatches(items)))
    },
    // names, addresses and variables that the request's own limit bounds
    sizeOf: ({ row }) => 2000 + JSON.stringify(row.env).length + JSON.stringify(row.packages).length,
    log,
  })
  return async (item: NewSandbox): Promise<void> => {
    try {
      await batches.add(item)
    } catch (error) {
      throw isTooMany(error) ? tooMany() : error
    }
  }
}

/** Writes a sandbox that begins with the files and the cells of another. */
export async function writeFork(
  database: Database,
  { row, source, audit }: NewSandbox & { source: SandboxRow },
): Promise<void> {
  const { teamId } = row
  await database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    if ((await countSandboxes(transaction, teamId)) >= mostPerTeam) throw tooMany()
    await insertSandbox(transaction, row)
    await copyContents(transaction, teamId, source.id, row.id)
    await recordAudit(transaction, audit)
  })
}

function tooMany(): CoherexError {
  return new CoherexError('quota_exceeded', `The team has ${mostPerTeam} sandboxes already: delete some`)
}

function isTooMany(error: unknown): boolean {
  return (error as { constraint?: unknown }).constraint === 'sandboxes_of_team'
}

function toBatches(items: NewSandbox[]) {
  return [...Map.groupBy(items, ({ row }) => row.teamId)].map(([teamId, own]) => ({
    team_id: teamId,
    most: mostPerTeam,
    sandboxes: own.map(({ row }) => toStored(row)),
    audits: own.map(({ audit }) => toAuditRow(audit)),
  }))
}

function toStored(row: SandboxRow) {
  return {
    team_id: row.teamId,
    id: row.id,
    name: row.name,
    status: row.status,
    person_id: row.personId,
    person_name: row.personName,
    server_id: row.serverId,
    language: row.language,
    template_name: row.templateName,
    template_version: row.templateVersion,
    limits: row.limits,
    network: row.network,
    env: row.env,
    workspace_id: row.workspaceId,
    agent_name: row.agentName,
    thread_id: row.threadId,
    private_to: row.privateTo,
    idle_timeout_ms: row.idleTimeoutMs,
    packages: row.packages,
    shares_since: row.sharesSince,
    created_at: row.createdAt,
    last_used_at: row.lastUsedAt,
  }
}
