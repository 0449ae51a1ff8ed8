import { CoherexError } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { auditAgent, insertVersion, setAgent, type AgentAuthor } from './agent-store.ts'
import { agentVersionTable, type AgentRow } from './agent-tables.ts'
import { holdOrInsert, requireDefinition, type AgentStore } from './agents.ts'
import { builtInAgents } from './built-in-agents.ts'

// more than a person would look through
const proposalsPerAgent = 10
const proposalsPerTeam = 100

/**
 * What an agent writes to a definition. One that was never active, and that nobody can run, is a draft and takes it as it
 * is; for any other it is a proposal, and what is in use stays in use until a person accepts it.
 */
export async function proposeAgent(
  { database, changed }: Pick<AgentStore, 'database' | 'changed'>,
  caller: TeamCaller,
  { source, note, agent }: { source: string; note: string; agent: AgentAuthor },
): Promise<{ name: string; version: number; state: 'draft' | 'proposed' }> {
  const definition = requireDefinition(source)
  const { name } = definition
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const row = await holdOrInsert(transaction, caller, name)
    const state = row.status === 'draft' && !row.wasActive ? ('draft' as const) : ('proposed' as const)
    if (state === 'proposed') await checkProposal(transaction, row, source)
    const { version } = await insertVersion(transaction, caller, { definition, source, note, state, agent })
    if (state === 'draft') {
      await setAgent(transaction, row, { version })
      const draft = { name, status: row.status, definition }
      await changed(transaction, caller, { agent: draft, isNewVersion: true, isNewStatus: false })
    }
    const verb = state === 'proposed' ? 'propose' : row.version === 0 ? 'create' : 'change'
    await auditAgent(transaction, caller, { action: `agent.${verb}`, name, details: { version }, by: agent })
    return { name, version, state }
  })
}

async function checkProposal(
  transaction: Transaction,
  { teamId, name, version }: AgentRow,
  source: string,
): Promise<void> {
  const rows = await transaction
    .select({ version: agentVersionTable.version, state: agentVersionTable.state })
    .from(agentVersionTable)
    .where(
      and(
        eq(agentVersionTable.teamId, teamId),
        eq(agentVersionTable.agentName, name),
        eq(agentVersionTable.source, source),
      ),
    )
  const isInUse =
    version === 0 ? builtInAgents.get(name)?.source === source : rows.some((one) => one.version === version)
  if (isInUse) throw new CoherexError('conflict', `"${name}" has this very definition already`)
  const same = rows.find(({ state }) => state === 'proposed')
  if (same) throw new CoherexError('conflict', `This is proposed as version ${same.version} of "${name}" already`)
  const isProposed = and(eq(agentVersionTable.teamId, teamId), eq(agentVersionTable.state, 'proposed'))
  const ofAgent = await transaction.$count(agentVersionTable, and(isProposed, eq(agentVersionTable.agentName, name)))
  const ofTeam = await transaction.$count(agentVersionTable, isProposed)
  if (ofAgent < proposalsPerAgent && ofTeam < proposalsPerTeam) return
  throw new CoherexError('quota_exceeded', `${ofAgent} proposals for "${name}", ${ofTeam} in all, wait for a person`)
}
