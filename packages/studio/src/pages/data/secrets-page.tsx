import type { Secret } from '@coherex/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis, Lock, Plus, RefreshCw, ShieldOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useSecretDelete, useSecretList } from '../../data/secret.ts'
import { Page } from '../../shell/page.tsx'
import { places } from '../../shell/places.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListBody } from '../../ui/list/list-body.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Time } from '../../ui/text/time.tsx'
import { PutSecretDialog } from '../settings/put-secret-dialog.tsx'

export function SecretsPage() {
  const { create = false } = useSearch({ from: '/shell/team-places/secrets' })
  const navigate = useNavigate()
  const toSee = useRight('editor', 'see the names of secrets')
  const toChange = useRight('admin', 'store and delete secrets')
  const secrets = useSecretList({ enabled: toSee.may })
  const [replacing, setReplacing] = useState<Secret>()
  const [deleting, setDeleting] = useState<Secret>()
  const remove = useSecretDelete()
  const showCreate = (open: boolean) =>
    void navigate({ to: '/secrets', search: open ? { create: true } : {}, replace: true })

  const columns: Column<Secret>[] = [
    {
      key: 'name',
      header: 'Name',
      className: 'w-full max-w-0',
      cell: ({ name }) => <code className="block truncate text-small font-medium">{name}</code>,
    },
    {
      key: 'hint',
      header: 'Ends with',
      from: 'sm',
      cell: ({ hint }) => (
        <code className="text-small whitespace-nowrap text-muted">{hint ? `…${hint}` : 'hidden'}</code>
      ),
    },
    {
      key: 'changed',
      header: 'Changed',
      from: 'md',
      cell: ({ updatedAt, updatedBy }) => (
        <span className="whitespace-nowrap">
          <Time at={updatedAt} /> <span className="text-muted">by {updatedBy}</span>
        </span>
      ),
    },
    ...(toChange.may
      ? [
          {
            key: 'actions',
            header: '',
            align: 'right' as const,
            cell: (secret: Secret) => (
              <Menu trigger={<IconButton label={`More for ${secret.name}`} icon={<Ellipsis aria-hidden />} />}>
                <MenuItem icon={<RefreshCw />} onSelect={() => setReplacing(secret)}>
                  Replace value
                </MenuItem>
                <MenuItem icon={<Trash2 />} danger onSelect={() => setDeleting(secret)}>
                  Delete secret
                </MenuItem>
              </Menu>
            ),
          },
        ]
      : []),
  ]

  return (
    <Page
      title="Secrets"
      place={places.data}
      wide
      description="Keys of models and tokens for git repositories. The server uses them; they can be replaced, not read."
      actions={
        toSee.may && (
          <Reason why={toChange.why}>
            <Button
              look="primary"
              icon={<Plus aria-hidden />}
              disabled={!toChange.may}
              onClick={() => showCreate(true)}
            >
              Store secret
            </Button>
          </Reason>
        )
      }
    >
      <Card flush>
        {toSee.may ? (
          <ListBody
            label="Secrets"
            pages={secrets}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              <Empty
                icon={Lock}
                title="No secrets yet"
                action={toChange.may && <Button onClick={() => showCreate(true)}>Store secret</Button>}
              >
                Store a key of a model or a token for a git repository. Code that runs does not see it.
              </Empty>
            }
          />
        ) : (
          <Empty icon={ShieldOff} title="Not for your role">
            {toSee.why}
          </Empty>
        )}
      </Card>
      {create && toChange.may && <PutSecretDialog onClose={() => showCreate(false)} />}
      {replacing && <PutSecretDialog secret={replacing} onClose={() => setReplacing(undefined)} />}
      {deleting && (
        <DeleteDialog
          noun="secret"
          name={deleting.name}
          isTyped
          remove={remove}
          params={{ name: deleting.name }}
          onClose={() => setDeleting(undefined)}
        >
          Code that needs it fails from now on. The value is gone for good.
        </DeleteDialog>
      )}
    </Page>
  )
}
