import type { ToolTest } from '@coherex/contract'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

interface TestDialogProps {
  onAdd: (test: ToolTest) => void
  onClose: () => void
}

/** Asks for a case: an input, and the output it must have or a check of it. */
export function TestDialog({ onAdd, onClose }: TestDialogProps) {
  const form = useForm({
    draft: undefined,
    initial: { name: '', input: '{}', output: '', check: '' },
    fields: ['name', 'input', 'output'],
    check: ({ name, input, output, check }) => ({
      name: name.trim() ? undefined : 'Needed',
      input: read(input) ? undefined : 'Not JSON',
      output:
        output.trim() === ''
          ? check.trim()
            ? undefined
            : 'Give the output, or a check'
          : read(output)
            ? undefined
            : 'Not JSON: a text stands in quotes',
    }),
    send: async ({ name, input, output, check }) =>
      onAdd({
        name: name.trim(),
        input: read(input)?.value as never,
        ...(output.trim() && { output: read(output)?.value as never }),
        ...(check.trim() && { check: check.trim() }),
      }),
    onSent: onClose,
  })
  const json = (name: 'input' | 'output') => (
    <TextArea rows={3} className="font-mono text-small!" {...form.text(name)} />
  )
  return (
    <FormDialog
      title="Add test"
      description="It is written to tool.yaml, and saved with the next version."
      form={form}
      action="Add test"
      onClose={onClose}
    >
      <Field label="Name" error={form.errorOf('name')}>
        <Input autoFocus maxLength={100} {...form.text('name')} />
      </Field>
      <Field label="Input as JSON" error={form.errorOf('input')}>
        {json('input')}
      </Field>
      <Field label="Output as JSON" error={form.errorOf('output')}>
        {json('output')}
      </Field>
      <Field label="Check" hint="In the tool’s language, over input and output, such as output > 0">
        <Input className="font-mono" maxLength={4_000} {...form.text('check')} />
      </Field>
    </FormDialog>
  )
}

function read(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
