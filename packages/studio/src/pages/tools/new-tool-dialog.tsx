import { createToolFiles, toolTemplates, type ToolTemplate } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { whyNotToolName } from '../../cell/tool-name.ts'
import { useToolCreate } from '../../data/library/tool.ts'
import { languageNames } from '../../output/run-words.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Segmented } from '../../ui/field/segmented.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'

/** Stores a tool that runs and has a test, to begin with. */
export function NewToolDialog({ onClose }: { onClose: () => void }) {
  const create = useToolCreate()
  const navigate = useNavigate()
  const form = useForm({
    draft: 'new-tool',
    initial: { name: '', description: '', language: 'python' as ToolTemplate },
    fields: ['name'],
    check: ({ name }) => ({ name: whyNotToolName(name) }),
    send: ({ name, description, language }) =>
      create(name, { files: createToolFiles(language, { name, ...(description.trim() && { description }) }) }),
    onSent: (_, { name }) => void navigate({ to: '/tools/$name', params: { name } }),
  })
  return (
    <FormDialog
      title="New tool"
      description="It begins as a draft that runs and has a test."
      form={form}
      action="Create tool"
      onClose={onClose}
    >
      <Field label="Name" hint="Agents and programs call it by this name." error={form.errorOf('name')}>
        <Input autoFocus maxLength={64} placeholder="invoice-total" {...form.text('name')} />
      </Field>
      <Field label="Description" hint="What it does and when to use it. Models read this.">
        <Input maxLength={500} placeholder="Greets somebody by name" {...form.text('description')} />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="text-dense font-medium">Language</span>
        <Segmented
          label="Language"
          value={form.values.language}
          choices={toolTemplates.map((value) => ({ value, label: languageNames[value] }))}
          onChange={(language) => form.set({ language })}
        />
      </div>
    </FormDialog>
  )
}
