import { CoherexError, type Access, type Author } from '@coherex/contract'
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'
import { checkAccess, type TeamCaller } from '../../access/index.ts'
import type { BusEvent } from '../../base/index.ts'

/** Someone at the door with one message. */
export interface Visit {
  caller: TeamCaller
  /** Who changes of files are by. */
  author: Author
  /** Aborted when the client cancels the message, or hangs up. */
  signal: AbortSignal
}

/** A visit that calls a tool. */
export interface ToolVisit extends Visit {
  /** Tells the client how it goes, where it asked to hear of that. */
  say(text: string): void
  /** What the protocol itself offers to a call. */
  protocol: ServerContext
}

export interface ShelfTool {
  tool: Tool
  /** Who sees it and may call it. */
  access: Exclude<Access, string>
  call(input: Record<string, unknown>, visit: ToolVisit): Promise<CallToolResult | InputRequiredResult>
}

export interface ShelfPage<Item> {
  items: Item[]
  /** Where the next page begins; absent after the last. */
  next?: string | undefined
}

export interface CompletionRequest {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  argument: { name: string; value: string }
  /** What was filled in before. */
  given: Record<string, string>
}

/**
 * Things of one kind that are offered to clients. What a shelf does not have it answers with undefined, and the next one is
 * asked. Each question is asked for one visitor, and answered within their rights.
 */
export interface Shelf {
  tools?(visit: Visit, cursor: string | undefined): Promise<ShelfPage<ShelfTool>>
  findTool?(visit: Visit, name: string): Promise<ShelfTool | undefined>
  resources?(visit: Visit, cursor: string | undefined): Promise<ShelfPage<Resource>>
  templates?: ResourceTemplateType[]
  readResource?(visit: Visit, uri: string): Promise<ReadResourceResult | undefined>
  /** Whether a resource may have changed with what happened in its team. */
  isUpdated?(uri: string, event: BusEvent): boolean
  prompts?(visit: Visit, cursor: string | undefined): Promise<ShelfPage<Prompt>>
  getPrompt?(
    visit: Visit,
    name: string,
    given: Record<string, string>,
    protocol: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>
  complete?(visit: Visit, request: CompletionRequest): Promise<CompleteResult['completion'] | undefined>
}

/** The rule of HTTP routes, asked as a question. */
export function mayUse({ caller }: Visit, access: ShelfTool['access']): boolean {
  try {
    checkAccess(access, caller)
    return true
  } catch (error) {
    if (error instanceof CoherexError) return false
    throw error
  }
}
