import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

interface SaveVersionDialogProps {
  name: string
  version: number
  onSave: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Stores what was typed as the next version, with a note for whoever looks at the versions. */
export function SaveVersionDialog({ name, version, onSave, onClose }: SaveVersionDialogProps) {
  const form = useForm({
    draft: undefined,
    initial: { note: '' },
    send: ({ note }) => onSave(note.trim()),
    onSent: onClose,
  })
  return (
    <FormDialog
      title={`Save version ${version} of ${name}`}
      description="Callers keep the published version until you publish this one."
      form={form}
      action={`Save version ${version}`}
      onClose={onClose}
    >
      <Field label="Note" hint="What changed; it may be left empty">
        <Input autoFocus maxLength={500} {...form.text('note')} />
      </Field>
    </FormDialog>
  )
}
