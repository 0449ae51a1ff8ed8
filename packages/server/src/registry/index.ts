export { createAgent, getAgent, putAgent, removeAgent, setAgentStatus, type AgentStore } from './agents/agents.ts'
export { diffAgentVersions, getAgentVersion, listAgents, listAgentVersions } from './agents/list-agents.ts'
export { parseDefinition } from './agents/parse-definition.ts'
export type { StoredAgent } from './agents/stored-agent.ts'
