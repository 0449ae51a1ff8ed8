import { readRequirements, type Sandbox } from '@coherex/contract'
import { NetworkPresets } from '../../cell/options/options-form.tsx'
import { FetchProgress } from '../../cell/options/packages/fetch-progress.tsx'
import { LazyPackagesField } from '../../cell/options/packages/lazy-packages-field.tsx'
import { addPreset } from '../../cell/options/typed-options.ts'
import { useSandboxChange, useSandboxPackages } from '../../data/sandbox.ts'
import { Callout } from '../../ui/callout.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Select } from '../../ui/field/select.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'
import { packageChanges } from './package-changes.ts'
import { idleChoices, linesOf } from './sandbox-words.ts'

const packageFields = [
  ['python', 'Python packages'],
  ['javascript', 'JavaScript packages'],
] as const

/** Name, packages, network, limits and idle time of a sandbox. */
export function SandboxSettings({ sandbox, onClose }: { sandbox: Sandbox; onClose: () => void }) {
  const { id, name, limits, idleTimeoutMs, network } = sandbox
  const change = useSandboxChange()
  const changePackages = useSandboxPackages()
  const requirementsOf = (language: string) =>
    sandbox.packages.find((lock) => lock.language === language)?.requirements ?? []
  const form = useForm({
    draft: undefined,
    initial: {
      name,
      memoryMb: String(limits.memoryMb),
      diskMb: String(limits.diskMb),
      idle: String(idleTimeoutMs),
      allow: network?.allow.join('\n') ?? '',
      python: requirementsOf('python').join(' '),
      javascript: requirementsOf('javascript').join(' '),
    },
    fields: ['name'],
    async send({ name: next, memoryMb, diskMb, idle, allow, ...packages }) {
      const prefixes = linesOf(allow)
      for (const [language] of packageFields) {
        const body = packageChanges(language, requirementsOf(language), readRequirements(packages[language]))
        if (body) await changePackages.mutateAsync({ params: { id }, body })
      }
      return change.mutateAsync({
        params: { id },
        body: {
          name: next.trim(),
          limits: { memoryMb: Number(memoryMb), diskMb: Number(diskMb) },
          idleTimeoutMs: Number(idle),
          network: prefixes.length > 0 ? { allow: prefixes } : null,
        },
      })
    },
    onSent({ atNextWake }) {
      const later = atNextWake.map((field) => (field === 'limits.diskMb' ? 'Disk' : 'Memory')).join(' and ')
      toast({ title: 'Settings saved', ...(later && { description: `${later}: from when it next wakes.` }) })
      onClose()
    },
  })
  const idles = idleChoices.some(({ value }) => value === form.values.idle)
    ? idleChoices
    : [{ value: form.values.idle, label: `${Math.round(Number(form.values.idle) / 60_000)} minutes` }, ...idleChoices]
  return (
    <FormDialog title="Sandbox settings" form={form} action="Save" onClose={onClose}>
      <Field label="Name" error={form.errorOf('name')}>
        <Input autoFocus required maxLength={80} {...form.text('name')} />
      </Field>
      {packageFields.map(([language, label]) => (
        <LazyPackagesField
          key={language}
          label={label}
          language={language}
          requirements={readRequirements(form.values[language])}
          isBusy={form.busy}
          onChange={(next) => form.set({ [language]: next.join(' ') })}
        />
      ))}
      <FetchProgress line={changePackages.progress} />
      {sandbox.outsideLock && (
        <Callout>
          pip or npm put packages among its files themselves. Those are in no lock, and forks of it may differ.
        </Callout>
      )}
      <Field
        label="Network: addresses it may reach"
        hint="One URL prefix a line. Empty: none. Takes effect at once, also for what runs."
      >
        <TextArea
          rows={3}
          className="font-mono text-small!"
          placeholder="https://api.github.com/"
          {...form.text('allow')}
        />
        <NetworkPresets onAdd={(more) => form.set({ allow: addPreset(form.values.allow, more) })} />
      </Field>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Field label="Memory in MB">
          <Input type="number" required min={64} max={8192} step={1} {...form.text('memoryMb')} />
        </Field>
        <Field label="Disk in MB" hint="From when it next wakes.">
          <Input type="number" required min={16} max={4096} step={1} {...form.text('diskMb')} />
        </Field>
      </div>
      <Field label="Sleeps after" hint="Files stay. Run the cells again to get variables back.">
        <Select value={form.values.idle} choices={idles} onChange={(next) => form.set({ idle: next })} />
      </Field>
    </FormDialog>
  )
}
