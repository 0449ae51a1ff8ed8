import {
  Client,
  StreamableHTTPClientTransport,
  type Prompt,
  type Resource,
  type Tool,
} from '@modelcontextprotocol/client'

/** The revisions that are served. */
export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

interface ClientOptions {
  key?: string
  revision?: Revision
  /** Hears the tools again whenever they changed. */
  onTools?: (error: Error | null, tools: Tool[] | null) => void
  onPrompts?: (error: Error | null, prompts: Prompt[] | null) => void
  onResources?: (error: Error | null, resources: Resource[] | null) => void
}

/** The official client, connected to a server with a key. */
export async function connectClient(
  url: string,
  { key, revision = '2026-07-28', onTools, onPrompts, onResources }: ClientOptions,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      ...(revision === '2025-11-25' ? {} : { versionNegotiation: { mode: 'auto' as const } }),
      listChanged: {
        ...(onTools && { tools: { onChanged: onTools } }),
        ...(onPrompts && { prompts: { onChanged: onPrompts } }),
        ...(onResources && { resources: { onChanged: onResources } }),
      },
    },
  )
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  return client
}
