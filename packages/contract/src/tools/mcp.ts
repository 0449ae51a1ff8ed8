import { z } from 'zod'

/** What to paste into one client. `YOUR_KEY` stands for an API key. */
const mcpSnippet = z.object({
  client: z.enum(['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex']),
  title: z.string(),
  /** Where it goes: a terminal, or the name of a file. */
  where: z.string(),
  language: z.enum(['bash', 'json', 'toml']),
  /** With a key. */
  text: z.string(),
  /** Without one: the client asks you to sign in. Absent where the client cannot. */
  signedIn: z.string().optional(),
})
export type McpSnippet = z.infer<typeof mcpSnippet>

export const mcpSetup = z.object({
  url: z.string(),
  /** The base of the registry API (v0.1), for clients that look servers up with a key. */
  registryUrl: z.string(),
  revisions: z.array(z.string()),
  /** Tools of the team that clients find, besides those of the product. */
  published: z.array(z.object({ name: z.string(), description: z.string(), version: z.number().int() })),
  snippets: z.array(mcpSnippet),
})
export type McpSetup = z.infer<typeof mcpSetup>

/** server.json of the registry, schema 2025-12-11. */
export const mcpServerEntry = z.object({
  server: z.object({
    $schema: z.string(),
    name: z.string(),
    title: z.string(),
    description: z.string(),
    version: z.string(),
    remotes: z.array(
      z.object({
        type: z.literal('streamable-http'),
        url: z.string(),
        headers: z
          .array(
            z.object({ name: z.string(), description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }),
          )
          .optional(),
      }),
    ),
  }),
  _meta: z.record(z.string(), z.unknown()),
})

export type McpServerEntry = z.infer<typeof mcpServerEntry>

export const mcpServerPage = z.object({
  servers: z.array(mcpServerEntry),
  metadata: z.object({ count: z.number().int(), nextCursor: z.string().optional() }),
})
