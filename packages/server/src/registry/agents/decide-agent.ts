import { createHash } from 'node:crypto'
import { CoherexError, type AgentProposal } from '@coherex/contract'
import { and, desc, eq } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { unifiedDiff } from '../../workspaces/index.ts'
import { showHidden } from '../show-hidden.ts'
import { auditAgent, getAgent, holdAgent, selectVersion, setAgent, setDecision, unknownAgent } from './agent-store.ts'
import { agentVersionTable } from './agent-tables.ts'
import { refuseNeeds, type AgentStore } from './agents.ts'
import { describeNewly } from './describe-newly.ts'
import { toVersion } from './list-agents.ts'
import type { StoredAgent } from './stored-agent.ts'

export interface AgentDecision {
  decision: 'approve' | 'reject'
  /** Of what the person has seen. */
  digest: string
  note: string
}

/** What agents propose for an agent, newest first, compared with the version in use. */
export async function listAgentProposals(database: Database, teamId: string, name: string): Promise<AgentProposal[]> {
  const inUse = await getAgent(database, teamId, name)
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(agentVersionTable)
      .where(
        and(
          eq(agentVersionTable.teamId, teamId),
          eq(agentVersionTable.agentName, name),
          eq(agentVersionTable.state, 'proposed'),
        ),
      )
      .orderBy(desc(agentVersionTable.version)),
  )
  return rows.map((row) => ({
    ...toVersion(row),
    source: row.source,
    diff: unifiedDiff({ path: `${name}.yaml`, before: toVisible(inUse.source), after: toVisible(row.source) }),
    newly: describeNewly(inUse.definition, row.definition).map((sentence) => showHidden(sentence)),
    digest: digestOf(inUse, row),
  }))
}

/** A person's answer to a proposal. What is approved is in use from then on. */
export async function decideAgent(
  { database, findNeeds, changed }: AgentStore,
  caller: TeamCaller,
  { name, version }: { name: string; version: number },
  { decision, digest, note }: AgentDecision,
): Promise<StoredAgent> {
  const { teamId } = caller
  const inUse = await getAgent(database, teamId, name)
  const { definition } = await database.transaction({ team: teamId }, (transaction) =>
    selectVersion(transaction, teamId, name, version),
  )
  const isApproved = decision === 'approve'
  const needs = isApproved ? await findNeeds(teamId, definition) : []
  await database.transaction({ team: teamId }, async (transaction) => {
    const row = await holdAgent(transaction, teamId, name)
    if (!row) throw unknownAgent(name)
    const proposed = await selectVersion(transaction, teamId, name, version)
    if (proposed.state !== 'proposed') {
      throw new CoherexError('conflict', `Version ${version} of "${name}" is ${proposed.state} already`)
    }
    if (row.version !== inUse.version || digestOf(inUse, proposed) !== digest) {
      throw new CoherexError(
        'conflict',
        `What you have seen of version ${version} of "${name}" is out of date: look again`,
      )
    }
    await setDecision(transaction, caller, proposed, { state: isApproved ? 'approved' : 'rejected', note })
    if (isApproved) {
      if (row.status === 'active') refuseNeeds(name, needs)
      await setAgent(transaction, row, { version })
      const accepted = { name, status: row.status, definition: proposed.definition }
      await changed(transaction, caller, { agent: accepted, isNewVersion: true, isNewStatus: false })
    }
    const { byAgent: agent, turnId, createdByName } = proposed
    const details = { version, digest, agent, turnId, for: createdByName }
    await auditAgent(transaction, caller, { action: `agent.${decision}`, name, details })
  })
  return getAgent(database, teamId, name)
}

function digestOf(before: { source: string }, after: { source: string }): string {
  // no source has NUL in it
  return createHash('sha256').update(`${before.source}\0${after.source}`).digest('hex')
}

function toVisible(source: string): string {
  return showHidden(source, { keepsTabs: true })
}
