import type { Workspace } from '@coherex/contract'
import { useState } from 'react'
import { useGitPush, useGitRemotes } from '../../../data/workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { toast } from '../../../ui/toast.ts'
import { formError } from './field-error.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace, type GitPlace } from './git-place-fields.tsx'
import { lastPlace } from './last-place.ts'

export function GitPushDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id, name } = workspace
  const remotes = useGitRemotes(id)
  const git = useGitPush()
  const [typed, setTyped] = useState<Partial<GitPlace>>({})
  const place = { ...noPlace, branch: 'main', ...lastPlace(remotes.data?.items), ...typed }
  const isReady = place.url.trim() !== '' && place.branch.trim() !== ''

  function submit() {
    const body = { ...sayPlace(place), branch: place.branch.trim() }
    git.mutate(
      { params: { id }, body },
      {
        onSuccess({ commits, branch, commit }) {
          onClose()
          const what = commits === 0 ? 'Nothing new' : commits === 1 ? 'Pushed one commit' : `Pushed ${commits} commits`
          toast({ title: `${what}: ${branch} is at ${commit.slice(0, 10)}` })
        },
      },
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Push to git"
      description={`Versions of ${name} since the last push become commits. A branch that has moved on is never overwritten.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) submit()
        }}
      >
        <DialogBody>
          <GitPlaceFields
            place={place}
            error={git.error}
            branchHint="A new one begins where the repository was imported or pushed last"
            branchNeeded
            onChange={(part) => setTyped({ ...typed, ...part })}
          />
          <FormError error={formError(git.error, gitFields)} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isReady} busy={git.isPending}>
            Push
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
