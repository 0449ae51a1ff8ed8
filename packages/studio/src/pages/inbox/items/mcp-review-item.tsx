import { useQuery } from '@tanstack/react-query'
import { useRight } from '../../../data/access/rights.ts'
import { mcpToolsQuery } from '../../../data/library/mcp-server.ts'
import { McpTools } from '../../settings/mcp/mcp-tools.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function McpReviewItem({ item: { title, where }, onDecided }: ItemProps) {
  const name = where.mcpServer ?? ''
  const tools = useQuery(mcpToolsQuery(name))
  const { may } = useRight('admin', 'approve tools of MCP servers')
  return (
    <Loaded query={tools} what="the tools">
      {(known) => (
        <div className="flex min-w-0 flex-col gap-3 p-4">
          <h2 className="text-body font-semibold">{title}</h2>
          <McpTools key={known.hash} name={name} tools={known} canApprove={may} onDecided={onDecided} />
        </div>
      )}
    </Loaded>
  )
}
