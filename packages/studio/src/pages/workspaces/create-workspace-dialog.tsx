import type { WorkspaceTemplate } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useWorkspaceCreate } from '../../data/workspace/workspace-create.ts'
import { useDraft } from '../../shell/draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { templateChoices } from './workspace-words.ts'

export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const create = useWorkspaceCreate()
  const navigate = useNavigate()
  const draft = useDraft('create-workspace', { name: '', template: 'blank' as WorkspaceTemplate })
  const { name, template } = draft.value

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate(
      { body: { name, template } },
      {
        onSuccess({ id }) {
          draft.forget()
          onClose()
          void navigate({ to: '/workspaces/$id', params: { id } })
        },
      },
    )
  }

  return (
    <Dialog open onClose={onClose} title="New workspace" description="Everyone in the team sees it.">
      <form onSubmit={submit}>
        <DialogBody>
          <Field label="Name">
            <Input
              required
              autoFocus
              maxLength={100}
              placeholder="Invoice tool"
              value={name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
          </Field>
          <Field label="Start from" hint={templateChoices.find(({ value }) => value === template)?.hint}>
            <Select value={template} choices={templateChoices} onChange={(next) => draft.change({ template: next })} />
          </Field>
          <FormError error={create.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ''} busy={create.isPending}>
            Make workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
