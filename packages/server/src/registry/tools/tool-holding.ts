import { CoherexError, type ToolDefinition } from '@coherex/contract'
import { findMemberByEmail, type TeamCaller } from '../../access/index.ts'
import type { EventBus, Transaction } from '../../base/index.ts'
import type { createDefinitions } from '../definition/create-definitions.ts'
import { createHolding, ownerOf } from '../definition/create-holding.ts'
import { selectTriggers } from './select-users.ts'
import type { ToolFolder } from './tool-kind.ts'
import type { ToolRow, ToolVersionRow } from './tool-tables.ts'

type Verbs = Pick<ReturnType<typeof createDefinitions<ToolRow, ToolVersionRow, ToolFolder>>, 'store' | 'change'>

export const noTriggers =
  'what its triggers are sent is the team’s. Take them out of tool.yaml, or share it with the team'

/** Who answers for a tool, and who sees it. */
export function createToolHolding(verbs: Verbs, events: Pick<EventBus, 'publish'>) {
  const holding = createHolding(verbs, {
    noun: 'tool',
    events,
    whyNotPrivate: async (transaction, { teamId, name }) =>
      (await selectTriggers(transaction, teamId, name)).length > 0 ? noTriggers : undefined,
  })
  return {
    ...holding,

    /** Makes owner and reach what the version says that is being published. */
    async follow(
      transaction: Transaction,
      caller: TeamCaller,
      held: ToolRow,
      { owner, reach }: Pick<ToolDefinition, 'owner' | 'reach'>,
    ): Promise<ToolRow> {
      const isMoved = reach !== undefined && reach !== held.reach
      const head = isMoved ? await holding.showTo(transaction, caller, held, reach) : held
      if (owner === undefined) return head
      const found = await findMemberByEmail(transaction, caller.teamId, owner)
      if (!found)
        throw new CoherexError(
          'conflict',
          `Cannot publish the tool "${head.name}": its owner ${owner} is not in the team`,
        )
      return found.id === ownerOf(head).id ? head : holding.giveTo(transaction, caller, head, found.id)
    },
  }
}
