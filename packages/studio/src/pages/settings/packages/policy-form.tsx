import { readRequirements, type PackagePolicy } from '@coherex/contract'
import { usePackagePolicySet } from '../../../data/package.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field/checkbox.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { buildWords, modes, modeWords } from './policy-words.ts'

const toTyped = ({ mode, allow, minimumAgeDays, allowBuilds, maxMb }: PackagePolicy) => ({
  mode,
  allow: allow.join('\n'),
  minimumAgeDays: String(minimumAgeDays),
  allowBuilds,
  maxMb: String(maxMb),
})

const toPolicy = (typed: ReturnType<typeof toTyped>): PackagePolicy => ({
  mode: typed.mode,
  allow: typed.allow.split('\n').flatMap((line) => readRequirements(line)),
  minimumAgeDays: Number(typed.minimumAgeDays),
  allowBuilds: typed.allowBuilds,
  maxMb: Number(typed.maxMb),
})

/** What an admin sets. */
export function PolicyForm({ policy }: { policy: PackagePolicy }) {
  const set = usePackagePolicySet()
  const form = useForm({
    initial: toTyped(policy),
    fields: ['allow', 'minimumAgeDays', 'maxMb'],
    check: ({ mode, allow }) =>
      mode === 'listed' && allow.trim() === '' ? { allow: 'List at least one package, or choose None.' } : {},
    send: (typed) => set.mutateAsync({ body: toPolicy(typed) }),
    after: (sent) => toTyped(toPolicy(sent)),
    onSent: () => toast({ title: 'The rules for packages are set' }),
  })
  const { mode, allowBuilds } = form.values
  const isChanged = JSON.stringify(toPolicy(form.values)) !== JSON.stringify(policy)
  return (
    <form onSubmit={form.submit} className="flex flex-col gap-4">
      <div className="flex flex-col items-start gap-1.5">
        <span aria-hidden className="text-dense font-medium">
          Packages that may be added
        </span>
        <Segmented
          label="Packages that may be added"
          value={mode}
          choices={modes}
          onChange={(next) => form.set({ mode: next })}
        />
        <p className="text-small text-muted">{modeWords[mode]}</p>
      </div>
      {mode === 'listed' && (
        <Field
          label="Allowed packages"
          hint="One a line, with * in names and versions where they matter: @types/*, es-toolkit@1, polars>=1."
          error={form.errorOf('allow')}
        >
          <TextArea
            rows={5}
            className="font-mono text-small! [font-variant-ligatures:none]"
            placeholder="polars>=1"
            {...form.text('allow')}
          />
        </Field>
      )}
      {mode !== 'none' && (
        <>
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            <Field
              label="Minimum age of a release, in days"
              hint="Most malicious releases are found within days. 0 takes releases of today."
              error={form.errorOf('minimumAgeDays')}
            >
              <Input
                type="number"
                required
                min={0}
                max={365}
                step="any"
                className="tabular"
                {...form.text('minimumAgeDays')}
              />
            </Field>
            <Field label="Most a set may take, in MB" hint="Unpacked, with all it needs." error={form.errorOf('maxMb')}>
              <Input type="number" required min={1} max={10_000} step={1} className="tabular" {...form.text('maxMb')} />
            </Field>
          </div>
          <Checkbox checked={allowBuilds} onChange={(next) => form.set({ allowBuilds: next })} hint={buildWords}>
            Build packages from source
          </Checkbox>
        </>
      )}
      <FormError error={form.error} />
      <div>
        <Button type="submit" look="primary" disabled={!isChanged} busy={form.busy}>
          Save rules
        </Button>
      </div>
    </form>
  )
}
