import type { McpPlace, McpServer } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { LogIn, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import {
  mcpToolsQuery,
  useMcpServerConnect,
  useMcpServerRefresh,
  useMcpServerRemove,
} from '../../../data/library/mcp-server.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Card } from '../../../ui/card.tsx'
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { EditMcpServerDialog } from './edit-mcp-server-dialog.tsx'
import { McpTools } from './mcp-tools.tsx'
import { joinCommand } from './split-command.ts'

/** One server: where it is, how it is, and its tools. */
export function McpServerCard({ server, startsOpen }: { server: McpServer; startsOpen: boolean }) {
  const { name, place, status, problem, protocol, tools } = server
  const { may } = useRight('admin', 'change MCP servers')
  const [open, setOpen] = useState(false)
  // what waits may come after the card; once open it stays open
  if (!open && (startsOpen || tools.waiting > 0)) setOpen(true)
  const [editing, setEditing] = useState(false)
  const [removing, setRemoving] = useState(false)
  const refresh = useMcpServerRefresh()
  const connect = useMcpServerConnect()
  const fail = (title: string) => (error: Error) => toast({ title, description: error.message, tone: 'error' })
  const signIn = () =>
    connect.mutate(
      { params: { name } },
      {
        onSuccess: ({ url }) => url !== null && location.assign(url),
        onError: fail(`Could not sign in to ${name}`),
      },
    )
  const isOauth = place.kind === 'remote' && place.auth.kind === 'oauth'
  return (
    <Card
      title={name}
      actions={
        <span className="flex flex-wrap items-center justify-end gap-2">
          {tools.waiting > 0 && <Pill tone="amber">{tools.waiting} to approve</Pill>}
          <StatusPill status={status} />
          {may && isOauth && (
            <Button size="small" icon={<LogIn aria-hidden />} busy={connect.isPending} onClick={signIn}>
              Sign in
            </Button>
          )}
          {may && (
            <Button
              size="small"
              icon={<RefreshCw aria-hidden />}
              busy={refresh.isPending}
              onClick={() => refresh.mutate({ params: { name } }, { onError: fail(`Could not ask ${name}`) })}
            >
              Test
            </Button>
          )}
          {may && (
            <Button size="small" icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
          {may && (
            <Button size="small" icon={<Trash2 aria-hidden />} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </span>
      }
    >
      <div className="flex min-w-0 flex-col gap-3">
        <p className="text-dense text-muted">
          <code className="break-all">{describePlace(place)}</code>
          {protocol && <span className="whitespace-nowrap"> · MCP {protocol}</span>}
        </p>
        {problem !== null && <Callout tone="warning">{problem}</Callout>}
        {open ? (
          <ServerTools name={name} canApprove={may} />
        ) : (
          <div>
            <Button size="small" onClick={() => setOpen(true)}>
              Show {tools.approved} approved {tools.approved === 1 ? 'tool' : 'tools'}
            </Button>
          </div>
        )}
      </div>
      {editing && <EditMcpServerDialog server={server} onClose={() => setEditing(false)} />}
      {removing && <RemoveDialog name={name} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function ServerTools({ name, canApprove }: { name: string; canApprove: boolean }) {
  const tools = useQuery(mcpToolsQuery(name))
  if (!tools.data) return <p className="text-dense text-muted">{tools.error?.message ?? 'Loading its tools …'}</p>
  // other tools than those on the screen are other ticks
  return <McpTools key={tools.data.hash} name={name} tools={tools.data} canApprove={canApprove} />
}

function StatusPill({ status }: Pick<McpServer, 'status'>) {
  if (status === 'ready') return <Pill tone="green">ready</Pill>
  if (status === 'sign-in') return <Pill tone="amber">sign in</Pill>
  return status === 'failed' ? <Pill tone="red">failed</Pill> : <Pill tone="grey">new</Pill>
}

function describePlace(place: McpPlace): string {
  return place.kind === 'remote' ? place.url : `${joinCommand([place.command, ...place.args])} (in a sandbox)`
}

function RemoveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const remove = useMcpServerRemove()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      confirm="Remove server"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { name } }, { onSuccess: onClose })}
    >
      Agents that use its tools go on without them. Its approvals and its sign-in are forgotten.
    </AlertDialog>
  )
}
