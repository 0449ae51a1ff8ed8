import type { TeamCaller } from '../../src/access/index.ts'
import { createEgress, operatorRules } from '../../src/egress/index.ts'
import { openMcpConnection } from '../../src/tools/mcp/mcp-connection.ts'
import type { McpCredential, McpCredentials } from '../../src/tools/mcp/mcp-credentials.ts'
import { McpFailure } from '../../src/tools/mcp/mcp-failure.ts'
import { createMcpSignIn } from '../../src/tools/mcp/mcp-sign-in.ts'
import { toTold } from '../../src/tools/mcp/mcp-tool.ts'
import { createRemoteTransport } from '../../src/tools/mcp/remote-transport.ts'

/** What the suite tells a client beside the address of its server. */
interface ConformanceContext {
  client_id?: string
  client_secret?: string
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

const own = createEgress()
// the suite's servers are on loopback, at ports that nobody knows before
const egress = { fetchFor: () => own.fetchFor(operatorRules({ allow: 'any', limits: { totalMs: 20_000 } })) }

/** Our own connection and sign-in, pointed at a server of the suite. */
export async function runConformanceClient(url: string, context: ConformanceContext): Promise<void> {
  let held: McpCredential = {}
  const credentials: McpCredentials = {
    read: async () => held,
    change: async (_, alter) => (held = alter(held)),
    forget: (() => undefined) as never,
  }
  const publicUrl = 'https://conformance-test.local'
  // the suite knows of one address alone
  const metadataUrl = `${publicUrl}/client-metadata.json`
  const signIn = createMcpSignIn({ egress, credentials, publicUrl, metadataUrl })
  const caller = { teamId: 'team_a', role: 'admin', person: { id: 'per_a', name: 'Ann' } } as TeamCaller
  const target = {
    ...{ teamId: 'team_a', name: 'suite', number: 1, url, clientSecret: context.client_secret },
    settings: { kind: 'oauth' as const, ...(context.client_id !== undefined && { clientId: context.client_id }) },
  }

  const work = async (): Promise<void> => {
    const connection = await openMcpConnection(
      (onBreak) => createRemoteTransport({ egress, url, authProvider: signIn.authProvider(target), onBreak }),
      { server: 'suite' },
    )
    try {
      const tools = await connection.listTools()
      const calls =
        context.toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: sample(inputSchema) }))
      // one scenario asks what became of the schema of its other tool
      const echo = calls.find(({ name }) => name === 'json_schema_echo')
      const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
      if (echo && focal) echo.arguments = { schema: toTold(focal).inputSchema }
      for (const call of calls) {
        const tool = tools.find(({ name }) => name === call.name)
        // what a tool answers is not what is looked at
        if (tool) await connection.callTool(tool, call.arguments, {}).catch(passOverFailure)
      }
    } finally {
      await connection.close()
    }
  }

  // as an admin does who is told to sign in: once, and once more where a tool wants more
  for (let signIns = 0; ; signIns++) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof McpFailure) || !error.asksForSignIn || signIns === 2) throw error
      if (error.scope !== undefined) await signIn.want(target, error.scope)
    }
    const address = await signIn.begin(caller, target)
    if (address === null) continue
    const answer = await fetch(address, { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '', address)
    await signIn.finish(caller, target, back.searchParams)
  }
}

function passOverFailure(error: unknown): void {
  if (!(error instanceof McpFailure) || error.asksForSignIn) throw error
}

/** A value for each property that must be there. */
function sample({ properties = {}, required = [] }: Record<string, unknown>): Record<string, unknown> {
  const types = properties as Record<string, { type?: string }>
  const of = (type?: string) => (type === 'number' || type === 'integer' ? 5 : type === 'boolean' ? true : 'text')
  return Object.fromEntries((required as string[]).map((name) => [name, of(types[name]?.type)]))
}
