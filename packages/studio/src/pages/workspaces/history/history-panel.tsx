import type { WorkspaceVersion } from '@coherex/contract'
import { Ellipsis, Eye, GitCompareArrows, RotateCcw, Tag, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { useVersionList } from '../../../data/version.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { authorWords, changesTitle } from '../workspace-words.ts'
import { groupVersions } from './group-versions.ts'
import { NameVersionDialog } from './name-version-dialog.tsx'
import { TurnRow } from './turn-row.tsx'
import { useRestore } from './use-restore.ts'
import { useUndoVersions } from './use-undo-versions.ts'
import { VersionSlider } from './version-slider.tsx'

interface HistoryPanelProps {
  id: string
  /** The number of the last version. */
  last: number
  file: string | undefined
  /** Whether only the versions of the file are listed. */
  scope: 'all' | 'file'
  onScope: (scope: 'all' | 'file') => void
  /** The version whose changes are shown, from the one before the first of them. */
  shown: { from: number; to: number } | undefined
  /** The version whose files are shown. */
  at: number | undefined
  mayWrite: Right
  onCompare: (from: number, to: number) => void
  onShowAt: (number: number) => void
}

/** Who changed what, when and through which door. */
export function HistoryPanel(props: HistoryPanelProps) {
  const { id, last, file, scope, onScope, shown, at, mayWrite, onCompare, onShowAt } = props
  const [naming, setNaming] = useState<number>()
  const restore = useRestore(id, last)
  const undo = useUndoVersions(id, last)
  const versions = useVersionList(id, scope === 'file' ? file : undefined)
  const { items, error } = versions
  const row = (version: WorkspaceVersion) => (
    <VersionRow
      key={version.number}
      version={version}
      last={last}
      isShown={shown?.to === version.number && shown.from === version.number - 1}
      mayWrite={mayWrite}
      onCompare={onCompare}
      onShowAt={onShowAt}
      onName={() => setNaming(version.number)}
      onRestore={() => restore(version.number)}
      onUndo={() => undo([version.number])}
    />
  )
  return (
    <>
      {last > 1 && (
        <div className="shrink-0 border-b border-line px-3 py-1">
          <VersionSlider value={at ?? last} last={last} onShow={onShowAt} />
        </div>
      )}
      {file && (
        <div className="shrink-0 border-b border-line px-3 py-2">
          <Segmented
            label="Versions of"
            value={scope}
            choices={[
              { value: 'all', label: 'All files' },
              { value: 'file', label: 'This file' },
            ]}
            onChange={onScope}
          />
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        {!items && error && (
          <ErrorState doing="load the history" error={error} onRetry={() => void versions.refetch()} />
        )}
        {!items && !error && (
          <WaitingLines
            label="Loading the history"
            className="gap-4 p-4"
            lines={['h-3 w-56', 'h-3 w-40', 'h-3 w-64']}
          />
        )}
        {items?.length === 0 && (
          <Empty icon={GitCompareArrows} title="No version yet">
            Each change of a file becomes a version, with who made it and when.
          </Empty>
        )}
        <ol aria-label="Versions">
          {groupVersions(items ?? []).map((group) =>
            group.length === 1 ? (
              row(group[0])
            ) : (
              <TurnRow
                key={group[0].number}
                group={group}
                isShown={shown?.to === group[0].number && shown.from === (group.at(-1)?.number ?? 0) - 1}
                mayWrite={mayWrite}
                onCompare={onCompare}
                onUndo={() => undo(group.map(({ number }) => number))}
              >
                {group.map(row)}
              </TurnRow>
            ),
          )}
        </ol>
        <LoadMore pages={versions} />
      </div>
      {naming !== undefined && <NameVersionDialog id={id} number={naming} onClose={() => setNaming(undefined)} />}
    </>
  )
}

interface VersionRowProps extends Pick<HistoryPanelProps, 'last' | 'mayWrite' | 'onCompare' | 'onShowAt'> {
  version: WorkspaceVersion
  isShown: boolean
  onName: () => void
  onRestore: () => void
  onUndo: () => void
}

function VersionRow(props: VersionRowProps) {
  const { version, last, isShown, mayWrite, onCompare, onShowAt, onName, onRestore, onUndo } = props
  const { number, author, message, at, tags } = version
  return (
    <li className={classNames('flex items-start border-b border-line', isShown ? 'bg-accent-soft' : 'hover:bg-hover')}>
      <button
        type="button"
        title="Show what it changed"
        aria-pressed={isShown}
        onClick={() => onCompare(number - 1, number)}
        className="flex min-w-0 flex-1 items-start gap-2.5 py-2.5 pl-4 text-left focus-visible:-outline-offset-2"
      >
        <Avatar name={author.name} size="small" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-dense font-medium">{message ?? changesTitle(version)}</span>
          <span className="block truncate text-small text-muted">
            Version {number} · {authorWords(version)} · <Time at={at} />
          </span>
          {tags.length > 0 && (
            <span className="mt-1 flex flex-wrap gap-1">
              {tags.map((tag) => (
                <Pill key={tag} tone="violet" icon={<Tag aria-hidden />}>
                  {tag}
                </Pill>
              ))}
            </span>
          )}
        </span>
      </button>
      <span className="p-1.5">
        <Menu
          trigger={
            <Button
              look="quiet"
              size="small"
              className="w-7 px-0!"
              aria-label={`Actions for version ${number}`}
              icon={<Ellipsis aria-hidden />}
            />
          }
        >
          <MenuItem icon={<Eye aria-hidden />} disabled={number === last} onSelect={() => onShowAt(number)}>
            Show the files at this version
          </MenuItem>
          <MenuItem
            icon={<GitCompareArrows aria-hidden />}
            disabled={number === last}
            onSelect={() => onCompare(number, last)}
          >
            Compare with now
          </MenuItem>
          <MenuItem
            icon={<RotateCcw aria-hidden />}
            disabled={number === last || !mayWrite.may}
            hint={mayWrite.why}
            onSelect={onRestore}
          >
            Restore this version
          </MenuItem>
          <MenuItem icon={<Undo2 aria-hidden />} disabled={!mayWrite.may} hint={mayWrite.why} onSelect={onUndo}>
            Undo just this
          </MenuItem>
          <MenuItem icon={<Tag aria-hidden />} disabled={!mayWrite.may} onSelect={onName}>
            Name this version
          </MenuItem>
        </Menu>
      </span>
    </li>
  )
}
