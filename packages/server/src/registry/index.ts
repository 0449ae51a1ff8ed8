export { getAgent } from './agents/agent-store.ts'
export {
  createAgent,
  putAgent,
  removeAgent,
  restoreAgent,
  setAgentStatus,
  type AgentChange,
  type AgentStore,
} from './agents/agents.ts'
export { decideAgent, listAgentProposals } from './agents/decide-agent.ts'
export { diffAgentVersions, getAgentVersion, listAgents, listAgentVersions } from './agents/list-agents.ts'
export { parseDefinition } from './agents/parse-definition.ts'
export { proposeAgent } from './agents/propose-agent.ts'
export type { StoredAgent } from './agents/stored-agent.ts'
export { nextFirings } from './agents/schedule.ts'
export { archiveSkill, decideSkill, removeSkill, restoreSkill } from './skills/decide-skill.ts'
export { describeProblem, parseSkill, requireSkill } from './skills/parse-skill.ts'
export { readSkillZip } from './skills/read-skill-zip.ts'
export { diffSkillVersions, getSkill, getSkillVersion, readSkillContent } from './skills/read-skill.ts'
export { byPath, fromGivenFiles, instructionsPath, readText, type SkillContent } from './skills/skill-content.ts'
export { listActiveSkills, listSkills, listSkillVersions } from './skills/skill-store.ts'
export { storeSkill } from './skills/store-skill.ts'
export {
  approveWorkspaceSkill,
  diffWorkspaceSkill,
  isInSomeWorkspace,
  listApprovedFolders,
  listWorkspaceSkills,
  readApprovedFolder,
  withdrawWorkspaceSkill,
} from './skills/workspace-skills.ts'
export { showHidden, toPlainLine } from './show-hidden.ts'
