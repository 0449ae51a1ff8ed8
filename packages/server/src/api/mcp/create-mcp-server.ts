import { CoherexError } from '@coherex/contract'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { createProgress } from './create-progress.ts'
import { mayUse, type Shelf, type ShelfPage, type ShelfTool, type Visit } from './shelf.ts'

export interface McpServerOptions {
  version: string
  shelves: Shelf[]
  visit: Visit
  /** Changes of lists reach clients of the newer revision alone: the older one would need a connection that stays. */
  tellsChanges: boolean
  /** What a caller hears of an error. */
  tell(error: unknown): CoherexError
}

const instructions =
  'Coherex runs code in sandboxes and keeps workspaces, tools and agents of a team. Tools with a hyphen or one word in their names were published by the team; run_code runs code once, create_sandbox and run_cell keep variables.'

/** The protocol for one message of one caller. It holds nothing: what is offered is asked of the shelves. */
export function createMcpServer({ version, shelves, visit, tellsChanges, tell }: McpServerOptions): Server {
  const capabilities: ServerCapabilities = {
    tools: tellsChanges ? { listChanged: true } : {},
    resources: tellsChanges ? { listChanged: true } : {},
    prompts: tellsChanges ? { listChanged: true } : {},
    completions: {},
    extensions: { 'io.modelcontextprotocol/ui': {} },
  }
  const server = new Server({ name: 'coherex', title: 'Coherex', version }, { capabilities, instructions })

  server.setRequestHandler('tools/list', ({ params }) =>
    answer(async () => {
      const { items, nextCursor } = await pageOf(params?.cursor, 'tools')
      const seen = (items as ShelfTool[]).filter(({ access }) => mayUse(visit, access))
      return { tools: seen.map(({ tool }) => tool), ...nextCursor }
    }),
  )

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const found = await answer(() => first((shelf) => shelf.findTool?.(visit, params.name)))
    // whoever may not call it does not learn that it is there
    if (!found || !mayUse(visit, found.access)) throw invalid(`There is no tool "${params.name}"`)
    const progress = createProgress(context)
    try {
      return await found.call(params.arguments ?? {}, { ...visit, say: progress.say, protocol: context })
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      return toFailure(tell(error))
    } finally {
      await progress.end()
    }
  })

  server.setRequestHandler('resources/list', ({ params }) =>
    answer(async () => {
      const { items, nextCursor } = await pageOf(params?.cursor, 'resources')
      return { resources: items as never, ...nextCursor }
    }),
  )

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: shelves.flatMap(({ templates = [] }) => templates),
  }))

  server.setRequestHandler('resources/read', ({ params }) =>
    answer(async () => {
      const found = await first((shelf) => shelf.readResource?.(visit, params.uri))
      if (!found) throw new ResourceNotFoundError(params.uri)
      return found
    }),
  )

  server.setRequestHandler('prompts/list', ({ params }) =>
    answer(async () => {
      const { items, nextCursor } = await pageOf(params?.cursor, 'prompts')
      return { prompts: items as never, ...nextCursor }
    }),
  )

  server.setRequestHandler('prompts/get', ({ params }, context: ServerContext) =>
    answer(async () => {
      const found = await first((shelf) => shelf.getPrompt?.(visit, params.name, params.arguments ?? {}, context))
      if (!found) throw invalid(`There is no prompt "${params.name}"`)
      return found
    }),
  )

  server.setRequestHandler('completion/complete', ({ params }) =>
    answer(async () => {
      const request = { ref: params.ref, argument: params.argument, given: params.context?.arguments ?? {} }
      const completion = await first((shelf) => shelf.complete?.(visit, request))
      return { completion: completion ?? { values: [], total: 0, hasMore: false } }
    }),
  )

  return server

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
  async function pageOf(cursor: string | undefined, list: 'tools' | 'resources' | 'prompts') {
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

  async function answer<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
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
