import type { Quotas } from '@coherex/contract'
import type { FormEvent } from 'react'
import { useMe } from '../../data/me.ts'
import { useQuotaSet } from '../../data/quota.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.ts'
import { quotaLines } from './quota-lines.ts'

export function SetQuotasDialog({ limits, onClose }: { limits: Quotas; onClose: () => void }) {
  const { team } = useMe()
  const set = useQuotaSet()
  const draft = useDraft<Partial<Record<keyof Quotas, string>>>(`quotas.${team?.id}`, {})
  const changed = quotaLines.flatMap(({ name }) => {
    const text = draft.value[name]
    return text === undefined || text.trim() === '' || Number(text) === limits[name]
      ? []
      : [[name, Number(text)] as const]
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    set.mutate(
      { body: Object.fromEntries(changed) },
      {
        onSuccess() {
          draft.forget()
          onClose()
          toast({ title: `The quotas of ${team?.name} are set` })
        },
      },
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Set quotas"
      description={`What ${team?.name} may use. Less than is used now stops new work, not what is there.`}
    >
      <form onSubmit={submit}>
        <DialogBody>
          {quotaLines.map(({ name, label, unit, step }) => (
            <Field key={name} label={label} aside={<span className="text-small text-muted">{unit}</span>}>
              <Input
                type="number"
                inputMode="decimal"
                min={name === 'members' ? 1 : 0}
                step={step}
                required
                className="tabular"
                value={draft.value[name] ?? String(limits[name])}
                onChange={(event) => draft.change({ [name]: event.target.value })}
              />
            </Field>
          ))}
          <FormError error={set.error} />
        </DialogBody>
        <DialogActions>
          <Button
            onClick={() => {
              draft.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={changed.length === 0} busy={set.isPending}>
            Set quotas
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
