import type { Workspace } from '@coherex/contract'
import { useWorkspaceUpdate } from '../../../data/workspace.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

export function RenameWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const update = useWorkspaceUpdate()
  const form = useForm({
    initial: { name: workspace.name },
    fields: ['name'],
    send: ({ name }) => update.mutateAsync({ params: { id: workspace.id }, body: { name } }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title={`Rename ${workspace.name}`}
      form={form}
      action="Rename"
      ready={form.values.name.trim() !== ''}
      onClose={onClose}
    >
      <Field label="Name" error={form.errorOf('name')}>
        <Input required autoFocus maxLength={100} {...form.text('name')} />
      </Field>
    </FormDialog>
  )
}
