import type { DefinitionKind } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../../data/query/call.ts'
import type { JsonSchema } from './schema-at.ts'

const freshMs = 60_000
const known = new Map<DefinitionKind, { at: number; schema: Promise<JsonSchema> }>()

/** The schema of a kind of definitions, with the names that the team has for what an agent refers to. */
export async function schemaOf(kind: DefinitionKind): Promise<JsonSchema> {
  const last = known.get(kind)
  if (last && Date.now() - last.at < freshMs) return last.schema
  const schema = load(kind)
  known.set(kind, { at: Date.now(), schema })
  schema.catch(() => known.delete(kind))
  return schema
}

async function load(kind: DefinitionKind): Promise<JsonSchema> {
  const schema = (await call(routes.system.schema, { params: { kind } })) as Record<string, unknown>
  if (kind === 'agent') addNames(schema, await loadNames())
  return schema
}

interface Names {
  tools: string[]
  skills: string[]
  models: string[]
}

async function loadNames(): Promise<Names> {
  const query = { limit: 100 }
  const [tools, agents, servers, skills, models] = await Promise.all([
    named(call(routes.tools.list, { query }), ({ name }) => `tool:${name}`),
    named(call(routes.agents.list, { query }), ({ name }) => `agent:${name}`),
    named(call(routes.mcpServers.list, {}), ({ name }) => `mcp:${name}`),
    named(call(routes.skills.list, { query }), ({ name }) => name),
    call(routes.models.list, {}).then(
      ({ providers }) => providers.flatMap(({ id, models: all }) => all.map(({ name }) => `${id}/${name}`)),
      () => [],
    ),
  ])
  return { tools: [...tools, ...agents, ...servers], skills, models }
}

/** None where they may not be read: the schema helps without them. */
async function named<T>(answer: Promise<{ items: T[] }>, toName: (item: T) => string): Promise<string[]> {
  return answer.then(
    ({ items }) => items.map(toName),
    () => [],
  )
}

function addNames(schema: Record<string, unknown>, { tools, skills, models }: Names): void {
  const { properties } = schema as { properties: Record<string, Record<string, unknown>> }
  const { tools: list, approvals, skills: ofTeam, model } = properties
  for (const holder of [list?.['items'], approvals?.['propertyNames']] as ({ anyOf?: object[] } | undefined)[]) {
    holder?.anyOf?.push({ type: 'string', examples: tools })
  }
  for (const one of (ofTeam?.['anyOf'] ?? []) as { items?: object }[]) {
    if (one.items) Object.assign(one.items, { examples: skills })
  }
  if (model) model['examples'] = models
}
