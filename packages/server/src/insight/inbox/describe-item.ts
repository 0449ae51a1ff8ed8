import type { InboxItem, InboxKind } from '@coherex/contract'
import { toPlainLine } from '../../registry/index.ts'

/** What the store knows of an item; which fields there are depends on its kind. */
export interface InboxFacts {
  agent?: string
  tool?: string
  isRepeat?: boolean
  input?: unknown
  byKind?: string
  by?: string | null
  person?: string
  name?: string
  version?: number
  note?: string | null
  reason?: string | null
  path?: string
  threadId?: string | null
  threadTitle?: string | null
  workspaceId?: string
  workspaceName?: string
  triggerId?: string | null
  trigger?: string | null
  count?: number
  isChange?: boolean
}

export interface InboxRow {
  kind: InboxKind
  id: string
  at: Date
  facts: InboxFacts
}

const longestSummary = 300

/** An item in words. They are one line each, without anything that cannot be seen. */
export function describeItem({ kind, id, at, facts }: InboxRow): InboxItem {
  const { title, summary, by } = wordsOf(kind, facts)
  return {
    ...{ id, kind, at: at.toISOString(), by },
    title: toPlainLine(title),
    summary: toPlainLine(summary).slice(0, longestSummary),
    where: whereOf(kind, facts),
    url: `/inbox/${encodeURIComponent(id)}`,
    isDismissible: kind === 'given-up-turn' || kind === 'failed-trigger',
    count: facts.count ?? 1,
  }
}

function wordsOf(kind: InboxKind, facts: InboxFacts): Pick<InboxItem, 'title' | 'summary' | 'by'> {
  const { agent = '', tool = '', name = '', path = '', version, note, reason, trigger, person = '' } = facts
  const author = facts.by ? ({ kind: 'agent', name: facts.by } as const) : ({ kind: 'person', name: person } as const)
  switch (kind) {
    case 'approval': {
      const title = `${agent} asks to use ${tool}${facts.isRepeat ? ' again' : ''}`
      return { title, summary: argumentsOf(facts.input), by: { kind: 'agent', name: agent } }
    }
    case 'file-proposal': {
      const by = { kind: facts.byKind === 'person' ? 'person' : 'agent', name: facts.by ?? '' } as const
      return { title: `${by.name} proposes a change to ${path}`, summary: note ?? '', by }
    }
    case 'definition-proposal':
      return { title: `${author.name} proposes version ${version} of agent ${name}`, summary: note ?? '', by: author }
    case 'skill-review':
      return { title: `${author.name} proposes version ${version} of skill ${name}`, summary: note ?? '', by: author }
    case 'mcp-review': {
      const { count = 1 } = facts
      const tools = count === 1 ? 'a tool' : `${count} tools`
      const title = facts.isChange
        ? `MCP server ${name} changed ${tools}`
        : `MCP server ${name} has ${tools} to approve`
      return { title, summary: note ?? '', by: { kind: 'person', name } }
    }
    case 'tool-review':
      return { title: `Version ${version} of tool ${name} waits for a review`, summary: note ?? '', by: author }
    case 'given-up-turn': {
      const by = trigger ? ({ kind: 'trigger', name: trigger } as const) : ({ kind: 'agent', name: agent } as const)
      return { title: `${agent} gave up${trigger ? ` after trigger ${trigger}` : ''}`, summary: reason ?? '', by }
    }
    case 'failed-trigger':
      return {
        title: `Trigger ${trigger ?? ''} did not start ${agent || name}`,
        summary: reason ?? '',
        by: { kind: 'trigger', name: trigger ?? '' },
      }
  }
}

/** What a call would do, as far as a line can tell it. */
function argumentsOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  return Object.values(input)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
}

function whereOf(kind: InboxKind, facts: InboxFacts): InboxItem['where'] {
  const { agent, name, version, path, threadId, threadTitle, workspaceId, workspaceName, triggerId, trigger } = facts
  return {
    ...(threadId && { thread: { id: threadId, title: threadTitle ?? '' } }),
    ...(workspaceId && { workspace: { id: workspaceId, name: workspaceName ?? '' } }),
    ...(agent && { agent }),
    ...(kind === 'definition-proposal' && name && { agent: name }),
    ...(kind === 'skill-review' && name && { skill: name }),
    ...(kind === 'mcp-review' && name && { mcpServer: name }),
    ...((kind === 'tool-review' || kind === 'failed-trigger') && name && { tool: name }),
    ...(version !== undefined && { version }),
    ...(triggerId && { trigger: { id: triggerId, name: trigger ?? '' } }),
    ...(path && { path }),
  }
}
