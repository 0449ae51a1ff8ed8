import { formatBytes } from '@coherex/contract'
import { usePackagePrune } from '../../../data/package.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** Asks for how long a set must have been unused to go. */
export function PruneDialog({ onClose }: { onClose: () => void }) {
  const prune = usePackagePrune()
  const form = useForm({
    initial: { unusedDays: '30' },
    fields: ['unusedDays'],
    send: ({ unusedDays }) => prune.mutateAsync({ body: { unusedDays: Number(unusedDays) } }),
    onSent({ removed, freedBytes }) {
      onClose()
      toast({
        title: removed === 0 ? 'No set was old enough' : `${removed} ${removed === 1 ? 'set' : 'sets'} deleted`,
        ...(removed > 0 && { description: `${formatBytes(freedBytes)} are free.` }),
      })
    },
  })
  return (
    <FormDialog
      title="Prune sets"
      description="Deletes sets that no workspace, template or sandbox uses. Code that asks for them later fetches them again."
      form={form}
      action="Prune sets"
      onClose={onClose}
    >
      <Field
        label="Not used for, in days"
        hint="0 deletes every set that nothing uses."
        error={form.errorOf('unusedDays')}
      >
        <Input
          autoFocus
          type="number"
          required
          min={0}
          max={365}
          step={1}
          className="tabular"
          {...form.text('unusedDays')}
        />
      </Field>
    </FormDialog>
  )
}
