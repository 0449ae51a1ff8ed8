import { languageOfFile, type WorkspaceFile } from '@coherex/contract'
import {
  Columns2,
  Download,
  Ellipsis,
  Eye,
  FileCode2,
  FileOutput,
  History,
  Link2,
  NotebookText,
  Pencil,
  Trash2,
  Wrench,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { RunButton } from '../../../cell/cell-controls.tsx'
import type { TypedOptions } from '../../../cell/options/typed-options.ts'
import type { OptionCheck } from '../../../cell/options/use-option-check.ts'
import type { Right } from '../../../data/access/rights.ts'
import { fileUrl } from '../../../data/file.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { keepsVariables } from '../../sandboxes/sandbox-words.ts'
import { downloadFrom } from './download-from.ts'
import { renderedKind, type FileForm } from './use-file-forms.ts'

const RunOptions = lazy(async () => ({ default: (await import('../../../cell/options/run-options.tsx')).RunOptions }))

const SaveToWorkspace = lazy(async () => ({
  default: (await import('../../../cell/save-to-workspace.tsx')).SaveToWorkspace,
}))

const ShareDialog = lazy(async () => ({
  default: (await import('../../../artifact/shares/share-dialog.tsx')).ShareDialog,
}))

interface FileActionsProps {
  id: string
  path: string
  file: WorkspaceFile | undefined
  form: FileForm
  starting: boolean
  /** The run under way. */
  runId: string | undefined
  options: TypedOptions
  check: OptionCheck
  mayWrite: Right
  mayRun: Right
  onForm: (form: FileForm) => void
  onRun: () => void
  onOptions: (options: TypedOptions) => void
  onResetOptions: () => void
  onRename: () => void
  /** To a notebook, or from one to a script. */
  onConvert: () => void
  onExportNotebook: () => void
  onExportTool: () => void
  onDelete: () => void
  /** It is shown a second time, or another place of it. */
  isBeside: boolean
  onBeside: () => void
  onHistory: () => void
}

/** What can be done with the open file. */
export function FileActions(props: FileActionsProps) {
  const { id, path, file, form, starting, runId, options, check, mayWrite, mayRun } = props
  const language = file?.kind === 'blob' && !path.endsWith('.wasm') ? undefined : languageOfFile(path)
  const [isSharing, setSharing] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const isNotebook = renderedKind(path) === 'notebook' && file?.kind !== 'blob'
  const other = form === 'source' ? 'rendered' : 'source'
  return (
    <div className="flex h-9 shrink-0 items-center gap-1.5 px-2">
      {renderedKind(path) && file?.kind !== 'blob' && (
        <Button
          size="small"
          look="quiet"
          icon={form === 'source' ? <Eye aria-hidden /> : <FileCode2 aria-hidden />}
          onClick={() => props.onForm(other)}
        >
          {form === 'source' ? (isNotebook ? 'Show notebook' : 'Show rendered') : 'Show source'}
        </Button>
      )}
      {language && (
        <>
          <Suspense>
            <RunOptions
              key={path}
              size="small"
              language={language}
              options={options}
              check={check}
              onChange={props.onOptions}
              onReset={props.onResetOptions}
            />
          </Suspense>
          <RunButton
            running={runId ? { id: runId } : undefined}
            right={mayRun}
            isStarting={starting}
            onRun={props.onRun}
            tip="Run this file with all files of the workspace"
            size="small"
            look="primary"
          />
        </>
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
          <MenuItem icon={<Columns2 aria-hidden />} onSelect={props.onBeside}>
            {props.isBeside ? 'Close beside' : 'Open beside'}
          </MenuItem>
          <MenuItem icon={<History aria-hidden />} onSelect={props.onHistory}>
            History of this file
          </MenuItem>
          <MenuItem icon={<Download aria-hidden />} onSelect={() => downloadFrom(fileUrl(id, path), path)}>
            Download
          </MenuItem>
          <MenuItem icon={<Pencil aria-hidden />} disabled={!mayWrite.may} onSelect={props.onRename}>
            Rename or move
          </MenuItem>
          {isNotebook && (
            <MenuItem icon={<FileCode2 aria-hidden />} disabled={!mayWrite.may} onSelect={props.onConvert}>
              Convert to script
            </MenuItem>
          )}
          {language && keepsVariables(language) && (
            <>
              <MenuItem icon={<NotebookText aria-hidden />} disabled={!mayWrite.may} onSelect={props.onConvert}>
                Convert to notebook
              </MenuItem>
              <MenuItem icon={<Download aria-hidden />} onSelect={props.onExportNotebook}>
                Export as .ipynb
              </MenuItem>
            </>
          )}
          {language && (
            <MenuItem icon={<Wrench aria-hidden />} disabled={!mayWrite.may} onSelect={props.onExportTool}>
              Export as tool…
            </MenuItem>
          )}
          <MenuItem icon={<FileOutput aria-hidden />} disabled={!mayWrite.may} onSelect={() => setCopying(true)}>
            Copy to a workspace…
          </MenuItem>
          {file.kind !== 'blob' && (
            <MenuItem icon={<Link2 aria-hidden />} disabled={!mayWrite.may} onSelect={() => setSharing(true)}>
              Share a link…
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem danger icon={<Trash2 aria-hidden />} disabled={!mayWrite.may} onSelect={props.onDelete}>
            Delete
          </MenuItem>
        </Menu>
      )}
      {isCopying && (
        <Suspense>
          <SaveToWorkspace
            title="Copy to a workspace"
            content={async () => (await fetch(fileUrl(id, path))).blob()}
            path={path}
            except={id}
            onClose={() => setCopying(false)}
          />
        </Suspense>
      )}
      {isSharing && (
        <Suspense>
          <ShareDialog
            of={{ workspaceId: id, path }}
            noun="file"
            title={path.split('/').at(-1) ?? path}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
