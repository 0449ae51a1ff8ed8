import type { ThreadSummary } from '@coherex/contract'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'

export function RenameThreadDialog({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const change = useThreadChange()
  const form = useForm({
    initial: { title: thread.title },
    fields: ['title'],
    send: ({ title }) => change.mutateAsync({ params: { id: thread.id }, body: { title: title.trim() } }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title="Rename conversation"
      form={form}
      action="Rename"
      ready={form.values.title.trim() !== ''}
      onClose={onClose}
    >
      <Field label="Title" error={form.errorOf('title')}>
        <Input autoFocus required maxLength={200} {...form.text('title')} />
      </Field>
    </FormDialog>
  )
}
