import type { ApiKey } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useKeyList, useKeyRevoke } from '../../data/access/key.ts'
import { useRight } from '../../data/access/rights.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { Button } from '../../ui/button.tsx'
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'

export function KeysPage() {
  const { create = false } = useSearch({ from: '/shell/settings/team-pages/keys' })
  const navigate = useNavigate()
  const keys = useKeyList()
  const seesAll = useRight('admin', 'see all keys').may
  const [revoking, setRevoking] = useState<ApiKey>()
  const showCreate = (open: boolean) =>
    void navigate({ to: '/settings/keys', search: open ? { create: true } : {}, replace: true })

  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: 'Name',
      className: 'w-full max-w-0',
      cell: ({ name, start }) => (
        <span className="block min-w-0">
          <span className="block truncate font-medium">{name}</span>
          <code className="block truncate text-small text-muted">{start}…</code>
        </span>
      ),
    },
    {
      key: 'scopes',
      header: 'Scopes',
      from: 'sm',
      cell: ({ scopes }) => (
        <span className="flex gap-1">
          {scopes.map((scope) => (
            <Pill key={scope} tone={scope === 'admin' ? 'amber' : 'grey'}>
              {scope}
            </Pill>
          ))}
        </span>
      ),
    },
    ...(seesAll
      ? [
          {
            key: 'by',
            header: 'Acts for',
            from: 'xl' as const,
            cell: ({ createdBy }: ApiKey) => <span className="whitespace-nowrap">{createdBy.name}</span>,
          },
        ]
      : []),
    {
      key: 'used',
      header: 'Last used',
      from: 'lg',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="text-muted">never</span>),
    },
    { key: 'expires', header: 'Expires', from: 'md', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      key: 'actions',
      header: '',
      align: 'right',
      cell: (key) => (
        <Button size="small" onClick={() => setRevoking(key)}>
          Revoke
        </Button>
      ),
    },
  ]

  return (
    <CataloguePage
      title="API keys"
      description="Let scripts, the command line and other programs act for you in this team."
      actions={
        <Button look="primary" icon={<Plus aria-hidden />} onClick={() => showCreate(true)}>
          Create key
        </Button>
      }
      pages={keys}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <Empty
          icon={KeyRound}
          title="No keys yet"
          action={<Button onClick={() => showCreate(true)}>Create key</Button>}
        >
          With a key, <code className="text-small">coherex</code> and your own scripts can use the API without your
          password.
        </Empty>
      }
    >
      {create && <CreateKeyDialog onClose={() => showCreate(false)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </CataloguePage>
  )
}

function Expiry({ at }: { at: string | null }) {
  if (!at) return <span className="text-muted">never</span>
  return Date.parse(at) < Date.now() ? <Pill tone="red">expired</Pill> : <Time at={at} />
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useKeyRevoke()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: apiKey.id } },
          {
            onSuccess() {
              onClose()
              toast({ title: `${apiKey.name} is revoked` })
            },
          },
        )
      }
    >
      Every program that uses the key <code className="text-dense text-text">{apiKey.start}…</code> stops working at
      once. This cannot be undone.
    </AlertDialog>
  )
}
