import type { McpServer } from '@coherex/contract'
import { useMcpServerChange } from '../../../data/library/mcp-server.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { McpPlaceFields } from './mcp-place-fields.tsx'
import { checkPlace, isComplete, toPlace, toPlaceValues } from './mcp-place-values.ts'

export function EditMcpServerDialog({ server: { name, place }, onClose }: { server: McpServer; onClose: () => void }) {
  const change = useMcpServerChange()
  const form = useForm({
    initial: toPlaceValues(place),
    check: checkPlace,
    send: (values) => change.mutateAsync({ params: { name }, body: { place: toPlace(values) } }),
    onSent({ problem }) {
      onClose()
      toast({ title: `${name} is changed`, ...(problem !== null && { description: problem }) })
    },
  })
  return (
    <FormDialog
      title={`Edit ${name}`}
      description="Its tools are approved anew and its sign-in is forgotten, because it may be another server then."
      form={form}
      action="Save server"
      ready={isComplete(form.values)}
      onClose={onClose}
    >
      <McpPlaceFields form={form} />
    </FormDialog>
  )
}
