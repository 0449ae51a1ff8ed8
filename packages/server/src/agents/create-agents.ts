import type { AgentDefinition, AgentNeed, AgentTemplate, ModelChoices, ThreadRequest } from '@coherex/contract'
import { recordAudit, type KeyRing, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus, Log } from '../base/index.ts'
import type { Egress } from '../egress/index.ts'
import type { Runs, Sandboxes } from '../runs/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { readDefaultModel, setDefaultModel } from './choose-model.ts'
import { findNeeds } from './find-needs.ts'
import { createModels } from './models/models.ts'
import { templates } from './templates/read-templates.ts'
import { createToolbox } from './tools/create-toolbox.ts'
import { Turns } from './turns/turns.ts'

export interface AgentsRooms {
  database: Database
  events: EventBus
  log: Log
  keyRing: KeyRing
  egress: Egress
  runs: Runs
  sandboxes: Sandboxes
  workspaces: Workspaces
  serverId: string
  /** Keys and addresses of models that the operator set, by name. */
  modelSettings: Readonly<Record<string, string | undefined>>
}

export type Agents = ReturnType<typeof createAgents>

/** Agents at work: models, tools and turns. */
export function createAgents(rooms: AgentsRooms) {
  const { database } = rooms
  const models = createModels({ ...rooms, settings: rooms.modelSettings })
  const needsOf = (teamId: string, definition: AgentDefinition): Promise<AgentNeed[]> =>
    findNeeds({ database, models }, teamId, definition)
  const toolbox = createToolbox(
    { ...rooms, findNeeds: needsOf },
    { say: (saying) => turns.say(saying), ended: (turnId) => turns.ended(turnId) },
  )
  const turns: Turns = new Turns({ ...rooms, models, toolsFor: toolbox.toolsFor })

  return {
    models,
    turns,
    findNeeds: needsOf,

    async templates(teamId: string): Promise<AgentTemplate[]> {
      return Promise.all(
        templates.map(async ({ id, title, source, definition }) => ({
          id,
          title,
          description: definition.description,
          source,
          needs: await needsOf(teamId, definition),
        })),
      )
    },

    async modelChoices(teamId: string): Promise<ModelChoices> {
      const chosen = await readDefaultModel(database, teamId)
      const providers = await models.list(teamId)
      const first = providers.find(({ setBy, models: [one] }) => setBy && one)?.models[0]?.name
      return { providers, defaultModel: chosen ?? first ?? null, isChosen: chosen !== null }
    },

    async setDefaultModel(caller: TeamCaller, model: string | null): Promise<void> {
      await setDefaultModel(database, caller.teamId, model)
      await database.transaction({ team: caller.teamId }, (transaction) =>
        recordAudit(transaction, {
          teamId: caller.teamId,
          actor: caller,
          action: 'model.default',
          target: { kind: 'model', name: model },
        }),
      )
    },

    /** Throws when a thread names something that is not the team's. */
    async checkThread({ teamId }: TeamCaller, { workspaceId }: ThreadRequest): Promise<void> {
      if (workspaceId !== undefined) await rooms.workspaces.get(teamId, workspaceId)
    },

    close: (): Promise<void> => turns.close(),
  }
}
