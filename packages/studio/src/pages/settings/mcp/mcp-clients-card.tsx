import type { OAuthClientGrant } from '@coherex/contract'
import { useState } from 'react'
import { useMcpClientRevoke, useMcpClients } from '../../../data/library/mcp.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { toast } from '../../../ui/toast/toast.ts'

/** Clients that people signed in with, and the way to take that back. */
export function McpClientsCard() {
  const { data } = useMcpClients()
  const [revoking, setRevoking] = useState<OAuthClientGrant>()
  const items = data?.items ?? []
  return (
    <Card flush={items.length > 0} title="Connected clients" description="Those that someone signed in with.">
      {items.length === 0 ? (
        <p className="text-dense text-muted">No client is connected.</p>
      ) : (
        <ul aria-label="Connected clients">
          {items.map((client) => (
            <li
              key={client.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-5 py-2.5 text-dense last:border-0"
            >
              <span className="min-w-40 flex-1">
                <span className="block truncate font-medium">{client.name}</span>
                <span className="block truncate text-small text-muted">
                  {client.site ?? 'registered itself'}, for {client.grantedBy.name}
                </span>
              </span>
              <span className="flex gap-1">
                {client.scopes.map((scope) => (
                  <Pill key={scope} tone="grey">
                    {scope}
                  </Pill>
                ))}
              </span>
              <span className="text-small text-muted">
                {client.lastUsedAt ? <Time at={client.lastUsedAt} /> : 'not used yet'}
              </span>
              <Button size="small" onClick={() => setRevoking(client)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {revoking && <RevokeDialog client={revoking} onClose={() => setRevoking(undefined)} />}
    </Card>
  )
}

function RevokeDialog({ client, onClose }: { client: OAuthClientGrant; onClose: () => void }) {
  const revoke = useMcpClientRevoke()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Revoke ${client.name}?`}
      confirm="Revoke access"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: client.id } },
          {
            onSuccess() {
              onClose()
              toast({ title: `${client.name} has no access any more` })
            },
          },
        )
      }
    >
      Its next call is refused, and what it has open ends. To use it again, {client.grantedBy.name} signs in once more.
    </AlertDialog>
  )
}
