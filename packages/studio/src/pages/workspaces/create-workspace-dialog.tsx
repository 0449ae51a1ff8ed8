import type { WorkspaceTemplate } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useGitClone, useWorkspaceCreate } from '../../data/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { formError } from './git/field-error.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace } from './git/git-place-fields.tsx'
import { templateChoices } from './workspace-words.ts'

const fromGit = { value: 'git' as const, label: 'A git repository', hint: 'Its files at the last commit of a branch' }
const choices = [...templateChoices, fromGit]

export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const create = useWorkspaceCreate()
  const clone = useGitClone()
  const navigate = useNavigate()
  const draft = useDraft('create-workspace', {
    ...noPlace,
    name: '',
    template: 'blank' as WorkspaceTemplate | 'git',
  })
  const { name, template } = draft.value

  function submit(event: FormEvent) {
    event.preventDefault()
    const open = (id: string) => {
      draft.forget()
      onClose()
      void navigate({ to: '/workspaces/$id', params: { id } })
    }
    if (template === 'git') {
      const named = name.trim() === '' ? {} : { name }
      clone.mutate(
        { body: { ...sayPlace(draft.value), ...named } },
        { onSuccess: ({ workspace }) => open(workspace.id) },
      )
    } else create.mutate({ body: { name, template } }, { onSuccess: ({ id }) => open(id) })
  }

  const isFromGit = template === 'git'
  const isReady = isFromGit ? draft.value.url.trim() !== '' : name.trim() !== ''

  return (
    <Dialog open onClose={onClose} title="New workspace" description="Everyone in the team sees it.">
      <form onSubmit={submit}>
        <DialogBody>
          <Field label="Name" hint={isFromGit ? 'That of the repository unless you say' : undefined}>
            <Input
              required={!isFromGit}
              autoFocus={!isFromGit}
              maxLength={100}
              placeholder="Invoice tool"
              value={name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
          </Field>
          <Field label="Start from" hint={choices.find(({ value }) => value === template)?.hint}>
            <Select value={template} choices={choices} onChange={(next) => draft.change({ template: next })} />
          </Field>
          {isFromGit && (
            <GitPlaceFields
              place={draft.value}
              error={clone.error}
              branchHint="A branch or a tag; the default branch unless you say"
              onChange={(part) => draft.change(part)}
            />
          )}
          <FormError error={isFromGit ? formError(clone.error, gitFields) : create.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isReady} busy={create.isPending || clone.isPending}>
            Make workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
