import type { WorkspaceFile } from '@coherex/contract'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { ChevronRight, Folder } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { ContextMenu } from '../../../ui/context-menu.tsx'
import { buildTree, type TreeNode } from './build-tree.ts'
import { ChangedDot } from './changed-dot.tsx'
import { FileIcon } from './file-icon.tsx'
import { TreeMenu, type TreeActions } from './tree-menu.tsx'
import { useTreeDrag } from './use-tree-drag.ts'

interface FileTreeProps {
  files: readonly WorkspaceFile[]
  /** Folders that were made and are empty yet. */
  folders: readonly string[]
  active: string | undefined
  actions: TreeActions
  /** Files that others changed since one was here last, with who and when. */
  marks?: ReadonlyMap<string, string> | undefined
  /** A folder to bring in sight; a new object does so again. */
  revealed?: { path: string } | undefined
}

/**
 * Files and folders with one tab stop: arrows move, open and close, Enter opens, F2 renames, Delete asks to delete, the
 * menu key shows what else there is. Only the rows in sight are drawn.
 */
export function FileTree({ files, folders, active, actions, marks, revealed }: FileTreeProps) {
  const { onOpen, onRename, onDelete, onMove } = actions
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const [menuOf, setMenuOf] = useState<TreeNode>()
  const frame = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => buildTree(files, closed, folders), [files, closed, folders])
  const tabStop = [current, active].find((path) => rows.some((row) => row.path === path)) ?? rows[0]?.path
  const stopIndex = rows.findIndex(({ path }) => path === tabStop)
  const drag = useTreeDrag(onMove)
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to memoized parts
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (matchMedia('(min-width: 768px)').matches ? 28 : 40),
    overscan: 12,
    paddingStart: 4,
    paddingEnd: 24,
    // the row with the focus is drawn wherever it is
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(0, stopIndex)])]
        .filter((index) => index < rows.length)
        .toSorted((one, other) => one - other),
  })

  function toggle(path: string, open: boolean) {
    const next = new Set(closed)
    if (open) next.delete(path)
    else next.add(path)
    setClosed(next)
  }
  function focus(index: number) {
    setCurrent(rows[index]?.path)
    virtual.scrollToIndex(index)
    // it is drawn a moment later when it was out of sight
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
  }
  const reveal = useEffectEvent((path: string) => {
    const above = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
    const opened = new Set([...closed].filter((folder) => !above.includes(folder)))
    const index = buildTree(files, opened, folders).findIndex((row) => row.kind === 'folder' && row.path === path)
    setClosed(opened)
    setCurrent(path)
    // once its folders are open
    requestAnimationFrame(() => index >= 0 && focus(index))
  })
  useEffect(() => {
    if (revealed) reveal(revealed.path)
  }, [revealed])
  function press(event: KeyboardEvent, row: TreeNode, index: number) {
    const act = actionOf(event.key, row, index)
    if (!act) return
    event.preventDefault()
    act()
  }
  function actionOf(key: string, row: TreeNode, index: number): (() => void) | undefined {
    switch (key) {
      case 'ArrowDown':
        return () => focus(Math.min(index + 1, rows.length - 1))
      case 'ArrowUp':
        return () => focus(Math.max(index - 1, 0))
      case 'Home':
        return () => focus(0)
      case 'End':
        return () => focus(rows.length - 1)
      case 'ArrowRight':
        if (row.kind === 'folder') return row.open ? () => focus(index + 1) : () => toggle(row.path, true)
        return undefined
      case 'ArrowLeft': {
        if (row.kind === 'folder' && row.open) return () => toggle(row.path, false)
        const above = rows.findLastIndex(({ depth }, at) => at < index && depth < row.depth)
        return above < 0 ? undefined : () => focus(above)
      }
      case 'Enter':
      case ' ':
        return () => (row.kind === 'folder' ? toggle(row.path, !row.open) : onOpen(row.path))
      case 'F2':
        return onRename && (() => onRename(row.path))
      case 'Delete':
        return onDelete && (() => onDelete(row.path))
      default:
        return undefined
    }
  }

  return (
    <ContextMenu className="flex min-h-0 flex-1 flex-col" menu={<TreeMenu row={menuOf} actions={actions} />}>
      <div
        ref={frame}
        // on its way in: a row says next that it is meant
        onContextMenuCapture={() => setMenuOf(undefined)}
        {...drag.onFolder('')}
        className={classNames('min-h-0 flex-1 overflow-y-auto', drag.over === '' && 'bg-accent-soft')}
      >
        <div role="tree" aria-label="Files" className="relative text-dense" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]
            if (!row) return null
            const isActive = row.kind === 'file' && row.path === active
            return (
              <div
                key={`${row.kind} ${row.path}`}
                data-index={index}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-posinset={row.position}
                aria-setsize={row.siblings}
                aria-selected={isActive}
                {...(row.kind === 'folder' ? { 'aria-expanded': row.open } : {})}
                tabIndex={row.path === tabStop ? 0 : -1}
                onFocus={() => setCurrent(row.path)}
                onKeyDown={(event) => press(event, row, index)}
                onClick={() => (row.kind === 'folder' ? toggle(row.path, !row.open) : onOpen(row.path))}
                onContextMenu={() => setMenuOf(row)}
                title={row.path}
                {...drag.onRow(row.path)}
                {...drag.onFolder(row.kind === 'folder' ? row.path : folderOf(row.path))}
                style={{ paddingLeft: 8 + row.depth * 14, height: size, transform: `translateY(${start}px)` }}
                className={classNames(
                  'absolute inset-x-1 top-0 flex items-center gap-1.5 rounded-md pr-2 select-none focus-visible:-outline-offset-2!',
                  isActive ? 'bg-accent-soft font-medium text-accent-text' : 'text-text hover:bg-hover',
                  row.kind === 'folder' && drag.over === row.path && 'bg-accent-soft',
                )}
              >
                <ChevronRight
                  aria-hidden
                  className={classNames(
                    'size-3.5 shrink-0 text-muted transition-transform',
                    row.kind === 'file' && 'invisible',
                    row.kind === 'folder' && row.open && 'rotate-90',
                  )}
                />
                {row.kind === 'folder' ? (
                  <Folder aria-hidden className="size-4 shrink-0 text-muted" />
                ) : (
                  <FileIcon path={row.path} />
                )}
                <span className="min-w-0 flex-1 truncate">{row.name}</span>
                {row.kind === 'file' && marks?.has(row.path) && <ChangedDot words={marks.get(row.path)} />}
              </div>
            )
          })}
        </div>
      </div>
    </ContextMenu>
  )
}

const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')
