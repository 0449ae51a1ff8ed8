import { z } from 'zod'
import { secretName } from '../access/secrets.ts'
import { agentName } from '../agents/agent.ts'
import { requirements } from '../packages/package.ts'
import { network } from '../runs/network.ts'
import { sandboxRequest } from '../runs/sandbox.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

/** What a team may add, and what one server may hold. */
export const mcpLimits = { servers: 50, tools: 200, apps: 10, appCharacters: 2_000_000 } as const

/** Short: the names of its tools begin with it, and models take 64 characters. */
export const mcpServerName = agentName.max(30)

const headerName = text().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'must be the name of a header, such as X-Api-Key')
const variableName = text().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'letters, digits and _')

/** How the product shows who it is to a remote server. Values are secrets of the team, by name. */
export const mcpAuth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('key'),
    secret: secretName,
    header: headerName.default('Authorization').describe('In `Authorization` it is sent as a bearer token'),
  }),
  z.strictObject({
    kind: z.literal('oauth'),
    scope: text().max(1_000).optional(),
    /** Of a client that was registered by hand, where the server registers none by itself. */
    clientId: text().min(1).max(500).optional(),
    clientSecret: secretName.optional(),
  }),
])
export type McpAuth = z.infer<typeof mcpAuth>

/** A server somewhere else, over Streamable HTTP. */
const remoteMcpServer = z.strictObject({
  kind: z.literal('remote'),
  url: text().min(1).max(2_000),
  auth: mcpAuth.default({ kind: 'none' }),
})

/** A command that speaks MCP on its standard input and output. It runs in a sandbox of the team, never on the host. */
const sandboxedMcpServer = z.strictObject({
  kind: z.literal('sandboxed'),
  command: text().min(1).max(500),
  args: z.array(text().max(2_000)).max(50).default([]),
  template: sandboxRequest.shape.template.describe('A template of sandboxes that it starts from'),
  language: z
    .enum(['javascript', 'python'])
    .default('javascript')
    .describe('Of packages whose names do not begin with npm: or pypi:'),
  packages: requirements.default([]),
  /** Secrets of the team that it finds in its environment, by the name it wants. */
  env: z
    .record(variableName, secretName)
    .refine((env) => Object.keys(env).length <= 30, 'has at most 30 variables')
    .default({}),
  network: network.default({ allow: [] }),
})

export const mcpPlace = z.discriminatedUnion('kind', [remoteMcpServer, sandboxedMcpServer])
export type McpPlace = z.infer<typeof mcpPlace>

const author = z.object({ id: z.string(), name: z.string() })

export const mcpServer = z.object({
  name: mcpServerName,
  place: mcpPlace,
  /** `sign-in`: an admin signs in to it first. `failed`: see `problem`. `new`: nobody has asked it yet. */
  status: z.enum(['new', 'ready', 'sign-in', 'failed']),
  problem: z.string().nullable(),
  /** As it calls itself. */
  title: z.string().nullable(),
  protocol: z.string().nullable(),
  /** How many of its tools agents may use, and how many wait for an admin. */
  tools: z.object({ approved: z.number().int(), waiting: z.number().int() }),
  checkedAt: moment.nullable(),
  createdAt: moment,
  createdBy: author,
})
export type McpServer = z.infer<typeof mcpServer>

/** `new` and `changed` wait for an admin, `refused` cannot be approved, `gone` is no longer listed by its server. */
const mcpToolStatus = z.enum(['approved', 'new', 'changed', 'refused', 'gone'])
export type McpToolStatus = z.infer<typeof mcpToolStatus>

/** A tool of a server, as the server tells it now. In its texts nothing is invisible. */
export const mcpTool = z.object({
  name: z.string(),
  /** What agents call it. */
  offeredAs: z.string(),
  status: mcpToolStatus,
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.unknown(),
  outputSchema: z.unknown(),
  /** The server says that it changes nothing: agents do not ask before it, unless a rule says so. */
  isReadOnly: z.boolean(),
  /** The address of the view that shows what it gives. */
  view: z.string().nullable(),
  /** Of name, description, schemas and annotations. */
  hash: z.string(),
  /** What changed since it was approved, as a unified diff; empty where nothing did. */
  diff: z.string(),
  /** Why it cannot be approved. */
  problem: z.string().nullable(),
  approvedBy: author.nullable(),
  approvedAt: moment.nullable(),
})
export type McpTool = z.infer<typeof mcpTool>

export const mcpTools = z.object({
  /** Of all tools as they are shown here: who approves says what they have seen. */
  hash: z.string(),
  items: z.array(mcpTool),
})
export type McpTools = z.infer<typeof mcpTools>
