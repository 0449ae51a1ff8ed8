import { formatBytes, languageOfFile, type WorkspaceFile } from '@coherex/contract'
import { Download, Ellipsis, FolderTree, History, Pencil, Play, Save, Trash2 } from 'lucide-react'
import { fileUrl } from '../../../data/file.ts'
import type { Right } from '../../../data/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'

interface FileHeaderProps {
  id: string
  path: string
  file: WorkspaceFile | undefined
  dirty: boolean
  saving: boolean
  starting: boolean
  mayWrite: Right
  mayRun: Right
  onSave: () => void
  onRun: () => void
  onRename: () => void
  onDelete: () => void
  onHistory: () => void
  /** Back to the list of files, where there is no room beside it. */
  onFiles: (() => void) | undefined
}

/** The name of the open file and what can be done with it. */
export function FileHeader(props: FileHeaderProps) {
  const { id, path, file, dirty, saving, starting, mayWrite, mayRun, onSave, onRun, onFiles } = props
  const runnable = languageOfFile(path) !== undefined && (file?.kind === 'text' || path.endsWith('.wasm'))
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-canvas py-1 pr-2 pl-4 max-lg:pl-2">
      {onFiles && <IconButton label="All files" size="small" icon={<FolderTree aria-hidden />} onClick={onFiles} />}
      <h2 className="min-w-0 truncate font-mono text-small" title={path}>
        {path}
      </h2>
      <span className="text-small whitespace-nowrap text-muted max-sm:hidden">
        {dirty ? 'not saved' : file ? `${formatBytes(file.size)} · version ${file.version}` : ''}
      </span>
      <span className="flex-1" />
      {(file?.kind === 'text' || dirty) && (
        <Reason why={mayWrite.why}>
          <Tooltip text="Save" shortcut="mod s">
            <Button
              size="small"
              icon={<Save aria-hidden />}
              busy={saving}
              disabled={!dirty || !mayWrite.may}
              onClick={onSave}
            >
              Save
            </Button>
          </Tooltip>
        </Reason>
      )}
      {runnable && (
        <Reason why={mayRun.why}>
          <Tooltip text="Run this file with all files of the workspace" shortcut="mod enter">
            <Button
              size="small"
              look="primary"
              icon={<Play aria-hidden />}
              busy={starting}
              disabled={!mayRun.may}
              onClick={onRun}
            >
              Run
            </Button>
          </Tooltip>
        </Reason>
      )}
      {file && (
        <Menu
          trigger={
            <Button
              look="quiet"
              size="small"
              aria-label={`Actions for ${path}`}
              className="w-7 px-0!"
              icon={<Ellipsis aria-hidden />}
            />
          }
        >
          <MenuItem icon={<History aria-hidden />} onSelect={props.onHistory}>
            History of this file
          </MenuItem>
          <MenuItem icon={<Download aria-hidden />} onSelect={() => download(fileUrl(id, path), path)}>
            Download
          </MenuItem>
          <MenuItem icon={<Pencil aria-hidden />} disabled={!mayWrite.may} onSelect={props.onRename}>
            Rename or move
          </MenuItem>
          <MenuLine />
          <MenuItem danger icon={<Trash2 aria-hidden />} disabled={!mayWrite.may} onSelect={props.onDelete}>
            Delete
          </MenuItem>
        </Menu>
      )}
    </div>
  )
}

function download(url: string, path: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = path.split('/').at(-1) ?? path
  link.click()
}
