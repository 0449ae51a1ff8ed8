import { CoherexError, hasRole, type ToolDefinition, type ToolReach } from '@coherex/contract'
import { findMember, findMemberByEmail, recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import type { createDefinitions } from '../definition/create-definitions.ts'
import { ownerOf } from './list-tools.ts'
import { selectTriggers } from './select-users.ts'
import type { ToolFolder } from './tool-kind.ts'
import type { ToolRow, ToolVersionRow } from './tool-tables.ts'

type Verbs = Pick<ReturnType<typeof createDefinitions<ToolRow, ToolVersionRow, ToolFolder>>, 'store' | 'change'>

export const noTriggers =
  'what its triggers are sent is the team’s. Take them out of tool.yaml, or share it with the team'

/** Who answers for a tool, and who sees it. */
export function createToolHolding({ store, change }: Verbs, database: Database) {
  async function hold(transaction: Transaction, caller: TeamCaller, name: string, what: string): Promise<ToolRow> {
    const head = await store.holdHead(transaction, caller.teamId, name)
    refuseOthers(caller, head, what)
    return head
  }

  const holding = {
    async setOwner(caller: TeamCaller, name: string, personId: string): Promise<void> {
      await change(caller, name, async (transaction) => {
        const head = await hold(transaction, caller, name, 'hand over')
        const member = await findMember(transaction, caller.teamId, personId)
        if (!member) throw new CoherexError('not_found', 'There is no such member in this team')
        if (head.reach === 'private')
          throw new CoherexError(
            'conflict',
            `Cannot hand over the tool "${name}": it is private. Share it with the team first`,
          )
        await store.setHead(transaction, head, { ownerId: member.id, ownerName: member.name })
        await recordAudit(transaction, {
          ...{ teamId: caller.teamId, actor: caller, action: 'tool.owner', target: { kind: 'tool', name } },
          details: { before: ownerOf(head).name, after: member.name },
        })
      })
    },

    async setReach(caller: TeamCaller, name: string, reach: ToolReach): Promise<void> {
      await change(caller, name, async (transaction) => {
        const head = await hold(transaction, caller, name, 'change the reach of')
        if (reach === 'private' && ownerOf(head).id !== caller.person.id)
          throw new CoherexError('forbidden', `Cannot make the tool "${name}" private: only its owner can`)
        if (reach === 'private' && (await selectTriggers(transaction, caller.teamId, name)).length > 0)
          throw new CoherexError('conflict', `Cannot make the tool "${name}" private: ${noTriggers}`)
        await store.setHead(transaction, head, { reach })
        await recordAudit(transaction, {
          ...{ teamId: caller.teamId, actor: caller, action: 'tool.reach', target: { kind: 'tool', name } },
          details: { before: head.reach, after: reach },
        })
      })
    },

    /** Makes owner and reach what the version says that is about to be published. */
    async follow(caller: TeamCaller, head: ToolRow, { owner, reach }: Pick<ToolDefinition, 'owner' | 'reach'>) {
      if (reach !== undefined && reach !== head.reach) await holding.setReach(caller, head.name, reach)
      if (owner === undefined) return
      const found = await database.transaction({ team: caller.teamId }, (transaction) =>
        findMemberByEmail(transaction, caller.teamId, owner),
      )
      if (!found)
        throw new CoherexError(
          'conflict',
          `Cannot publish the tool "${head.name}": its owner ${owner} is not in the team`,
        )
      if (found.id !== ownerOf(head).id) await holding.setOwner(caller, head.name, found.id)
    },
  }
  return holding
}

/** Throws unless the caller owns the tool or is an admin. */
export function refuseOthers(caller: TeamCaller, head: ToolRow, what: string): void {
  const owner = ownerOf(head)
  if (owner.id === caller.person.id || hasRole(caller.role, 'admin')) return
  throw new CoherexError('forbidden', `Cannot ${what} the tool "${head.name}": that is up to ${owner.name} or an admin`)
}
