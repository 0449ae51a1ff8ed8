import { CoherexError, type Workspace } from '@coherex/contract'
import { useState } from 'react'
import { useGitImport, useGitRemotes } from '../../../data/workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { toast } from '../../../ui/toast.ts'
import { formError } from './field-error.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace, type GitPlace } from './git-place-fields.tsx'
import { lastPlace } from './last-place.ts'

export function GitImportDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id, name } = workspace
  const remotes = useGitRemotes(id)
  const git = useGitImport()
  const [typed, setTyped] = useState<Partial<GitPlace>>({})
  const [takesTheirs, setTakesTheirs] = useState(false)
  const place = { ...noPlace, ...lastPlace(remotes.data?.items), ...typed }
  const isConflict = git.error instanceof CoherexError && git.error.code === 'conflict'

  function submit() {
    const body = { ...sayPlace(place), conflicts: takesTheirs ? ('theirs' as const) : ('refuse' as const) }
    git.mutate(
      { params: { id }, body },
      {
        onSuccess({ files, commit, leftOut }) {
          onClose()
          const aside =
            leftOut.length > 0 ? `Left out, and kept by pushes: ${leftOut.length} links and submodules` : undefined
          const title = `Imported ${files} files at ${commit.slice(0, 10)}`
          toast({ title, ...(aside ? { description: aside } : {}) })
        },
      },
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Import from git"
      description={`The last commit comes into ${name} as one version. What changed here and there is merged.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <DialogBody>
          <GitPlaceFields
            place={place}
            error={git.error}
            branchHint="A branch or a tag; the default branch unless you say"
            onChange={(part) => setTyped({ ...typed, ...part })}
          />
          {(isConflict || takesTheirs) && (
            <Checkbox checked={takesTheirs} onChange={setTakesTheirs}>
              Where both changed the same lines, take those of the repository
            </Checkbox>
          )}
          <FormError error={formError(git.error, gitFields)} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={place.url.trim() === ''} busy={git.isPending}>
            Import
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
