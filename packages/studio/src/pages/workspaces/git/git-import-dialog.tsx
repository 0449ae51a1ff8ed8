import { CoherexError, type Workspace } from '@coherex/contract'
import { useGitImport, useGitRemotes } from '../../../data/workspace.ts'
import { Checkbox } from '../../../ui/field/checkbox.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace, type GitPlace } from './git-place-fields.tsx'
import { lastPlace } from './last-place.ts'

export function GitImportDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id, name } = workspace
  const remotes = useGitRemotes(id)
  const git = useGitImport()
  const known = { ...noPlace, ...lastPlace(remotes.data?.items) }
  const form = useForm({
    initial: { takesTheirs: false } as Partial<GitPlace> & { takesTheirs: boolean },
    fields: gitFields,
    send: ({ takesTheirs, ...typed }) =>
      git.mutateAsync({
        params: { id },
        body: { ...sayPlace({ ...known, ...typed }), conflicts: takesTheirs ? 'theirs' : 'refuse' },
      }),
    onSent({ files, commit, leftOut }) {
      onClose()
      const aside =
        leftOut.length > 0 ? `Left out, and kept by pushes: ${leftOut.length} links and submodules` : undefined
      const title = `Imported ${files} files at ${commit.slice(0, 10)}`
      toast({ title, ...(aside ? { description: aside } : {}) })
    },
  })
  const { takesTheirs, ...typed } = form.values
  const place = { ...known, ...typed }
  const isConflict = form.refusal instanceof CoherexError && form.refusal.code === 'conflict'

  return (
    <FormDialog
      title="Import from git"
      description={`The last commit comes into ${name} as one version. What changed here and there is merged.`}
      form={form}
      action="Import"
      ready={place.url.trim() !== ''}
      onClose={onClose}
    >
      <GitPlaceFields
        place={place}
        errorOf={form.errorOf}
        branchHint="A branch or a tag; the repository’s default branch when empty"
        onChange={form.set}
      />
      {(isConflict || takesTheirs) && (
        <Checkbox checked={takesTheirs} onChange={(on) => form.set({ takesTheirs: on })}>
          Where both changed the same lines, take those of the repository
        </Checkbox>
      )}
    </FormDialog>
  )
}
