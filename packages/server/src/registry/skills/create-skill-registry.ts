import {
  CoherexError,
  hasScope,
  type Page,
  type Skill,
  type SkillSummary,
  type SkillVersion,
  type SkillVersionDetails,
  type WorkspaceSkill,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { createDefinitions, type Decision, type DefinitionDeps } from '../definition/create-definitions.ts'
import { createHolding } from '../definition/create-holding.ts'
import type { AgentAuthor } from '../definition/definition-kind.ts'
import type { VersionName } from '../definition/definition-store.ts'
import { sizeOf, type Folder } from '../definition/folder.ts'
import { tellWhoSees } from '../definition/tell-who-sees.ts'
import { checkSkillRoom } from './check-skill-room.ts'
import { requireSkill } from './parse-skill.ts'
import { getSkill, readSkillContent } from './read-skill.ts'
import { skillKind } from './skill-kind.ts'
import { listSkills, skillBytes, type SkillFilters } from './skill-store.ts'
import { skillTable, type SkillRow } from './skill-tables.ts'
import { toVersion, toVersionDetails } from './stored-skill.ts'
import {
  approveWorkspaceSkill,
  diffWorkspaceSkill,
  listWorkspaceSkills,
  withdrawWorkspaceSkill,
} from './workspace-skills.ts'

interface NewSkillVersion {
  name: string
  files: Folder
  note: string
  expectedVersion?: number | undefined
}

/** Skills of teams, and those in their workspaces. */
export function createSkillRegistry(deps: DefinitionDeps & { workspaces: Workspaces }) {
  const { database } = deps
  const verbs = createDefinitions(skillKind, { database, events: tellWhoSees(deps, skillTable) })
  const holding = createHolding(verbs, { noun: 'skill', events: deps.events })
  const { store } = verbs
  const get = (teamId: string, name: string): Promise<Skill> => getSkill(database, teamId, name)

  /** Stores a version: active at once where the author may approve it, a proposal otherwise. Answers its number. */
  async function storeSkill(
    caller: TeamCaller,
    { name, files, note, expectedVersion, agent }: NewSkillVersion & { agent?: AgentAuthor },
  ): Promise<number> {
    const { frontMatter } = requireSkill(files, name)
    const content = { files, frontMatter }
    const isApproved = !agent && mayApproveSkills(caller)
    const room = { size: sizeOf(files), stored: await skillBytes(database, caller.teamId) }
    const check = async (transaction: Transaction, head: SkillRow) => {
      refuseOther(head, expectedVersion)
      // the same files again are no new version
      const same =
        isApproved && (await store.selectVersions(transaction, head, { where: skillKind.hasContent(content) }))
      if (same && same.some(({ version }) => version === head.activeVersion)) return head.activeVersion ?? undefined
      return checkSkillRoom(transaction, head, room)
    }
    const state = () => (isApproved ? ('approved' as const) : ('proposed' as const))
    const details = { digest: skillKind.digest(undefined, content) }
    const { version } = await verbs.storeVersion(caller, { name, content, note, agent }, { state, check, details })
    return version
  }

  async function put(caller: TeamCaller, made: NewSkillVersion): Promise<Skill> {
    await storeSkill(caller, made)
    return get(caller.teamId, made.name)
  }

  return {
    get,
    put,
    /** What an agent writes waits for a person, whoever the agent works for. */
    propose: (caller: TeamCaller, made: NewSkillVersion & { agent: AgentAuthor }): Promise<number> =>
      storeSkill(caller, made),
    list: (teamId: string, filters: SkillFilters): Promise<Page<SkillSummary>> => listSkills(database, teamId, filters),
    content: (teamId: string, at: VersionName): Promise<Folder> => readSkillContent(database, teamId, at),
    diff: verbs.diffVersions,
    setOwner: holding.setOwner,
    setReach: holding.setReach,
    remove: (caller: TeamCaller, name: string): Promise<void> =>
      verbs.remove(caller, name, async (_, head) => holding.refuseOthers(caller, head, 'delete')),

    async versions(
      teamId: string,
      name: string,
      page: { limit: number; cursor?: string | undefined },
    ): Promise<Page<SkillVersion>> {
      const { items, ...rest } = await verbs.listVersions(teamId, name, page)
      return { ...rest, items: items.map(toVersion) }
    },

    async version(teamId: string, at: VersionName): Promise<SkillVersionDetails> {
      const { version, content } = await verbs.readVersion(teamId, at)
      return toVersionDetails(version, content.files)
    },

    async decide(caller: TeamCaller, at: VersionName, decision: Decision): Promise<Skill> {
      await verbs.decide(caller, at, decision)
      return get(caller.teamId, at.name)
    },

    restore: (caller: TeamCaller, at: VersionName): Promise<Skill> =>
      verbs.restore(caller, at, ({ name, content, note }) => put(caller, { name, files: content.files, note })),

    /** An archived skill is offered to no agent. */
    async archive(caller: TeamCaller, name: string, isArchived: boolean): Promise<Skill> {
      await verbs.change(caller, name, async (transaction) => {
        const head = await store.holdHead(transaction, caller.teamId, name)
        if ((head.archivedAt !== null) === isArchived) return
        await store.setHead(transaction, head, { archivedAt: isArchived ? new Date() : null })
        await store.audit(transaction, caller, { verb: isArchived ? 'archive' : 'unarchive', name })
      })
      return get(caller.teamId, name)
    },

    listInWorkspace: (teamId: string, workspaceId: string): Promise<WorkspaceSkill[]> =>
      listWorkspaceSkills(deps, { teamId, workspaceId }),

    diffInWorkspace: (teamId: string, workspaceId: string, name: string): Promise<{ diff: string; digest: string }> =>
      diffWorkspaceSkill(deps, { teamId, workspaceId }, name),

    /** Undefined when the folder is gone: an approval can be taken back then too. */
    async decideInWorkspace(
      caller: TeamCaller,
      at: { workspaceId: string; name: string },
      answer: { decision: 'approve'; digest: string } | { decision: 'withdraw' },
    ): Promise<WorkspaceSkill | undefined> {
      const { teamId } = caller
      await deps.workspaces.get(teamId, at.workspaceId)
      if (answer.decision === 'approve') await approveWorkspaceSkill(deps, caller, { ...at, digest: answer.digest })
      else await withdrawWorkspaceSkill(deps, caller, at)
      await deps.events.publish({ teamId, type: 'skill', id: at.name })
      const items = await listWorkspaceSkills(deps, { teamId, workspaceId: at.workspaceId })
      return items.find(({ name }) => name === at.name)
    },
  }
}

/** Signed in, or with a key that may do everything. An agent has no say in it, whomever it acts for. */
function mayApproveSkills({ via, scopes }: TeamCaller): boolean {
  return via === 'session' || hasScope(scopes, 'admin')
}

function refuseOther({ name, newestVersion }: SkillRow, expected: number | undefined): void {
  if (expected === undefined || expected === newestVersion) return
  const what = newestVersion === 0 ? 'does not exist' : `is at version ${newestVersion} already`
  throw new CoherexError('conflict', `The skill "${name}" ${what}, not ${expected}`)
}
