import type { AgentDefinition, TriedSkill } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import {
  findApprovedSkill,
  listActiveSkills,
  listApprovedFolders,
  parseSkill,
  readApprovedFolder,
  readSkillContent,
  type Folder,
} from '../../registry/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'

export interface SkillDeps {
  database: Database
  workspaces: Workspaces
}

/** A skill that an agent may load. Proposals, rejected and archived ones are none. */
export interface OfferedSkill {
  name: string
  description: string
  /** Of the team's skill; null for a folder of the thread's workspace. */
  version: number | null
}

export interface OpenedSkill extends OfferedSkill {
  /** The instructions below the front matter. */
  body: string
  content: Folder
}

/** The thread, as far as it decides about skills. */
export interface SkillPlace {
  teamId: string
  workspaceId: string | null
  /** The version it tries, in place of another of that name. */
  skill: TriedSkill | null
}

/** No agent is offered more; a definition that names its skills names no more either. */
const mostOffered = 64

/** The skill that is tried, and those a definition lists, where a person approved them: the team's, then the workspace's. */
export async function listOfferedSkills(
  deps: SkillDeps,
  { skills: names = [] }: Pick<AgentDefinition, 'skills'>,
  { teamId, workspaceId, skill }: SkillPlace,
): Promise<OfferedSkill[]> {
  const tried = skill && (await findApprovedSkill(deps.database, teamId, skill))
  if (names.length === 0) return tried ? [tried] : []
  const [ofTeam, folders] = await Promise.all([
    listActiveSkills(deps.database, teamId, { names, most: mostOffered }),
    workspaceId === null ? [] : listApprovedFolders(deps, { teamId, workspaceId }),
  ])
  const isListed = (name: string) => names === 'all' || names.includes(name)
  const ofWorkspace = folders
    .filter(({ name }) => isListed(name) && !ofTeam.some((one) => one.name === name))
    .map(({ name, description }) => ({ name, description, version: null }))
  const others = [...ofTeam, ...ofWorkspace].filter(({ name }) => name !== tried?.name)
  return [...(tried ? [tried] : []), ...others].slice(0, mostOffered)
}

/** A skill with its files, if it is offered now: one that was archived a moment ago is not. */
export async function openSkill(
  deps: SkillDeps,
  definition: Pick<AgentDefinition, 'skills'>,
  place: SkillPlace & { name: string },
): Promise<OpenedSkill | undefined> {
  const { teamId, workspaceId, name } = place
  const isListed = definition.skills === 'all' || definition.skills?.includes(name)
  const all = await listOfferedSkills(deps, { skills: isListed ? [name] : [] }, place)
  const offered = all.find((one) => one.name === name)
  if (!offered) return undefined
  const content =
    offered.version !== null
      ? await readSkillContent(deps.database, teamId, { name, version: offered.version })
      : workspaceId === null
        ? undefined
        : await readApprovedFolder(deps, { teamId, workspaceId }, name)
  return content && { ...offered, content, body: parseSkill(content).body }
}
