import {
  CoherexError,
  describeFailures,
  mcpLimits,
  type McpPlace,
  type McpServer,
  type McpTools,
  type ToolApp,
} from '@coherex/contract'
import type { Progress } from '@modelcontextprotocol/client'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { openSecret, recordAudit, type KeyRing, type TeamCaller } from '../../access/index.ts'
import type { Database, EventBus, Transaction } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { SchemaChecks } from '../schema/schema-checks.ts'
import { keepTools } from './keep-tools.ts'
import { keepApp, readApp, selectApp } from './mcp-apps.ts'
import { mcpTimes, openMcpConnection, type McpConnection, type McpTimes } from './mcp-connection.ts'
import { createMcpConnections } from './mcp-connections.ts'
import { createMcpCredentials } from './mcp-credentials.ts'
import { McpFailure } from './mcp-failure.ts'
import { createMcpSignIn, serverOfState, type SignInTarget } from './mcp-sign-in.ts'
import { ofServer, selectServer, selectTools, toMcpServer, toolsOf, type ServerName } from './mcp-store.ts'
import { mcpServerTable, mcpToolTable, type McpServerRow, type McpToolRow } from './mcp-tables.ts'
import { hashShown, isFor, isReadOnly, statusOf, toMcpTool, type ToldTool } from './mcp-tool.ts'
import { readResult, type McpResult } from './read-result.ts'
import { createRemoteTransport, parseAddress } from './remote-transport.ts'
import { SandboxTransport, type McpSandboxes } from './sandbox-transport.ts'

/** A sandbox and its packages are there before the command is. */
const slowestStartMs = 60_000

export interface McpServersDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  keyRing: KeyRing
  egress: Pick<Egress, 'fetchFor'>
  /** Where servers run that are commands. */
  sandboxes: McpSandboxes
  checks: SchemaChecks
  publicUrl: string
  times?: McpTimes
  /** How long a list of tools counts as what the server says now. */
  freshMs?: number
}

/** A tool as agents are offered it: in the form that was approved. */
export interface OfferedMcpTool {
  server: string
  tool: string
  offeredAs: string
  description: string
  inputSchema: ToldTool['inputSchema']
  isReadOnly: boolean
  hash: string
}

/** MCP servers that a team added, the tools of theirs that an admin approved, and calls of these. */
export function createMcpServers(deps: McpServersDeps) {
  const { database, events, keyRing, egress, sandboxes, checks, times = mcpTimes, freshMs = 15_000 } = deps
  const credentials = createMcpCredentials(deps)
  const signIn = createMcpSignIn({ ...deps, credentials })
  const connections = createMcpConnections()
  const listedAt = new WeakMap<McpConnection, number>()
  const appsReadAt = new WeakMap<McpConnection, Map<string, number>>()

  const read = <T>(teamId: string, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)

  /** Each change of a person's is one transaction with its line in the audit log, and an event. */
  async function change(
    caller: TeamCaller,
    {
      name,
      verb,
      details,
    }: { name: string; verb: 'add' | 'approve' | 'change' | 'remove' | 'sign-in'; details?: object },
    work: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const { teamId } = caller
    await database.transaction({ team: teamId }, async (transaction) => {
      await work(transaction)
      await recordAudit(transaction, {
        ...{ teamId, actor: caller, action: `mcp-server.${verb}` as const },
        target: { kind: 'mcp-server', id: name, name },
        ...(details && { details: { ...details } }),
      })
    })
    await tell(teamId, name)
  }

  const tell = (teamId: string, name: string) => events.publish({ teamId, type: 'mcp-server', id: name })

  const keyOf = ({ teamId, name }: ServerName) => `${teamId}/${name}/`

  async function signInTarget({ teamId, name, number, place }: McpServerRow): Promise<SignInTarget> {
    if (place.kind !== 'remote' || place.auth.kind !== 'oauth')
      throw new CoherexError('conflict', `MCP server "${name}" is not set to be signed in to with OAuth`)
    const settings = place.auth
    const clientSecret = settings.clientSecret && (await openNamed(teamId, settings.clientSecret))
    return { teamId, name, number, url: place.url, settings, clientSecret }
  }

  async function openNamed(teamId: string, secret: string): Promise<string> {
    const value = await openSecret({ database, keyRing }, teamId, secret)
    if (value === undefined) throw new CoherexError('conflict', `The team has no secret "${secret}"`)
    return value
  }

  async function open(row: McpServerRow, caller: TeamCaller): Promise<McpConnection> {
    const { teamId, name, place } = row
    if (place.kind === 'sandboxed') {
      const values = Object.entries(place.env).map(async ([key, secret]) => [key, await openNamed(teamId, secret)])
      const env = Object.fromEntries(await Promise.all(values)) as Record<string, string>
      return openMcpConnection(
        (onBreak) => new SandboxTransport({ sandboxes, caller, server: name, place, env, onBreak }),
        { server: name, times: { ...times, answerMs: Math.max(times.answerMs, slowestStartMs) } },
      )
    }
    const { url, auth } = place
    const headers: Record<string, string> = {}
    if (auth.kind === 'key') {
      const value = await openNamed(teamId, auth.secret)
      headers[auth.header] = auth.header.toLowerCase() === 'authorization' ? `Bearer ${value}` : value
    }
    const authProvider = auth.kind === 'oauth' ? signIn.authProvider(await signInTarget(row)) : undefined
    return openMcpConnection(
      (onBreak) => createRemoteTransport({ egress, url, headers, authProvider, times, onBreak }),
      { server: name, times },
    )
  }

  /** Works over a connection whose list of tools is as new as it must be, and is stored. */
  async function withServer<T>(
    row: McpServerRow,
    { caller, isFresh }: { caller: TeamCaller; isFresh: boolean },
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    return connections.use(
      `${keyOf(row)}${row.number}`,
      () => openOrKeepProblem(row, caller),
      async (connection) => {
        const age = Date.now() - (listedAt.get(connection) ?? 0)
        if (isFresh || connection.isStale || age > freshMs) await list(row, connection)
        return work(connection)
      },
    )
  }

  async function openOrKeepProblem(row: McpServerRow, caller: TeamCaller): Promise<McpConnection> {
    try {
      return await open(row, caller)
    } catch (error) {
      await keepProblem(row, error)
      throw error
    }
  }

  async function list(row: McpServerRow, connection: McpConnection): Promise<void> {
    const server = { teamId: row.teamId, name: row.name }
    try {
      const tools = await connection.listTools()
      const isNew = await database.transaction({ team: row.teamId }, async (transaction) => {
        // as it is now: the tools of another place are not this one's
        const now = await selectServer(transaction, server, { lock: true })
        if (now.number !== row.number) throw new CoherexError('conflict', `MCP server "${row.name}" was changed`)
        const isNews = await keepTools(transaction, server, { tools, checks })
        const { title, protocol } = connection
        const columns = { status: 'ready' as const, problem: null, title: title?.slice(0, 200) ?? null, protocol }
        await transaction
          .update(mcpServerTable)
          .set({ ...columns, checkedAt: new Date() })
          .where(ofServer(server))
        return isNews || now.status !== 'ready'
      })
      listedAt.set(connection, Date.now())
      if (isNew) await tell(row.teamId, row.name)
    } catch (error) {
      await keepProblem(row, error)
      throw error
    }
  }

  /** So that people see why agents do not get through. */
  async function keepProblem(row: McpServerRow, error: unknown): Promise<void> {
    if (!(error instanceof CoherexError)) return
    const asksForSignIn = error instanceof McpFailure && error.asksForSignIn
    const isOauth = row.place.kind === 'remote' && row.place.auth.kind === 'oauth'
    const status = asksForSignIn && isOauth ? ('sign-in' as const) : ('failed' as const)
    const problem = error.message.slice(0, 1_000)
    await read(row.teamId, async (transaction) => {
      await transaction
        .update(mcpServerTable)
        .set({ status, problem, checkedAt: new Date() })
        .where(and(ofServer(row), eq(mcpServerTable.number, row.number)))
    })
    await tell(row.teamId, row.name)
  }

  /** A tool may need more than the team signed in for: an admin sees that, and signs in again for both. */
  async function keepRefusal(row: McpServerRow, error: unknown): Promise<never> {
    const isOauth = row.place.kind === 'remote' && row.place.auth.kind === 'oauth'
    if (isOauth && error instanceof McpFailure && error.asksForSignIn) {
      if (error.scope !== undefined) await signIn.want(await signInTarget(row), error.scope)
      await keepProblem(row, error)
    }
    throw error
  }

  async function describe(server: ServerName): Promise<McpServer> {
    return read(server.teamId, async (transaction) => {
      const row = await selectServer(transaction, server)
      return toMcpServer(row, await selectTools(transaction, server))
    })
  }

  async function shownTools(server: ServerName): Promise<McpTools> {
    return read(server.teamId, async (transaction) => {
      await selectServer(transaction, server)
      const rows = await selectTools(transaction, server)
      return { hash: hashShown(rows), items: rows.map(toMcpTool) }
    })
  }

  /** Asks it now; what goes wrong is written down with the server. */
  async function refresh(caller: TeamCaller, name: string): Promise<McpServer> {
    const server = { teamId: caller.teamId, name }
    const row = await read(server.teamId, (transaction) => selectServer(transaction, server))
    // another key, or a server that was away, is tried anew
    await connections.end(keyOf(server))
    try {
      await withServer(row, { caller, isFresh: true }, async () => undefined)
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
    }
    return describe(server)
  }

  /** Reads a view anew where that is due. What a call gave counts without it: false where there is none. */
  async function refreshApp(
    server: ServerName,
    { connection, uri }: { connection: McpConnection; uri: string },
  ): Promise<boolean> {
    const seen = appsReadAt.get(connection) ?? new Map<string, number>()
    appsReadAt.set(connection, seen)
    if (Date.now() - (seen.get(uri) ?? 0) <= freshMs) return true
    try {
      const app = readApp(server.name, uri, await connection.readResource(uri))
      await read(server.teamId, (transaction) => keepApp(transaction, server, { uri, ...app }))
      seen.set(uri, Date.now())
      return true
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      return false
    }
  }

  async function findTool(server: ServerName, tool: string): Promise<{ row: McpServerRow; found: McpToolRow }> {
    return read(server.teamId, async (transaction) => {
      const row = await selectServer(transaction, server)
      const [found] = await transaction
        .select()
        .from(mcpToolTable)
        .where(and(toolsOf(server), eq(mcpToolTable.name, tool)))
      if (!found) throw new CoherexError('not_found', `MCP server "${server.name}" has no tool "${tool}"`)
      return { row, found }
    })
  }

  return {
    async list(teamId: string): Promise<{ items: McpServer[] }> {
      return read(teamId, async (transaction) => {
        const rows = await transaction
          .select()
          .from(mcpServerTable)
          .where(eq(mcpServerTable.teamId, teamId))
          .orderBy(asc(mcpServerTable.name))
        const tools = await transaction.select().from(mcpToolTable).where(eq(mcpToolTable.teamId, teamId))
        const items = rows.map((row) =>
          toMcpServer(
            row,
            tools.filter(({ serverName }) => serverName === row.name),
          ),
        )
        return { items }
      })
    },

    get: (teamId: string, name: string): Promise<McpServer> => describe({ teamId, name }),
    tools: (teamId: string, name: string): Promise<McpTools> => shownTools({ teamId, name }),
    refresh,

    async add(caller: TeamCaller, { name, place }: { name: string; place: McpPlace }): Promise<McpServer> {
      const { teamId, person } = caller
      checkPlace(place)
      await change(caller, { name, verb: 'add', details: { place: describePlace(place) } }, async (transaction) => {
        const [held] = await transaction
          .select({ servers: count() })
          .from(mcpServerTable)
          .where(eq(mcpServerTable.teamId, teamId))
        if ((held?.servers ?? 0) >= mcpLimits.servers)
          throw new CoherexError('quota_exceeded', `A team has at most ${mcpLimits.servers} MCP servers`)
        const made = await transaction
          .insert(mcpServerTable)
          .values({ teamId, name, place, createdBy: person.id, createdByName: person.name })
          .onConflictDoNothing()
          .returning({ name: mcpServerTable.name })
        if (made.length === 0) throw new CoherexError('conflict', `The team has an MCP server "${name}" already`)
      })
      return refresh(caller, name)
    },

    /** It may be another server now: nothing that was approved or signed in to counts for it. */
    async move(caller: TeamCaller, name: string, place: McpPlace): Promise<McpServer> {
      const server = { teamId: caller.teamId, name }
      checkPlace(place)
      await change(caller, { name, verb: 'change', details: { place: describePlace(place) } }, async (transaction) => {
        const { number } = await selectServer(transaction, server, { lock: true })
        await transaction
          .update(mcpServerTable)
          .set({ place, number: number + 1, status: 'new', problem: null, title: null, protocol: null })
          .where(ofServer(server))
        await transaction.delete(mcpToolTable).where(toolsOf(server))
        await credentials.forget(transaction, server)
      })
      return refresh(caller, name)
    },

    async remove(caller: TeamCaller, name: string): Promise<void> {
      const server = { teamId: caller.teamId, name }
      await change(caller, { name, verb: 'remove' }, async (transaction) => {
        await selectServer(transaction, server, { lock: true })
        await transaction.delete(mcpServerTable).where(ofServer(server))
      })
      await connections.end(keyOf(server))
    },

    /** Approves tools as they were shown; those that are not named are not approved any more. */
    async approve(
      caller: TeamCaller,
      name: string,
      { hash, tools }: { hash: string; tools?: readonly string[] | undefined },
    ): Promise<McpTools> {
      const server = { teamId: caller.teamId, name }
      const approved: string[] = []
      await change(caller, { name, verb: 'approve', details: { tools: approved } }, async (transaction) => {
        await selectServer(transaction, server, { lock: true })
        const rows = await selectTools(transaction, server)
        if (hashShown(rows) !== hash)
          throw new CoherexError('conflict', `The tools of MCP server "${name}" are others now: look at them again`)
        for (const tool of tools ?? []) {
          const found = rows.find((row) => row.name === tool)
          if (!found) throw new CoherexError('not_found', `MCP server "${name}" has no tool "${tool}"`)
          if (found.problem !== null)
            throw new CoherexError('conflict', `Tool "${tool}" cannot be approved: ${found.problem}`)
        }
        const may = rows.filter(({ isGone, problem }) => !isGone && problem === null)
        const wanted = tools === undefined ? may : may.filter((row) => tools.includes(row.name))
        for (const row of wanted) {
          approved.push(row.name)
          if (row.approvedHash === row.hash) continue
          const by = { approvedBy: caller.person.id, approvedByName: caller.person.name, approvedAt: new Date() }
          await transaction
            .update(mcpToolTable)
            .set({ approved: row.told, approvedHash: row.hash, ...by })
            .where(and(toolsOf(server), eq(mcpToolTable.name, row.name)))
        }
        const left = rows.filter((row) => !wanted.includes(row) && tools !== undefined).map((row) => row.name)
        const nobody = { approvedBy: null, approvedByName: null, approvedAt: null }
        await transaction
          .update(mcpToolTable)
          .set({ approved: null, approvedHash: null, ...nobody })
          .where(and(toolsOf(server), inArray(mcpToolTable.name, ['', ...left])))
        await transaction.update(mcpServerTable).set({ decidedAt: new Date() }).where(ofServer(server))
      })
      return shownTools(server)
    },

    /** Where an admin signs in to a server; null where that was not needed. */
    async connect(caller: TeamCaller, name: string): Promise<{ url: string | null }> {
      const server = { teamId: caller.teamId, name }
      const target = await signInTarget(await read(caller.teamId, (transaction) => selectServer(transaction, server)))
      const url = await signIn.begin(caller, target)
      if (url === null) await refresh(caller, name)
      return { url }
    },

    /** Ends a sign-in with what the other server sent the person back with. Answers with the name of the server. */
    async finishSignIn(caller: TeamCaller, given: URLSearchParams): Promise<string> {
      const name = serverOfState(given.get('state') ?? '')
      const server = { teamId: caller.teamId, name }
      const row = await read(caller.teamId, (transaction) => selectServer(transaction, server))
      await signIn.finish(caller, await signInTarget(row), given)
      await change(caller, { name, verb: 'sign-in' }, async () => undefined)
      await refresh(caller, name)
      return name
    },

    /**
     * Tools that agents, or views of the same server, may use: of one server or one of its tools, in the form that was
     * approved.
     */
    async offered(
      teamId: string,
      { server, tool, to = 'model' }: { server: string; tool?: string | undefined; to?: 'model' | 'app' },
    ): Promise<OfferedMcpTool[]> {
      const rows = await read(teamId, (transaction) => selectTools(transaction, { teamId, name: server }))
      return rows.flatMap((row) => {
        const { approved, approvedHash } = row
        const isAsked = tool === undefined || row.name === tool
        if (!isAsked || !approved || approvedHash === null || statusOf(row) !== 'approved') return []
        if (!isFor(to, approved)) return []
        const { description, title, inputSchema } = approved
        return {
          ...{ server, tool: row.name, offeredAs: row.offeredAs, inputSchema, hash: approvedHash },
          description: description || title || row.name,
          isReadOnly: isReadOnly(approved),
        }
      })
    },

    /** Why agents of the team get nothing where a definition names this; undefined where they do. */
    async refuses(
      teamId: string,
      { server, tool }: { server: string; tool?: string | undefined },
    ): Promise<string | undefined> {
      const rows = await read(teamId, async (transaction) => {
        const [row] = await transaction
          .select()
          .from(mcpServerTable)
          .where(ofServer({ teamId, name: server }))
        return row && (await selectTools(transaction, { teamId, name: server }))
      })
      if (!rows) return `The team has no MCP server "${server}"`
      if (tool === undefined) {
        const isAny = rows.some((row) => statusOf(row) === 'approved')
        return isAny ? undefined : `No tool of the MCP server "${server}" is approved`
      }
      const row = rows.find((one) => one.name === tool)
      if (!row) return `The MCP server "${server}" has no tool "${tool}"`
      return statusOf(row) === 'approved'
        ? undefined
        : `The tool "${tool}" of the MCP server "${server}" waits for approval`
    },

    /** One call, in the form that was approved and offered. What the server says of the tool now is looked at first. */
    async call(
      caller: TeamCaller,
      { server: name, tool, hash, input }: { server: string; tool: string; hash?: string; input: unknown },
      { signal, onProgress }: { signal?: AbortSignal; onProgress?(progress: Progress): void } = {},
    ): Promise<McpResult> {
      const server = { teamId: caller.teamId, name }
      const { row } = await findTool(server, tool)
      return withServer(row, { caller, isFresh: false }, async (connection) => {
        signal?.throwIfAborted()
        const { found } = await findTool(server, tool)
        const approved = requireApproved(name, found, hash)
        refuseInput(await checks.check(approved.inputSchema, input, `${found.approvedHash} input`), tool)
        const options = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
        const result = await connection
          .callTool(approved as never, input as Record<string, unknown>, options)
          .catch((error: unknown) => keepRefusal(row, error))
        const { outputSchema } = approved
        if (outputSchema !== undefined && !result.isError) {
          const wrong = await checks.check(outputSchema, result.structuredContent, `${found.approvedHash} output`)
          if (wrong.length > 0)
            throw new CoherexError(
              'unavailable',
              `What "${tool}" answered does not fit its schema: ${describeFailures(wrong)}`,
            )
        }
        const read = readResult(name, result)
        const uri = approved.ui?.resourceUri
        const hasApp = uri !== undefined && (await refreshApp(server, { connection, uri }))
        return hasApp ? { ...read, hasApp } : read
      })
    },

    /** The view of an approved tool, as its server gave it when it was last called; undefined where it has none. */
    async app(teamId: string, { server, tool }: { server: string; tool: string }): Promise<ToolApp | undefined> {
      return read(teamId, async (transaction) => {
        const named = { teamId, name: server }
        const row = (await selectTools(transaction, named)).find(({ name }) => name === tool)
        const uri = row && statusOf(row) === 'approved' ? row.approved?.ui?.resourceUri : undefined
        return uri === undefined ? undefined : selectApp(transaction, named, uri)
      })
    },

    async close(): Promise<void> {
      await connections.end('')
    },
  }
}

export type McpServers = ReturnType<typeof createMcpServers>

function checkPlace(place: McpPlace): void {
  if (place.kind === 'remote') parseAddress(place.url)
}

/** For the audit log: without what a query of the address may hold. */
function describePlace(place: McpPlace): object {
  if (place.kind !== 'remote') {
    const { command, packages, template, env } = place
    return { command, packages, ...(template !== undefined && { template }), secrets: Object.values(env) }
  }
  const { origin, pathname } = parseAddress(place.url)
  return { url: `${origin}${pathname}`, auth: place.auth.kind }
}

function requireApproved(server: string, row: McpToolRow, hash: string | undefined): ToldTool {
  const status = statusOf(row)
  const where = `an admin looks at it under Settings, MCP servers, ${server}`
  const refuse = (why: string) => new CoherexError('conflict', `Tool "${row.name}" of MCP server "${server}" ${why}`)
  if (status === 'changed') throw refuse(`changed since it was approved and is not called: ${where}`)
  if (status === 'gone') throw refuse('is no longer there')
  if (status === 'refused') throw refuse(`is refused: ${row.problem}`)
  if (status === 'new' || !row.approved) throw refuse(`is not approved: ${where}`)
  if (hash !== undefined && row.approvedHash !== hash)
    throw refuse('was approved in another form since this turn began: ask again')
  return row.approved
}

function refuseInput(wrong: Parameters<typeof describeFailures>[0], tool: string): void {
  if (wrong.length === 0) return
  throw new CoherexError('invalid_input', `The input of "${tool}" does not fit the schema: ${describeFailures(wrong)}`)
}
