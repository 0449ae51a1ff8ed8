import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing, rotateKeys } from '../../access/index.ts'
import { startTestWorkspaces, type TestWorkspaces } from '../../workspaces/test-workspaces.ts'
import { createMcpCredentials } from './mcp-credentials.ts'

const [before, after] = ['the key of the installation, before', 'the key of the installation, after']
let store: TestWorkspaces
beforeAll(async () => {
  store = await startTestWorkspaces()
  const { database, teamId } = store
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction.execute(sql`INSERT INTO coherex.team_key (team_id, sealed)
      VALUES (${teamId}, ${createKeyRing(before).newTeamKey(teamId)})`)
    await transaction.execute(sql`INSERT INTO coherex.mcp_server (team_id, name, place, created_by, created_by_name)
      VALUES (${teamId}, 'guarded', '{"kind":"remote","url":"https://mcp.example/"}', 'per_anna', 'Anna')`)
  })
})
afterAll(() => store.stop())

test('a sign-in to an MCP server opens after the key of the installation was rotated, and not with the old one', async () => {
  const { database, teamId } = store
  const server = { teamId, name: 'guarded', number: 1 }
  const of = (key: string) => createMcpCredentials({ database, keyRing: createKeyRing(key) })
  const tokens = { access_token: 'a token', token_type: 'Bearer', refresh_token: 'another' }
  await of(before).change(server, (held) => ({ ...held, tokens }))
  await rotateKeys(database, { from: before, to: after })
  expect(await of(after).read(server)).toEqual({ tokens })
  await expect(of(before).read(server)).rejects.toThrow()
})
