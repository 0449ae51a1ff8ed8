import { CoherexError } from '@coherex/contract'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type ReadResourceResult,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { admittedOf, type Admitted } from './admitted.ts'
import { createProgress } from './create-progress.ts'
import { mayUse, type Shelf, type ShelfPage, type ShelfTool, type Visit } from './shelf.ts'

export interface McpServerOptions {
  version: string
  shelves: Shelf[]
  /** Changes of lists reach clients of the newer revision, and those of the older one in their session. */
  tellsChanges: boolean
  /** The addresses of resources that a session is subscribed to. Without a session there is no stream to tell of them. */
  subscribed?: Set<string>
}

const mostSubscriptions = 100
const longestUri = 2_000

const instructions =
  'Coherex runs code in sandboxes and keeps workspaces, tools and agents of a team. Tools without an underscore in their names were published by the team; run_code runs code once, create_sandbox and run_cell keep variables.'

/** The protocol for one message of one caller, or for a session of one. What is offered is asked of the shelves, for each message by who sent it. */
export function createMcpServer({ version, shelves, tellsChanges, subscribed }: McpServerOptions): Server {
  const capabilities: ServerCapabilities = {
    tools: tellsChanges ? { listChanged: true } : {},
    resources: { ...(tellsChanges && { listChanged: true }), ...(subscribed && { subscribe: true }) },
    prompts: tellsChanges ? { listChanged: true } : {},
    completions: {},
    ...(subscribed && { logging: {} }),
    extensions: { 'io.modelcontextprotocol/ui': {} },
  }
  const server = new Server({ name: 'coherex', title: 'Coherex', version }, { capabilities, instructions })

  server.setRequestHandler('tools/list', ({ params }, context) =>
    answer(context, async (visit) => {
      const { items, nextCursor } = await pageOf(visit, params?.cursor, 'tools')
      const seen = (items as ShelfTool[]).filter(({ access }) => mayUse(visit, access))
      return { tools: seen.map(({ tool }) => tool), ...nextCursor }
    }),
  )

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { visit, tell } = admittedOf(context)
    const found = await answer(context, () => first((shelf) => shelf.findTool?.(visit, params.name)))
    // whoever may not call it does not learn that it is there
    if (!found || !mayUse(visit, found.access)) throw invalid(`There is no tool "${params.name}"`)
    const progress = createProgress(context, { logs: subscribed !== undefined })
    try {
      return await found.call(params.arguments ?? {}, { ...visit, say: progress.say, protocol: context })
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      return toFailure(tell(error))
    } finally {
      await progress.end()
    }
  })

  server.setRequestHandler('resources/list', ({ params }, context) =>
    answer(context, async (visit) => {
      const { items, nextCursor } = await pageOf(visit, params?.cursor, 'resources')
      return { resources: items as never, ...nextCursor }
    }),
  )

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: shelves.flatMap(({ templates = [] }) => templates),
  }))

  server.setRequestHandler('resources/read', ({ params }, context) =>
    answer(context, (visit) => read(visit, params.uri)),
  )

  if (subscribed) {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
      answer(context, async (visit) => {
        if (uri.length > longestUri) throw new ResourceNotFoundError(uri.slice(0, 100))
        if (!subscribed.has(uri) && subscribed.size >= mostSubscriptions)
          throw invalid(`A session is subscribed to ${mostSubscriptions} resources at the most`)
        await read(visit, uri)
        subscribed.add(uri)
        return {}
      }),
    )
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscribed.delete(params.uri)
      return {}
    })
  }

  server.setRequestHandler('prompts/list', ({ params }, context) =>
    answer(context, async (visit) => {
      const { items, nextCursor } = await pageOf(visit, params?.cursor, 'prompts')
      return { prompts: items as never, ...nextCursor }
    }),
  )

  server.setRequestHandler('prompts/get', ({ params }, context) =>
    answer(context, async (visit) => {
      const found = await first((shelf) => shelf.getPrompt?.(visit, params.name, params.arguments ?? {}, context))
      if (!found) throw invalid(`There is no prompt "${params.name}"`)
      return found
    }),
  )

  server.setRequestHandler('completion/complete', ({ params }, context) =>
    answer(context, async (visit) => {
      const request = { ref: params.ref, argument: params.argument, given: params.context?.arguments ?? {} }
      const completion = await first((shelf) => shelf.complete?.(visit, request))
      return { completion: completion ?? { values: [], total: 0, hasMore: false } }
    }),
  )

  return server

  async function read(visit: Visit, uri: string): Promise<ReadResourceResult> {
    const found = await first((shelf) => shelf.readResource?.(visit, uri))
    if (!found) throw new ResourceNotFoundError(uri)
    return found
  }

  /** The first shelf that has it. */
  async function first<Found>(
    ask: (shelf: Shelf) => Promise<Found | undefined> | undefined,
  ): Promise<Found | undefined> {
    for (const shelf of shelves) {
      const found = await ask(shelf)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A page of a list that goes from shelf to shelf. A cursor says which shelf is next, and where on it. */
  async function pageOf(visit: Visit, cursor: string | undefined, list: 'tools' | 'resources' | 'prompts') {
    const stocked = shelves.filter((shelf) => shelf[list])
    let [index, within] = parseCursor(cursor, stocked.length)
    const items: unknown[] = []
    for (; index < stocked.length; index++) {
      const page: ShelfPage<unknown> | undefined = await stocked[index]?.[list]?.(visit, within)
      items.push(...(page?.items ?? []))
      if (page?.next !== undefined) return { items, nextCursor: { nextCursor: `${index}.${page.next}` } }
      within = undefined
    }
    return { items, nextCursor: {} }
  }

  async function answer<Result>(context: ServerContext, work: (visit: Visit) => Promise<Result>): Promise<Result> {
    const { visit, tell }: Admitted = admittedOf(context)
    try {
      return await work(visit)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const { code, message } = tell(error)
      const isTheirs = code !== 'internal' && code !== 'unavailable'
      throw new ProtocolError(isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, message)
    }
  }
}

function parseCursor(cursor: string | undefined, shelves: number): [number, string | undefined] {
  if (cursor === undefined) return [0, undefined]
  const [, index, within] = /^(\d{1,2})\.(.{1,2000})$/.exec(cursor) ?? []
  if (index === undefined || Number(index) >= shelves) throw invalid('The cursor is not one of ours')
  return [Number(index), within]
}

/** What went wrong in a call, where the model reads it. */
function toFailure({ message, details }: CoherexError): CallToolResult {
  const more = Array.isArray(details) ? `\n${JSON.stringify(details.slice(0, 20))}` : ''
  return { content: [{ type: 'text', text: message + more }], isError: true }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
