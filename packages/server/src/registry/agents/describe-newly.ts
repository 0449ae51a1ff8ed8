import { durationToMs, type AgentDefinition, type ApprovalRule, type TriggerDefinition } from '@coherex/contract'

/** What an agent may do by one definition that it may not do by another, in sentences for the person who decides. */
export function describeNewly(before: AgentDefinition, after: AgentDefinition): string[] {
  return [
    ...tools(before, after),
    ...network(before, after),
    ...packages(before, after),
    ...approvals(before, after),
    ...limits(before, after),
    ...skills(before, after),
    ...sources(before, after),
    ...triggers(before, after),
    ...words(before, after),
  ]
}

type Describe = (before: AgentDefinition, after: AgentDefinition) => string[]

const toolWords: Record<string, string> = {
  files: 'It may read and change files of its workspace.',
  bash: 'It may run commands in its sandbox.',
  'run-code': 'It may run code in its sandbox.',
  fetch: 'It may fetch from the addresses of its network.',
  'code-mode': 'It may run programs that call its other tools.',
  definitions: 'It may save drafts of agents and propose changes of agents.',
  sleep: 'It may sleep, and go on by itself later.',
  'propose-skill': 'It may propose skills.',
}

const tools: Describe = ({ tools: held = [] }, { tools: wanted = [] }) =>
  added(held, wanted).map((reference) => {
    const [kind, name = ''] = reference.split(':')
    if (kind === 'agent') return `It may ask the agent ${name}.`
    const [server = '', tool] = name.split('/')
    if (kind === 'mcp' && tool) return `It may use the tool ${tool} of the MCP server ${server}.`
    if (kind === 'mcp') return `It may use all tools of the MCP server ${name}.`
    if (kind === 'tool') return `It may use the tool ${name}.`
    return toolWords[reference] ?? `It may use ${reference}.`
  })

const network: Describe = (before, after) =>
  added(before.network?.allow ?? [], after.network?.allow ?? []).map((prefix) => `It may reach ${prefix}`)

const packages: Describe = (before, after) =>
  added(before.packages ?? [], after.packages ?? []).map((one) => `Its sandbox has the package ${one}`)

const approvals: Describe = (before, after) =>
  ruledTools(after).flatMap((tool) => {
    const [was, is] = [askingOf(ruleOf(before, tool)), askingOf(ruleOf(after, tool))]
    const told: string[] = []
    // a tool that it did not hold asked for nothing; one of an MCP server asks unless a rule says otherwise
    if ((isMcp(tool) || before.tools?.includes(tool)) && !asksAtLeast(is.ask, was.ask)) {
      told.push(`It uses ${tool} ${askWords[is.ask]} (until now ${askWords[was.ask]}).`)
    }
    if (is.ask === 'outside-allow-list' && was.ask !== 'outside-allow-list') {
      told.push('It may ask a person for addresses outside of its network, and reach those that are approved.')
    }
    if (asksAtLeast(is.ask, was.ask) && asks(was.ask) && is.expiresMs > was.expiresMs) {
      told.push(`Its questions about ${tool} can be answered for longer than now.`)
    }
    return told
  })

type ToolName = NonNullable<AgentDefinition['tools']>[number]

/** Tools that it holds, and those of MCP servers that only a rule names. */
function ruledTools({ tools: held = [], approvals: rules = {} }: AgentDefinition): ToolName[] {
  return [...new Set([...held, ...(Object.keys(rules) as ToolName[]).filter(isMcp)])]
}

const isMcp = (tool: string): boolean => tool.startsWith('mcp:')

function ruleOf({ approvals: rules = {} }: AgentDefinition, tool: ToolName): ApprovalRule | undefined {
  if (!isMcp(tool)) return rules[tool]
  return rules[tool] ?? rules[tool.split('/')[0] as ToolName] ?? 'always'
}

type Ask = Exclude<ApprovalRule, object>

const askWords: Record<Ask, string> = {
  always: 'after a person approved each call',
  'when-writing': 'after a person approved each call that changes something',
  'first-time': 'after a person approved its first call in a conversation',
  'outside-allow-list': 'without asking, within its network',
  never: 'without asking a person',
}

function askingOf(rule: ApprovalRule = 'never'): { ask: Ask; expiresMs: number } {
  const { ask, expires = '1d' } = typeof rule === 'string' ? { ask: rule } : rule
  return { ask, expiresMs: durationToMs(expires) }
}

const asks = (ask: Ask): boolean => ask !== 'never' && ask !== 'outside-allow-list'

/** Whether one rule asks before every call that another one asks before. */
function asksAtLeast(is: Ask, was: Ask): boolean {
  return is === 'always' || is === was || !asks(was)
}

const limits: Describe = ({ limits: was = {} }, { limits: is = {} }) => [
  ...raised('steps in one turn', was.steps ?? 20, is.steps ?? 20),
  ...raised('tokens in one turn', was.tokens, is.tokens),
  ...raised('US dollars for one turn', was.costUsd, is.costUsd),
  ...raised('minutes for one turn', minutes(was.time), minutes(is.time)),
  ...raised('agents that ask each other in a row', was.depth ?? 2, is.depth ?? 2),
  ...raised('turns at once', was.turnsAtOnce, is.turnsAtOnce),
]

/** Without a number there is no limit. */
function raised(what: string, was: number | undefined, is: number | undefined): string[] {
  if (was === undefined || (is !== undefined && is <= was)) return []
  return [`${is === undefined ? `It has no limit of ${what}` : `Its limit of ${what} is ${is}`} (until now ${was}).`]
}

const minutes = (time = '10m'): number => durationToMs(time) / 60_000

const skills: Describe = ({ skills: was = [] }, { skills: is = [] }) => {
  if (is === 'all') return was === 'all' ? [] : ['It may load all skills of the team and of its workspace.']
  return was === 'all' ? [] : added(was, is).map((name) => `It may load the skill ${name}.`)
}

const sources: Describe = ({ sources: was = [] }, { sources: is = [] }) =>
  is.flatMap(({ name, access }) => {
    const held = was.filter((one) => one.name === name).map((one) => one.access)
    if (held.includes(access) || held.includes('write')) return []
    return [`It may ${access === 'write' ? 'read and change' : 'read'} the source ${name}.`]
  })

const triggers: Describe = ({ triggers: was = [] }, { triggers: is = [] }) => {
  const held = new Set(was.map((one) => JSON.stringify(one)))
  return is.filter((one) => !held.has(JSON.stringify(one))).map((one) => `It starts by itself ${occasionOf(one)}.`)
}

function occasionOf(trigger: TriggerDefinition): string {
  const where = trigger.workspace === undefined ? '' : ` in the workspace ${trigger.workspace}`
  if ('schedule' in trigger) return `at the times ${trigger.schedule} (${trigger.timezone ?? 'UTC'})${where}`
  if ('webhook' in trigger) return `when a signed request reaches its webhook${where}`
  return `on the event ${trigger.event}${trigger.paths ? ` of ${trigger.paths.join(', ')}` : ''}${where}`
}

/** What changes what it does, and not what it may. */
const words: Describe = (before, after) => {
  const [was, is] = [before.context?.messages ?? 50, after.context?.messages ?? 50]
  return [
    ...(before.model === after.model ? [] : [`It works with ${modelOf(after)} (until now with ${modelOf(before)}).`]),
    ...(is > was ? [`It sees the last ${is} messages of a conversation (until now ${was}).`] : []),
    ...(before.instructions === after.instructions ? [] : ['It follows other instructions.']),
    ...(before.description === after.description ? [] : ['People and agents read another description of it.']),
  ]
}

const modelOf = ({ model }: AgentDefinition): string => model ?? 'the team’s default model'

function added(held: readonly string[], wanted: readonly string[]): string[] {
  return [...new Set(wanted)].filter((one) => !held.includes(one))
}
