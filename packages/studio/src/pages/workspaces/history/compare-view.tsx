import { useQuery } from '@tanstack/react-query'
import { RotateCcw, X } from 'lucide-react'
import { FileChange } from '../../../change/file-change.tsx'
import { RestoreButton } from '../../../change/restore-button.tsx'
import type { Right } from '../../../data/access/rights.ts'
import { readVersionText, versionDiffQuery } from '../../../data/version.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { useRestore } from './use-restore.ts'
import { VersionSelect } from './version-select.tsx'

interface CompareViewProps {
  id: string
  from: number
  to: number
  last: number
  mayWrite: Right
  onCompare: (from: number, to: number) => void
  onOpen: (path: string) => void
  onClose: () => void
}

// with more files their names are read first
const mostOpen = 30

/** What differs between two versions, file by file. */
export function CompareView({ id, from, to, last, mayWrite, onCompare, onOpen, onClose }: CompareViewProps) {
  const diff = useQuery(versionDiffQuery(id, from, to))
  const restore = useRestore(id, last)
  const items = diff.data?.items
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-canvas py-1 pr-2 pl-4">
        <h2 className="text-dense font-semibold">Compare</h2>
        <VersionSelect id={id} label="From version" value={from} last={last} onChange={(next) => onCompare(next, to)} />
        <span aria-hidden className="text-muted">
          →
        </span>
        <VersionSelect id={id} label="To version" value={to} last={last} onChange={(next) => onCompare(from, next)} />
        <span className="flex-1" />
        {to !== last && (
          <Reason why={mayWrite.why}>
            <Button
              size="small"
              icon={<RotateCcw aria-hidden />}
              disabled={!mayWrite.may || to === 0}
              onClick={() => restore(to)}
            >
              Restore version {to}
            </Button>
          </Reason>
        )}
        <IconButton label="Close comparison" size="small" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto bg-canvas p-3">
        {diff.error && (
          <ErrorState doing="compare the versions" error={diff.error} onRetry={() => void diff.refetch()} />
        )}
        {!items && !diff.error && (
          <Waiting label="Comparing">
            <Skeleton className="h-24 w-full" />
          </Waiting>
        )}
        {items?.length === 0 && (
          <p className="py-10 text-center text-dense text-muted">
            The files of version {from} and version {to} are the same.
          </p>
        )}
        {items?.map((item) => (
          <FileChange
            key={`${from} ${to} ${item.path}`}
            {...item}
            startsOpen={items.length <= mostOpen}
            whole={{ side: 'after', read: () => readVersionText(id, to, item.path) }}
            actions={
              <>
                {item.change !== 'deleted' && (
                  <Button size="small" look="quiet" onClick={() => onOpen(item.path)}>
                    Open
                  </Button>
                )}
                {mayWrite.may && item.change !== 'moved' && (
                  <RestoreButton workspaceId={id} path={item.path} version={from} isNew={item.change === 'added'} />
                )}
              </>
            }
          />
        ))}
      </div>
    </div>
  )
}
