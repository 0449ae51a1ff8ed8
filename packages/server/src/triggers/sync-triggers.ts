import { CoherexError, type ToolTrigger, type TriggerDefinition } from '@coherex/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { hashToken, toActing, type TeamCaller } from '../access/index.ts'
import { seenNow } from '../agents/index.ts'
import { createId, createToken, type Transaction } from '../base/index.ts'
import { nextFirings, type AgentDeps, type ToolDeps } from '../registry/index.ts'
import { triggerTable, type StoredTrigger } from './tables.ts'
import { isOf, type Target } from './target.ts'
import { isSameOccasion, isSameTrigger, nameTriggers, type Clock, type NamedTrigger } from './trigger.ts'

const mostPerTeam = 500

/**
 * Makes the triggers of an agent or a tool those of the version in use, in the transaction that puts it in use. One that is still
 * there keeps its address and secrets; all act from now on for whoever stored or accepted the version.
 */
async function syncTriggers(
  transaction: Transaction,
  caller: TeamCaller,
  { target, triggers }: { target: Target; triggers: readonly (TriggerDefinition | ToolTrigger)[] | undefined },
  clock: Clock,
): Promise<void> {
  const { teamId, person } = caller
  const before = await selectOf(transaction, teamId, target)
  const named = nameTriggers(triggers)
  const kept = new Map(
    named.flatMap(({ name, definition }) => {
      const one = before.find((other) => other.name === name && isSameTrigger(other.definition, definition))
      return one ? [[name, one] as const] : []
    }),
  )
  const gone = before.filter((one) => kept.get(one.name) !== one)
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
    await transaction.delete(triggerTable).where(and(eq(triggerTable.teamId, teamId), inArray(triggerTable.id, ids)))
  }
  const author = { personId: person.id, personName: person.name, acting: toActing(caller) }
  for (const trigger of named) {
    const one = kept.get(trigger.name)
    const { definition } = trigger
    const moved =
      one && isSameOccasion(one.definition, definition) ? {} : await begin(transaction, teamId, trigger, clock)
    if (one) await update(transaction, one, { definition, ...author, ...moved })
    else {
      const address = trigger.kind === 'webhook' ? newAddress() : {}
      await transaction
        .insert(triggerTable)
        .values({ teamId, id: createId('trigger'), ...target, ...trigger, ...author, ...address, ...moved })
    }
  }
  const count = await transaction.$count(triggerTable, eq(triggerTable.teamId, teamId))
  if (count > mostPerTeam) {
    throw new CoherexError('quota_exceeded', `A team has ${mostPerTeam} triggers at the most`)
  }
}

/** An agent that becomes active again, or a tool that is published again, begins from now: what came while it rested is not made up for. */
async function restartTriggers(transaction: Transaction, teamId: string, target: Target, clock: Clock): Promise<void> {
  for (const one of await selectOf(transaction, teamId, target)) {
    await update(transaction, one, { heldUntil: null, ...(await begin(transaction, teamId, one, clock)) })
  }
}

function selectOf(transaction: Transaction, teamId: string, target: Target): Promise<StoredTrigger[]> {
  return transaction
    .select()
    .from(triggerTable)
    .where(and(eq(triggerTable.teamId, teamId), isOf(target)))
    .for('update')
}

async function update(
  transaction: Transaction,
  { teamId, id }: StoredTrigger,
  changes: Partial<StoredTrigger>,
): Promise<void> {
  await transaction
    .update(triggerTable)
    .set(changes)
    .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.id, id)))
}

async function begin(
  transaction: Transaction,
  teamId: string,
  { definition }: Pick<NamedTrigger, 'definition'>,
  clock: Clock,
): Promise<Partial<StoredTrigger>> {
  if ('schedule' in definition) return { nextAt: nextFirings(definition, new Date(clock()))[0] ?? null }
  return 'event' in definition ? { seen: await seenNow(transaction, teamId, definition) } : {}
}

/** 192 random bits: nobody finds it by trying. */
function newAddress(): { hook: string; hookHash: string } {
  const hook = createToken()
  return { hook, hookHash: hashToken(hook) }
}

/** Has the triggers of an agent follow it, in the transaction that stores the change. */
export const followAgent: AgentDeps['changed'] = async (transaction, caller, { agent, isNewVersion, isNewStatus }) => {
  const target = { agentName: agent.name }
  const { triggers } = agent.definition
  if (isNewVersion) await syncTriggers(transaction, caller, { target, triggers }, Date.now)
  if (isNewStatus && agent.status === 'active') await restartTriggers(transaction, caller.teamId, target, Date.now)
}

/** Has the triggers of a tool follow its published version. */
export const followTool: ToolDeps['toolChanged'] = async (transaction, caller, { name, published }) => {
  const target = { toolName: name }
  if (published) await syncTriggers(transaction, caller, { target, triggers: published.triggers }, Date.now)
  else await restartTriggers(transaction, caller.teamId, target, Date.now)
}
