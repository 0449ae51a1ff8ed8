import type { Tool } from '@coherex/contract'
import { Plug } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useMcpSetup } from '../../data/library/mcp.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { McpSnippets } from '../settings/mcp/mcp-snippets.tsx'

interface ToolMcpProps {
  tool: Tool
  onPublish: () => void
}

/** How MCP clients get this tool: every published one is there, so it takes the address and a way in. */
export function ToolMcp({ tool: { name, version, newestVersion, status }, onPublish }: ToolMcpProps) {
  const setup = useMcpSetup()
  const right = useRight('editor', 'publish tools')
  if (version === null || status === 'unpublished') {
    return (
      <Empty
        icon={Plug}
        title={`${name} is not published`}
        action={
          <Reason why={right.why}>
            <Button look="primary" disabled={!right.may} onClick={onPublish}>
              Publish version {newestVersion}
            </Button>
          </Reason>
        }
      >
        MCP clients find each published tool at once. Publish it to deploy it.
      </Empty>
    )
  }
  if (setup.error) {
    return <ErrorState doing="load the MCP settings" error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data)
    return <WaitingLines label="Loading the MCP settings" className="gap-2 p-4" lines={['h-4', 'h-24']} />
  return (
    <div className="flex max-w-200 flex-col gap-4 p-4">
      <p className="text-dense text-muted">
        Version {version} of {name} is deployed: Claude, Cursor, VS Code and every other MCP client of the team finds it
        here.
      </p>
      <McpSnippets setup={setup.data} keyName={`MCP for ${name}`} />
    </div>
  )
}
