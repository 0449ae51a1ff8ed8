import { z } from 'zod'
import { findUnstorable, text, unstorable } from '../wire/text.ts'
import { mcpServerName } from './mcp-server.ts'
import { toolName } from './tool.ts'

/** What views are of, in the MCP Apps extension. */
export const appMediaType = 'text/html;profile=mcp-app'

/** Which tool a view belongs to, as a call's output names it. */
export const appOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mcp'), server: mcpServerName, tool: z.string() }),
  z.object({ kind: z.literal('tool'), name: toolName, version: z.number().int() }),
])
export type AppOwner = z.infer<typeof appOwner>

/** A page that shows what a call gave. It is of strangers: it is shown in a frame of no origin and without a network. */
export const toolApp = z.object({
  html: z.string(),
  prefersBorder: z.boolean(),
})
export type ToolApp = z.infer<typeof toolApp>

/** A call that a view makes. `id` is its own: the same call is asked for again once a person has answered. */
export const appCall = z.strictObject({
  id: text().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  tool: text().min(1).max(128),
  // kept where a person is asked about it
  input: z
    .record(text(), z.json())
    .refine((input) => findUnstorable(input) === undefined, { error: unstorable })
    .default({}),
})
export type AppCall = z.infer<typeof appCall>

export const appCallAnswer = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('done'),
    /** As MCP has it. */
    result: z.object({
      content: z.array(z.record(z.string(), z.unknown())),
      structuredContent: z.record(z.string(), z.unknown()).optional(),
      isError: z.boolean().optional(),
      _meta: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  /** A person is asked first. */
  z.object({ status: z.literal('waiting'), approvalId: z.string(), reason: z.string() }),
])
export type AppCallAnswer = z.infer<typeof appCallAnswer>
