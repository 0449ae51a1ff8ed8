import type { Workspace } from '@coherex/contract'
import { useGitPush, useGitRemotes } from '../../../data/workspace.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace, type GitPlace } from './git-place-fields.tsx'
import { lastPlace } from './last-place.ts'

export function GitPushDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id, name } = workspace
  const remotes = useGitRemotes(id)
  const git = useGitPush()
  const known = { ...noPlace, branch: 'main', ...lastPlace(remotes.data?.items) }
  const form = useForm({
    initial: {} as Partial<GitPlace>,
    fields: gitFields,
    send(typed) {
      const place = { ...known, ...typed }
      return git.mutateAsync({ params: { id }, body: { ...sayPlace(place), branch: place.branch.trim() } })
    },
    onSent({ commits, branch, commit }) {
      onClose()
      const what = commits === 0 ? 'Nothing new' : commits === 1 ? 'Pushed one commit' : `Pushed ${commits} commits`
      toast({ title: `${what}: ${branch} is at ${commit.slice(0, 10)}` })
    },
  })
  const place = { ...known, ...form.values }

  return (
    <FormDialog
      title="Push to git"
      description={`Versions of ${name} since the last push become commits. A branch that has moved on is never overwritten.`}
      form={form}
      action="Push"
      ready={place.url.trim() !== '' && place.branch.trim() !== ''}
      onClose={onClose}
    >
      <GitPlaceFields
        place={place}
        errorOf={form.errorOf}
        branchHint="A new one begins where the repository was imported or pushed last"
        branchNeeded
        onChange={form.set}
      />
    </FormDialog>
  )
}
