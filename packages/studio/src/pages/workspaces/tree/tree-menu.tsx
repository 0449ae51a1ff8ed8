import { languageOfFile } from '@coherex/contract'
import { Columns2, Copy, CopyPlus, Download, FilePlus2, FolderPlus, Pencil, Play, Trash2, Wrench } from 'lucide-react'
import { MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { toast } from '../../../ui/toast/toast.ts'
import type { TreeNode } from './build-tree.ts'

/** What can be done in the tree; those who may only look have less. */
export interface TreeActions {
  onOpen: (path: string) => void
  /** In a second editor. */
  onOpenBeside: (path: string) => void
  onDownload: (path: string) => void
  onRun?: ((path: string) => void) | undefined
  /** In this folder; the empty path is the top. */
  onNewFile?: ((folder: string) => void) | undefined
  onNewFolder?: ((folder: string) => void) | undefined
  onRename?: ((path: string) => void) | undefined
  onDelete?: ((path: string) => void) | undefined
  onDuplicate?: ((path: string) => void) | undefined
  onExportTool?: ((path: string) => void) | undefined
  onMove?: ((from: string, folder: string) => void) | undefined
}

/** The menu of a row, or of the room below all rows. */
export function TreeMenu({ row, actions }: { row: TreeNode | undefined; actions: TreeActions }) {
  const { onOpenBeside, onDownload, onRun, onNewFile, onNewFolder, onRename, onDelete, onDuplicate } = actions
  const { onExportTool } = actions
  const isFile = row?.kind === 'file'
  const folder = isFile ? row.path.split('/').slice(0, -1).join('/') : (row?.path ?? '')
  const copyPath = (path: string) => void copyText(path).then((done) => done && toast({ title: 'Path copied' }))
  return (
    <>
      {isFile && onRun && languageOfFile(row.path) && (
        <MenuItem icon={<Play aria-hidden />} onSelect={() => onRun(row.path)}>
          Run
        </MenuItem>
      )}
      {isFile && (
        <MenuItem icon={<Columns2 aria-hidden />} onSelect={() => onOpenBeside(row.path)}>
          Open beside
        </MenuItem>
      )}
      {onNewFile && (
        <MenuItem icon={<FilePlus2 aria-hidden />} onSelect={() => onNewFile(folder)}>
          New file
        </MenuItem>
      )}
      {onNewFolder && (
        <MenuItem icon={<FolderPlus aria-hidden />} onSelect={() => onNewFolder(folder)}>
          New folder
        </MenuItem>
      )}
      {row && (onNewFile || onRun) && <MenuLine />}
      {row && onRename && (
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onRename(row.path)}>
          Rename or move
        </MenuItem>
      )}
      {isFile && onDuplicate && (
        <MenuItem icon={<CopyPlus aria-hidden />} onSelect={() => onDuplicate(row.path)}>
          Duplicate
        </MenuItem>
      )}
      {row && (
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => copyPath(row.path)}>
          Copy path
        </MenuItem>
      )}
      {row && onExportTool && (!isFile || languageOfFile(row.path)) && (
        <MenuItem icon={<Wrench aria-hidden />} onSelect={() => onExportTool(row.path)}>
          Export as tool…
        </MenuItem>
      )}
      {isFile && (
        <MenuItem icon={<Download aria-hidden />} onSelect={() => onDownload(row.path)}>
          Download
        </MenuItem>
      )}
      {row && onDelete && (
        <>
          <MenuLine />
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => onDelete(row.path)}>
            Delete
          </MenuItem>
        </>
      )}
    </>
  )
}
