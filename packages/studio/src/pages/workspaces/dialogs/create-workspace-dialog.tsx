import type { WorkspaceTemplate } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { useGitClone, useWorkspaceCreate } from '../../../data/workspace.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { gitFields, GitPlaceFields, noPlace, sayPlace } from '../git/git-place-fields.tsx'
import { templateChoices } from '../workspace-words.ts'

const fromGit = { value: 'git' as const, label: 'A git repository', hint: 'Its files at the last commit of a branch' }
const choices = [...templateChoices, fromGit]

export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const create = useWorkspaceCreate()
  const clone = useGitClone()
  const navigate = useNavigate()
  const form = useForm({
    draft: 'create-workspace',
    initial: { ...noPlace, name: '', template: 'blank' as WorkspaceTemplate | 'git' },
    fields: ['name', ...gitFields],
    async send({ name, template, ...place }) {
      if (template !== 'git') return create.mutateAsync({ body: { name, template } })
      const named = name.trim() === '' ? {} : { name }
      return (await clone.mutateAsync({ body: { ...sayPlace(place), ...named } })).workspace
    },
    onSent({ id }) {
      onClose()
      void navigate({ to: '/workspaces/$id', params: { id } })
    },
  })
  const { name, template, ...place } = form.values
  const isFromGit = template === 'git'

  return (
    <FormDialog
      title="New workspace"
      description="Everyone in the team sees it."
      form={form}
      action="Create workspace"
      ready={(isFromGit ? place.url : name).trim() !== ''}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={isFromGit ? 'The name of the repository by default' : undefined}
        error={form.errorOf('name')}
      >
        <Input
          required={!isFromGit}
          autoFocus={!isFromGit}
          maxLength={100}
          placeholder="Invoice tool"
          {...form.text('name')}
        />
      </Field>
      <Field label="Start from" hint={choices.find(({ value }) => value === template)?.hint}>
        <Select value={template} choices={choices} onChange={(next) => form.set({ template: next })} />
      </Field>
      {isFromGit && (
        <GitPlaceFields
          place={place}
          errorOf={form.errorOf}
          branchHint="A branch or a tag; the repository’s default branch when empty"
          onChange={form.set}
        />
      )}
    </FormDialog>
  )
}
