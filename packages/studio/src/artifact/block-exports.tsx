import type { Artifact, FoundFence } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Download, FolderOpen, NotebookText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { artifactNotebookUrl, useArtifactOpen } from '../data/artifact.ts'
import { saveFile } from '../data/save-file.ts'
import { MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toast/toast.ts'
import { fileOfBlock } from './file-of-block.ts'
import type { BlockPlace } from './use-block.ts'

const SaveToWorkspace = lazy(async () => ({ default: (await import('../cell/save-to-workspace.tsx')).SaveToWorkspace }))

interface BlockExportsOptions {
  place: BlockPlace
  fence: FoundFence
  artifact: Artifact | undefined
  /** As it is shown. */
  code: string
  /** Why nothing of it may be written. */
  why: string | undefined
  save: () => Promise<unknown>
  keep: (artifact: Artifact) => void
}

/** The ways a block leaves its conversation as a file. */
export function useBlockExports({ place, fence, artifact, code, why, save, keep }: BlockExportsOptions) {
  const navigate = useNavigate()
  const open = useArtifactOpen()
  const [isSaving, setSaving] = useState(false)
  const file = fileOfBlock(fence)

  async function downloadNotebook() {
    try {
      await save()
      const { threadId: id, messageId, index } = place
      const known = artifact ?? (await open.mutateAsync({ params: { id, messageId }, body: { index } }))
      if (!artifact) keep(known)
      location.assign(artifactNotebookUrl(known.id))
    } catch (error) {
      toast({ title: 'Could not export the block', description: (error as Error).message, tone: 'error' })
    }
  }
  const whyNoNotebook = artifact ? undefined : why
  const items = (
    <>
      <MenuItem
        icon={<FolderOpen aria-hidden />}
        disabled={why !== undefined}
        hint={why}
        onSelect={() => setSaving(true)}
      >
        Open in a workspace…
      </MenuItem>
      <MenuItem icon={<Download aria-hidden />} onSelect={() => saveFile(code, file, 'text/plain')}>
        Download as {file}
      </MenuItem>
      <MenuItem
        icon={<NotebookText aria-hidden />}
        disabled={whyNoNotebook !== undefined}
        hint={whyNoNotebook}
        onSelect={() => void downloadNotebook()}
      >
        Download as a Jupyter notebook
      </MenuItem>
    </>
  )
  const dialog = isSaving && (
    <Suspense>
      <SaveToWorkspace
        title="Open in a workspace"
        content={code}
        path={file}
        onSaved={(id, path) => void navigate({ to: '/workspaces/$id', params: { id }, search: { file: path } })}
        onClose={() => setSaving(false)}
      />
    </Suspense>
  )
  return { items, dialog }
}
