import type { Quotas } from '@coherex/contract'
import { useMe } from '../../data/access/me.ts'
import { useQuotaSet } from '../../data/access/quota.ts'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'
import { quotaLines } from './quota-lines.ts'

type TypedQuotas = Partial<Record<keyof Quotas, string>>

export function SetQuotasDialog({ limits, onClose }: { limits: Quotas; onClose: () => void }) {
  const { team } = useMe()
  const set = useQuotaSet()
  const form = useForm({
    draft: `quotas.${team?.id}`,
    initial: {} as TypedQuotas,
    fields: quotaLines.map(({ name }) => name),
    send: (typed) => set.mutateAsync({ body: Object.fromEntries(changesIn(typed, limits)) }),
    onSent() {
      onClose()
      toast({ title: `The quotas of ${team?.name} are set` })
    },
  })
  return (
    <FormDialog
      title="Set quotas"
      description={`What ${team?.name} may use. A limit below the current use stops new work only.`}
      form={form}
      action="Set quotas"
      ready={changesIn(form.values, limits).length > 0}
      onClose={onClose}
      onCancel={() => {
        form.forget()
        onClose()
      }}
    >
      {quotaLines.map(({ name, label, unit, step }) => (
        <Field
          key={name}
          label={label}
          aside={<span className="text-small text-muted">{unit}</span>}
          error={form.errorOf(name)}
        >
          <Input
            type="number"
            inputMode="decimal"
            min={name === 'members' ? 1 : 0}
            step={step}
            required
            className="tabular"
            value={form.values[name] ?? String(limits[name])}
            onChange={(event) => form.set({ [name]: event.target.value })}
          />
        </Field>
      ))}
    </FormDialog>
  )
}

function changesIn(typed: TypedQuotas, limits: Quotas): (readonly [keyof Quotas, number])[] {
  return quotaLines.flatMap(({ name }) => {
    const text = typed[name]
    return text === undefined || text.trim() === '' || Number(text) === limits[name]
      ? []
      : [[name, Number(text)] as const]
  })
}
