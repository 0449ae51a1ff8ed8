import { CoherexError } from '@coherex/contract'
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { and, eq } from 'drizzle-orm'
import { mcpCredentialContext, seal, unseal, type KeyRing } from '../../access/index.ts'
import type { Database, Transaction } from '../../base/index.ts'
import { selectServer, type ServerName } from './mcp-store.ts'
import { mcpCredentialTable } from './mcp-tables.ts'

/** What a sign-in to a server left, and one that is under way. No route answers with it. */
export interface McpCredential {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
  /** Scopes that the server missed when a tool was called, with those it gave: the next sign-in asks for them. */
  wanted?: string
  pending?: { state: string; verifier: string; personId: string; at: number }
}

/** A server at the place it had when somebody began: what was made for another place is not stored for this one. */
export type NumberedServer = ServerName & { number: number }

export function createMcpCredentials({ database, keyRing }: { database: Database; keyRing: KeyRing }) {
  const own = ({ teamId, name }: ServerName) =>
    and(eq(mcpCredentialTable.teamId, teamId), eq(mcpCredentialTable.serverName, name))

  async function readIn(transaction: Transaction, server: ServerName): Promise<McpCredential> {
    const [row] = await transaction.select().from(mcpCredentialTable).where(own(server))
    if (!row) return {}
    const key = await keyRing.teamKey(transaction, server.teamId)
    const context = mcpCredentialContext(server.teamId, server.name)
    return JSON.parse(unseal(key, context, row.sealed).toString()) as McpCredential
  }

  return {
    read: (server: ServerName): Promise<McpCredential> =>
      database.transaction({ team: server.teamId, secrets: true }, (transaction) => readIn(transaction, server)),

    /** Changes what is stored, one after the other. */
    async change(server: NumberedServer, alter: (held: McpCredential) => McpCredential): Promise<McpCredential> {
      const { teamId, name, number } = server
      return database.transaction({ team: teamId, secrets: true }, async (transaction) => {
        const row = await selectServer(transaction, server, { lock: true })
        if (row.number !== number)
          throw new CoherexError('conflict', `MCP server "${name}" was changed meanwhile: sign in again`)
        const next = alter(await readIn(transaction, server))
        const key = await keyRing.teamKey(transaction, teamId)
        const sealed = seal(key, mcpCredentialContext(teamId, name), Buffer.from(JSON.stringify(next)))
        await transaction
          .insert(mcpCredentialTable)
          .values({ teamId, serverName: name, sealed })
          .onConflictDoUpdate({
            target: [mcpCredentialTable.teamId, mcpCredentialTable.serverName],
            set: { sealed },
          })
        return next
      })
    },

    forget: (transaction: Transaction, server: ServerName) => transaction.delete(mcpCredentialTable).where(own(server)),
  }
}

export type McpCredentials = ReturnType<typeof createMcpCredentials>
