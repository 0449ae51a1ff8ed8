import type { Workspace } from '@coherex/contract'
import {
  Archive,
  ArchiveRestore,
  Download,
  Ellipsis,
  FileArchive,
  GitBranch,
  GitCommitHorizontal,
  Pencil,
  Trash2,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useWorkspaceUpdate, useZipImport, workspaceZipUrl } from '../../data/workspace.ts'
import type { Command } from '../../shell/palette/command.ts'
import { usePageCommands } from '../../shell/palette/page-commands.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { DeleteWorkspaceDialog } from './dialogs/delete-workspace-dialog.tsx'
import { RenameWorkspaceDialog } from './dialogs/rename-workspace-dialog.tsx'
import { GitImportDialog } from './git/git-import-dialog.tsx'
import { GitPushDialog } from './git/git-push-dialog.tsx'

interface WorkspaceMenuProps {
  workspace: Workspace
  onDeleted?: () => void
  /** It is the menu of a page, whose commands the palette offers. */
  isOfPage?: boolean
}

const noCommands: readonly Command[] = []

/** What can be done with a workspace as a whole. */
export function WorkspaceMenu({ workspace, onDeleted, isOfPage = false }: WorkspaceMenuProps) {
  const { id, name, archivedAt } = workspace
  // one's own keeps its name and its place
  const isOfTeam = workspace.reach === 'team'
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'git-import' | 'git-push'>()
  const mayWrite = useRight('editor', 'change workspaces')
  const mayDelete = useRight('admin', 'delete workspaces')
  const update = useWorkspaceUpdate()
  const importZip = useZipImport()
  const input = useRef<HTMLInputElement>(null)

  function archive(archived: boolean) {
    update.mutate(
      { params: { id }, body: { archived } },
      {
        onSuccess: () =>
          toast({
            title: archived ? `${name} is archived` : `${name} is unarchived`,
            ...(archived ? { action: { label: 'Undo', run: () => archive(false) } } : {}),
          }),
        onError: (error) => toast({ title: error.message, tone: 'error' }),
      },
    )
  }

  function unpack(archive: File) {
    importZip.mutate(
      { params: { id }, query: { message: `Imported ${archive.name}`.slice(0, 500) }, body: archive },
      {
        onSuccess: ({ files }) => toast({ title: `Imported ${files} files of ${archive.name}` }),
        onError: (error) =>
          toast({ title: `Could not import ${archive.name}`, description: error.message, tone: 'error' }),
      },
    )
  }

  const command = (label: string, icon: Command['icon'], run: () => void): Command => ({
    ...{ id: `workspace ${label}`, group: 'This workspace', label, icon, run },
  })
  const download = () => window.location.assign(workspaceZipUrl(id))
  const writes = [
    ...(isOfTeam
      ? [
          command('Rename workspace', Pencil, () => setDialog('rename')),
          command(archivedAt ? 'Unarchive workspace' : 'Archive workspace', Archive, () => archive(!archivedAt)),
        ]
      : []),
    ...(archivedAt === null ? [command('Push to git…', GitCommitHorizontal, () => setDialog('git-push'))] : []),
  ]
  usePageCommands(
    isOfPage ? [...(mayWrite.may ? writes : []), command('Download workspace as zip', Download, download)] : noCommands,
  )

  return (
    // a click in the menu or a dialog is none on the row it is in
    <span onClick={(event) => event.stopPropagation()} role="presentation">
      <Menu
        trigger={
          <Button
            look="quiet"
            aria-label={`Actions for ${name}`}
            className="w-8 px-0!"
            icon={<Ellipsis aria-hidden />}
          />
        }
      >
        {isOfTeam && (
          <>
            <MenuItem
              icon={<Pencil aria-hidden />}
              disabled={!mayWrite.may}
              hint={mayWrite.why}
              onSelect={() => setDialog('rename')}
            >
              Rename
            </MenuItem>
            <MenuItem
              icon={archivedAt ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
              disabled={!mayWrite.may}
              onSelect={() => archive(!archivedAt)}
            >
              {archivedAt ? 'Unarchive' : 'Archive'}
            </MenuItem>
            <MenuLine />
          </>
        )}
        <MenuItem icon={<Download aria-hidden />} onSelect={download}>
          Download as zip
        </MenuItem>
        <MenuItem icon={<FileArchive aria-hidden />} disabled={!mayWrite.may} onSelect={() => input.current?.click()}>
          Import a zip
        </MenuItem>
        <MenuItem
          icon={<GitBranch aria-hidden />}
          disabled={!mayWrite.may || archivedAt !== null}
          onSelect={() => setDialog('git-import')}
        >
          Import from git…
        </MenuItem>
        <MenuItem
          icon={<GitCommitHorizontal aria-hidden />}
          disabled={!mayWrite.may || archivedAt !== null}
          onSelect={() => setDialog('git-push')}
        >
          Push to git…
        </MenuItem>
        {isOfTeam && (
          <>
            <MenuLine />
            <MenuItem
              danger
              icon={<Trash2 aria-hidden />}
              disabled={!mayDelete.may}
              hint={mayDelete.why}
              onSelect={() => setDialog('delete')}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label="Zip to import"
        onChange={(event) => {
          const [archive] = event.target.files ?? []
          event.target.value = ''
          if (archive) unpack(archive)
        }}
      />
      {dialog === 'rename' && <RenameWorkspaceDialog workspace={workspace} onClose={() => setDialog(undefined)} />}
      {dialog === 'git-import' && <GitImportDialog workspace={workspace} onClose={() => setDialog(undefined)} />}
      {dialog === 'git-push' && <GitPushDialog workspace={workspace} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <DeleteWorkspaceDialog
          workspace={workspace}
          onClose={() => setDialog(undefined)}
          {...(onDeleted ? { onDeleted } : {})}
        />
      )}
    </span>
  )
}
