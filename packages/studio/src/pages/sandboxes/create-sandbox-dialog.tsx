import { packageLanguageOf, readRequirements, type Language } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { NetworkPresets } from '../../cell/options/options-form.tsx'
import { FetchProgress } from '../../cell/options/packages/fetch-progress.tsx'
import { LazyPackagesField } from '../../cell/options/packages/lazy-packages-field.tsx'
import { addPreset } from '../../cell/options/typed-options.ts'
import { useSandboxCreate } from '../../data/sandbox.ts'
import { useTemplateList } from '../../data/template.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Select } from '../../ui/field/select.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { idleChoices, languageChoices, linesOf } from './sandbox-words.ts'

const initial = {
  name: '',
  language: 'python' as Language,
  template: 'none',
  memoryMb: '1024',
  diskMb: '1024',
  idle: '900000' as (typeof idleChoices)[number]['value'],
  allow: '',
  packages: '',
}

export function CreateSandboxDialog({ onClose }: { onClose: () => void }) {
  const create = useSandboxCreate()
  const navigate = useNavigate()
  const templates = useTemplateList()
  const form = useForm({
    draft: 'create-sandbox',
    initial,
    fields: ['name', 'template'],
    send({ name, language, template, memoryMb, diskMb, idle, allow, packages }) {
      const prefixes = linesOf(allow)
      const requirements = readRequirements(packages)
      return create.mutateAsync({
        body: {
          ...(name.trim() && { name: name.trim() }),
          language,
          ...(template !== 'none' && { template }),
          limits: { memoryMb: Number(memoryMb), diskMb: Number(diskMb) },
          idleTimeoutMs: Number(idle),
          ...(prefixes.length > 0 && { network: { allow: prefixes } }),
          ...(requirements.length > 0 && { packages: requirements }),
        },
      })
    },
    onSent({ id }) {
      onClose()
      void navigate({ to: '/sandboxes/$id', params: { id } })
    },
  })
  const { language, template, idle, packages } = form.values
  return (
    <FormDialog
      title="New sandbox"
      description="Everyone in the team can use it."
      form={form}
      action="Create sandbox"
      onClose={onClose}
    >
      <Field label="Name" error={form.errorOf('name')}>
        <Input autoFocus maxLength={80} placeholder="Spring sales" {...form.text('name')} />
      </Field>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Field label="First language" hint="Others run beside it, on the same files.">
          <Select value={language} choices={languageChoices} onChange={(next) => form.set({ language: next })} />
        </Field>
        <Field label="Template" hint="Packages and files it starts with." error={form.errorOf('template')}>
          <Select
            value={template}
            choices={[
              { value: 'none', label: 'None' },
              ...(templates.data?.items ?? []).map((one) => ({ value: one.name, label: one.name })),
            ]}
            onChange={(next) => form.set({ template: next })}
          />
        </Field>
        <Field label="Memory in MB">
          <Input type="number" required min={64} max={8192} step={1} {...form.text('memoryMb')} />
        </Field>
        <Field label="Disk in MB">
          <Input type="number" required min={16} max={4096} step={1} {...form.text('diskMb')} />
        </Field>
      </div>
      <LazyPackagesField
        language={packageLanguageOf(language) ?? 'python'}
        requirements={readRequirements(packages)}
        onChange={(next) => form.set({ packages: next.join(' ') })}
        hint="There before the first cell. %pip install and npm install add more later."
        isBusy={form.busy}
      />
      <FetchProgress line={create.progress} />
      <Field label="Sleeps after" hint="Files stay. Run the cells again to get variables back.">
        <Select value={idle} choices={idleChoices} onChange={(next) => form.set({ idle: next })} />
      </Field>
      <Field label="Network: addresses it may reach" hint="One URL prefix a line. Empty: none.">
        <TextArea
          rows={2}
          className="font-mono text-small!"
          placeholder="https://api.github.com/"
          {...form.text('allow')}
        />
        <NetworkPresets onAdd={(more) => form.set({ allow: addPreset(form.values.allow, more) })} />
      </Field>
    </FormDialog>
  )
}
