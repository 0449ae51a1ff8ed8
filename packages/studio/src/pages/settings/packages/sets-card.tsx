import { formatBytes, type PackageSet } from '@coherex/contract'
import { Package } from 'lucide-react'
import { useState } from 'react'
import { usePackageSetDelete, usePackageSets } from '../../../data/package.ts'
import { LockDetails } from '../../../output/details/lock-details.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DeleteDialog } from '../../../ui/dialog/delete-dialog.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { ListBody } from '../../../ui/list/list-body.tsx'
import type { Column } from '../../../ui/list/table.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { PruneDialog } from './prune-dialog.tsx'

/** The sets of packages that the team keeps, with what keeps them. */
export function SetsCard({ mayChange }: { mayChange: boolean }) {
  const sets = usePackageSets()
  const [shown, setShown] = useState<PackageSet>()
  const [deleting, setDeleting] = useState<PackageSet>()
  const [pruning, setPruning] = useState(false)
  const columns: Column<PackageSet>[] = [
    {
      key: 'packages',
      header: 'Packages',
      className: 'w-full max-w-0',
      cell: (set) => (
        <span className="block min-w-0 py-1">
          <button
            type="button"
            onClick={() => setShown(set)}
            className="block max-w-full truncate rounded-sm text-left font-mono text-small font-medium [font-variant-ligatures:none] hover:underline"
          >
            {nameOf(set)}
          </button>
          <span className="block truncate text-small text-muted">
            {set.language === 'python' ? 'Python' : 'JavaScript'} · {set.packages.length} in the lock
          </span>
        </span>
      ),
    },
    { key: 'used-by', header: 'Used by', from: 'md', cell: ({ usedBy }) => <UsedBy usedBy={usedBy} /> },
    { key: 'last', header: 'Last used', from: 'sm', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      key: 'size',
      header: 'Size',
      align: 'right',
      cell: ({ diskBytes }) => (
        <span className="whitespace-nowrap tabular">
          {diskBytes === null ? <span className="text-muted">not fetched</span> : formatBytes(diskBytes)}
        </span>
      ),
    },
    ...(mayChange
      ? [
          {
            key: 'actions',
            header: '',
            align: 'right' as const,
            cell: (set: PackageSet) => (
              <Reason why={whyKept(set)}>
                <Button
                  size="small"
                  aria-label={`Delete ${nameOf(set)}`}
                  disabled={set.usedBy.length > 0}
                  onClick={() => setDeleting(set)}
                >
                  Delete
                </Button>
              </Reason>
            ),
          },
        ]
      : []),
  ]
  const isEmpty = sets.items?.length === 0
  return (
    <Card
      flush
      title="Kept sets"
      description="One that a workspace, sandbox, template or tool uses stays. Others go when the server needs the room, the least used first."
      actions={mayChange && !isEmpty && <Button onClick={() => setPruning(true)}>Prune…</Button>}
    >
      <ListBody
        label="Kept sets"
        pages={sets}
        columns={columns}
        rowKey={({ hash }) => hash}
        empty={
          <Empty icon={Package} title="No sets yet" action={<LinkButton to="/scratch">Open Scratch</LinkButton>}>
            Name a package in the options of a run, or import one: the set it makes is kept here.
          </Empty>
        }
      />
      {shown && (
        <Dialog
          open
          onClose={() => setShown(undefined)}
          title={nameOf(shown)}
          description={
            <>
              Made <Time at={shown.createdAt} />
            </>
          }
        >
          <DialogBody>
            <LockDetails lock={shown} isOpen />
            <p className="text-dense text-muted">
              Used by <UsedBy usedBy={shown.usedBy} />
            </p>
          </DialogBody>
        </Dialog>
      )}
      {deleting && <DeleteSet set={deleting} onClose={() => setDeleting(undefined)} />}
      {pruning && <PruneDialog onClose={() => setPruning(false)} />}
    </Card>
  )
}

function DeleteSet({ set, onClose }: { set: PackageSet; onClose: () => void }) {
  const remove = usePackageSetDelete()
  return (
    <DeleteDialog noun="set" name={nameOf(set)} remove={remove} params={{ hash: set.hash }} onClose={onClose}>
      Runs that ask for these packages resolve and fetch them again, perhaps in newer versions.
    </DeleteDialog>
  )
}

function UsedBy({ usedBy }: Pick<PackageSet, 'usedBy'>) {
  if (usedBy.length === 0) return <span className="text-muted">nothing</span>
  return (
    <span className="whitespace-nowrap">
      {usedBy.slice(0, 2).map(({ kind, id, name }, index) => (
        <span key={`${kind} ${id}`}>
          {index > 0 && ', '}
          {kind === 'workspace' ? (
            <TextLink to="/workspaces/$id" params={{ id }}>
              {name}
            </TextLink>
          ) : kind === 'sandbox' ? (
            <TextLink to="/sandboxes/$id" params={{ id }}>
              {name}
            </TextLink>
          ) : (
            `${kind} ${name}`
          )}
        </span>
      ))}
      {usedBy.length > 2 && ` and ${usedBy.length - 2} more`}
    </span>
  )
}

const nameOf = ({ requirements }: PackageSet) => requirements.join(', ')

function whyKept({ usedBy }: PackageSet): string | undefined {
  if (usedBy.length === 0) return undefined
  return `In use by ${usedBy.map(({ kind, name }) => `${kind} ${name}`).join(', ')}.`
}
