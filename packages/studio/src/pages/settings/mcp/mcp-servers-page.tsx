import type { McpServer } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { useRight } from '../../../data/access/rights.ts'
import { useMcpServerList } from '../../../data/library/mcp-server.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { AddMcpServerDialog } from './add-mcp-server-dialog.tsx'
import { McpServerCard } from './mcp-server-card.tsx'

/** MCP servers of the team: where they are, which of their tools agents may use, and what waits for an admin. */
export function McpServersPage() {
  const { create = false, failed, name } = useSearch({ from: '/shell/settings/team-pages/mcp-servers' })
  const navigate = useNavigate()
  const list = useMcpServerList()
  const { may } = useRight('admin', 'add MCP servers')
  const show = (search: { create?: true; name?: string }) =>
    void navigate({ to: '/settings/mcp-servers', search, replace: true })
  const add = (
    <Button look="primary" icon={<Plus aria-hidden />} disabled={!may} onClick={() => show({ create: true })}>
      Add server
    </Button>
  )
  return (
    <Page
      title="MCP servers"
      description="Servers whose tools your agents may use. An admin approves each tool as it is; one that changes waits for approval again."
      actions={add}
    >
      {failed !== undefined && <Callout tone="warning">{failed}</Callout>}
      {!list.data &&
        (list.error ? (
          <ErrorState doing="load the MCP servers" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <WaitingLines label="Loading the MCP servers" className="gap-3" lines={['h-4 w-64', 'h-4 w-52']} />
        ))}
      {list.data?.items.length === 0 && (
        <Empty icon={Plug} title="No MCP servers yet" action={add}>
          Add a remote server by its address, or a command that runs in a sandbox.
        </Empty>
      )}
      {list.data?.items.map((server: McpServer) => (
        <McpServerCard key={server.name} server={server} startsOpen={server.name === name} />
      ))}
      {create && <AddMcpServerDialog onClose={() => show({})} onAdded={(added) => show({ name: added })} />}
    </Page>
  )
}
