import type { WorkspaceFile } from '@coherex/contract'
import { ChevronRight, File, FileImage, FileText, Folder } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { imageTypeOf } from '../file/image-type.ts'
import { buildTree, type TreeNode } from './build-tree.ts'

interface FileTreeProps {
  files: readonly WorkspaceFile[]
  active: string | undefined
  /** Files with typed text that is not saved yet. */
  unsaved: ReadonlySet<string>
  onOpen: (path: string) => void
  /** F2 and Delete; not for those who may only look. */
  onRename?: ((path: string) => void) | undefined
  onDelete?: ((path: string) => void) | undefined
}

/** Files and folders with one tab stop: arrows move, open and close, Enter opens, F2 renames, Delete asks to delete. */
export function FileTree({ files, active, unsaved, onOpen, onRename, onDelete }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => buildTree(files, closed), [files, closed])
  const tabStop = [current, active].find((path) => rows.some((row) => keyOf(row) === path)) ?? rows[0]?.path

  function toggle(path: string, open: boolean) {
    const next = new Set(closed)
    if (open) next.delete(path)
    else next.add(path)
    setClosed(next)
  }
  function focus(index: number) {
    list.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus()
  }
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
    <div ref={list} role="tree" aria-label="Files" className="py-1 text-dense">
      {rows.map((row, index) => {
        const Icon = row.kind === 'folder' ? Folder : iconOf(row.file)
        return (
          <div
            key={`${row.kind} ${row.path}`}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-selected={row.kind === 'file' && row.path === active}
            {...(row.kind === 'folder' ? { 'aria-expanded': row.open } : {})}
            tabIndex={keyOf(row) === tabStop ? 0 : -1}
            onFocus={() => setCurrent(keyOf(row))}
            onKeyDown={(event) => press(event, row, index)}
            onClick={() => (row.kind === 'folder' ? toggle(row.path, !row.open) : onOpen(row.path))}
            title={row.path}
            style={{ paddingLeft: 8 + row.depth * 14 }}
            className={classNames(
              'mx-1 flex h-7 items-center gap-1.5 rounded-md pr-2 select-none max-md:h-10 focus-visible:-outline-offset-2!',
              row.path === active && row.kind === 'file'
                ? 'bg-accent-soft font-medium text-accent-text'
                : 'text-text hover:bg-hover',
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
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="truncate">{row.name}</span>
            {row.kind === 'file' && unsaved.has(row.path) && (
              <span className="ml-auto shrink-0 text-small font-normal text-amber" title="Not saved yet">
                <span aria-hidden>●</span>
                <span className="sr-only">not saved</span>
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}

// a file and a folder may have the same path while two people make them
const keyOf = ({ path }: TreeNode) => path

function iconOf({ path, kind }: WorkspaceFile) {
  if (imageTypeOf(path)) return FileImage
  return kind === 'text' ? FileText : File
}
