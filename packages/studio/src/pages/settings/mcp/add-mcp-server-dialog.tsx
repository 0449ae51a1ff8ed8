import { useMcpServerAdd } from '../../../data/library/mcp-server.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { McpPlaceFields } from './mcp-place-fields.tsx'
import { checkPlace, emptyPlace, isComplete, toPlace } from './mcp-place-values.ts'

export function AddMcpServerDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const add = useMcpServerAdd()
  const form = useForm({
    draft: 'add-mcp-server',
    initial: { name: '', ...emptyPlace },
    check: checkPlace,
    send: ({ name, ...values }) => add.mutateAsync({ body: { name, place: toPlace(values) } }),
    onSent({ name, problem }) {
      onAdded(name)
      toast({ title: `${name} is added`, ...(problem !== null && { description: problem }) })
    },
  })
  return (
    <FormDialog
      title="Add MCP server"
      description="Agents get none of its tools before an admin has approved them."
      form={form}
      action="Add server"
      ready={form.values.name !== '' && isComplete(form.values)}
      onClose={onClose}
    >
      <Field label="Name" hint="Lower-case letters, digits and hyphens. Agents name it as mcp:NAME.">
        <Input required autoFocus maxLength={30} spellCheck={false} placeholder="github" {...form.text('name')} />
      </Field>
      <McpPlaceFields form={form} />
    </FormDialog>
  )
}
