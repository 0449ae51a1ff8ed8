import { CoherexError } from '@coherex/contract'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { storable } from '../../base/index.ts'

/** What a call gave: words for the model, and what people see beside them. */
export interface McpResult {
  text: string
  structured?: unknown
  displays?: Record<string, unknown>[]
  /** What the server adds for a view of its own. */
  meta?: Record<string, unknown>
  /** There is a view that shows it. */
  hasApp?: boolean
}

const longestText = 400_000
const longestMeta = 100_000
const mostImages = 8
const mostImageCharacters = 3_000_000
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

type Block = CallToolResult['content'][number]

/** Text, structured content and images, bounded. Throws where the tool says that it failed. */
export function readResult(server: string, result: CallToolResult): McpResult {
  const { content, structuredContent, isError, _meta } = result
  const displays: Record<string, unknown>[] = []
  let room = mostImageCharacters
  const lines = content.map((block) => {
    if (block.type !== 'image') return toText(block)
    const isShown = shownImages.has(block.mimeType) && displays.length < mostImages && block.data.length <= room
    if (!isShown) return `[image ${block.mimeType.slice(0, 50)} left out]`
    room -= block.data.length
    displays.push({ [block.mimeType]: block.data })
    return '[image shown to the person]'
  })
  // servers are asked to repeat what is structured as text; where they do, it is said once
  const structured = structuredContent === undefined ? undefined : storable(structuredContent)
  if (structured !== undefined && !content.some(({ type }) => type === 'text')) lines.push(JSON.stringify(structured))
  const whole = storable(lines.join('\n'))
  const text =
    whole.length <= longestText
      ? whole
      : `${whole.slice(0, longestText)}\n[${whole.length - longestText} characters left out]`
  if (isError) throw new CoherexError('invalid_input', `MCP server "${server}" says: ${text.slice(0, 10_000)}`)
  return {
    text: text || 'It answered with nothing.',
    ...(structured !== undefined && { structured }),
    ...(displays.length > 0 && { displays }),
    ...(_meta && JSON.stringify(_meta).length <= longestMeta && { meta: storable(_meta) as Record<string, unknown> }),
  }
}

function toText(block: Exclude<Block, { type: 'image' }>): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'audio':
      return `[audio ${block.mimeType.slice(0, 50)} left out]`
    case 'resource_link':
      return `[${block.name.slice(0, 200)}](${block.uri.slice(0, 2_000)})`
    case 'resource':
      return 'text' in block.resource
        ? `${block.resource.uri}:\n${block.resource.text}`
        : `[file ${block.resource.uri.slice(0, 2_000)} left out]`
  }
}
