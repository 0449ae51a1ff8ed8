import { formatBytes, type Sandbox, type SandboxFile } from '@coherex/contract'
import {
  CornerLeftUp,
  Download,
  Ellipsis,
  File,
  FileOutput,
  FileSymlink,
  Folder,
  FolderArchive,
  FolderInput,
  FolderOutput,
  Trash2,
  Upload,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { SaveToWorkspace } from '../../../cell/save-to-workspace.tsx'
import { useRight } from '../../../data/access/rights.ts'
import {
  readSandboxFile,
  sandboxFileUrl,
  sandboxZipUrl,
  useSandboxFileDelete,
  useSandboxFiles,
  useSandboxFileWrite,
} from '../../../data/sandbox.ts'
import { Button } from '../../../ui/button.tsx'
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { visibleText } from '../../../words/visible-text.ts'
import { CopyFilesDialog } from './copy-files-dialog.tsx'

/** The files of the sandbox, folder by folder; of one that sleeps, what was saved. */
export function FilesPanel({ sandbox: { id, status }, after }: { sandbox: Sandbox; after: string | undefined }) {
  const [folder, setFolder] = useState('')
  const { data, error, refetch } = useSandboxFiles(id, folder, after)
  const write = useSandboxFileWrite()
  const [removing, setRemoving] = useState<SandboxFile>()
  const [saving, setSaving] = useState<SandboxFile>()
  const [copying, setCopying] = useState<'from' | 'to'>()
  const picker = useRef<HTMLInputElement>(null)
  const right = useRight('editor', 'change files')
  const may = right.may && status !== 'ended'

  async function upload(files: readonly globalThis.File[]) {
    for (const file of files) {
      const path = folder === '' ? file.name : `${folder}/${file.name}`
      try {
        await write.mutateAsync({ params: { id, path }, body: file })
      } catch (cause) {
        const description = cause instanceof Error ? cause.message : String(cause)
        return toast({ title: `${file.name} was not uploaded`, description, tone: 'error' })
      }
    }
    return toast({ title: files.length === 1 ? `${files[0]?.name} is uploaded` : `${files.length} files are uploaded` })
  }

  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => may && event.preventDefault()}
      onDrop={(event) => {
        if (!may) return
        event.preventDefault()
        void upload([...event.dataTransfer.files])
      }}
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-1.5">
        <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">~/{folder}</span>
        <a
          href={sandboxZipUrl(id, folder)}
          download
          aria-label="Download the folder as a zip"
          className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <FolderArchive aria-hidden className="size-4" />
        </a>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            void upload([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <Button
          size="small"
          icon={<Upload aria-hidden />}
          disabled={!may}
          busy={write.isPending}
          onClick={() => picker.current?.click()}
        >
          Upload
        </Button>
        {may && (
          <Menu trigger={<IconButton label="More for files" size="small" icon={<Ellipsis aria-hidden />} />}>
            <MenuItem icon={<FolderInput aria-hidden />} onSelect={() => setCopying('from')}>
              Copy from workspace…
            </MenuItem>
            <MenuItem icon={<FolderOutput aria-hidden />} onSelect={() => setCopying('to')}>
              Copy to workspace…
            </MenuItem>
          </Menu>
        )}
      </div>
      {error && !data && <ErrorState doing="list the files" error={error} onRetry={() => void refetch()} />}
      <ul aria-label="Files" className="min-h-0 flex-1 overflow-y-auto">
        {folder !== '' && (
          <li className="border-b border-line">
            <FolderButton onOpen={() => setFolder(folder.split('/').slice(0, -1).join('/'))}>
              <CornerLeftUp aria-hidden className="size-4 shrink-0 text-muted" /> ..
            </FolderButton>
          </li>
        )}
        {data?.items.map((file) => (
          <li key={file.path} className="flex min-h-9 items-center border-b border-line pr-2 text-dense">
            <FileName file={file} onOpen={() => setFolder(file.path)} />
            {file.type === 'file' && (
              <span className="px-2 text-small text-muted tabular">{formatBytes(file.size)}</span>
            )}
            {file.type === 'file' && (
              <a
                href={sandboxFileUrl(id, file.path)}
                download
                aria-label={`Download ${visibleText(file.path)}`}
                className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
              >
                <Download aria-hidden className="size-4" />
              </a>
            )}
            {may && file.type === 'file' && (
              <IconButton
                label={`Copy ${visibleText(file.path)} to workspace`}
                size="small"
                icon={<FileOutput aria-hidden />}
                onClick={() => setSaving(file)}
              />
            )}
            {may && (
              <IconButton
                label={`Delete ${visibleText(file.path)}`}
                size="small"
                icon={<Trash2 aria-hidden />}
                onClick={() => setRemoving(file)}
              />
            )}
          </li>
        ))}
        {data?.items.length === 0 && (
          <li className="px-4 py-6 text-center text-dense text-muted">
            Nothing here yet. Drop files to upload them, or write them in a cell.
          </li>
        )}
      </ul>
      {saving && (
        <SaveToWorkspace
          content={() => readSandboxFile(id, saving.path)}
          path={saving.path}
          onClose={() => setSaving(undefined)}
        />
      )}
      {copying && <CopyFilesDialog id={id} folder={folder} direction={copying} onClose={() => setCopying(undefined)} />}
      {removing && <DeleteFile id={id} file={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

function FolderButton({ children, onOpen }: { children: React.ReactNode; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-9 min-w-0 flex-1 items-center gap-2 px-4 text-left font-mono text-small hover:bg-hover focus-visible:-outline-offset-2"
    >
      {children}
    </button>
  )
}

function FileName({ file, onOpen }: { file: SandboxFile; onOpen: () => void }) {
  const name = file.path.split('/').at(-1) ?? file.path
  if (file.type === 'directory') {
    return (
      <FolderButton onOpen={onOpen}>
        <Folder aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="truncate">{visibleText(name)}</span>
      </FolderButton>
    )
  }
  const Icon = file.type === 'link' ? FileSymlink : File
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2 px-4 font-mono text-small" title={visibleText(file.path)}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="truncate">
        {visibleText(name)}
        {file.linkTarget !== undefined && <span className="text-muted"> → {visibleText(file.linkTarget)}</span>}
      </span>
    </span>
  )
}

function DeleteFile({ id, file: { path, type }, onClose }: { id: string; file: SandboxFile; onClose: () => void }) {
  const remove = useSandboxFileDelete()
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete ${path}?`}
      confirm="Delete"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id, path } }, { onSuccess: onClose })}
    >
      {type === 'directory' ? 'The folder goes with everything in it.' : 'This cannot be undone.'}
    </AlertDialog>
  )
}
