import { useSandboxFromWorkspace, useSandboxToWorkspace } from '../../../data/sandbox.ts'
import { useWorkspaceList } from '../../../data/workspace.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'

interface CopyFilesDialogProps {
  id: string
  /** The folder of the sandbox that is in sight; empty is its home. */
  folder: string
  direction: 'from' | 'to'
  onClose: () => void
}

/** Copies the files of a workspace into a folder of the sandbox, or those of a folder into a workspace. */
export function CopyFilesDialog({ id, folder, direction, onClose }: CopyFilesDialogProps) {
  const { items: workspaces } = useWorkspaceList({ archived: false })
  const bring = useSandboxFromWorkspace()
  const take = useSandboxToWorkspace()
  const isFrom = direction === 'from'
  const place = folder === '' ? 'the home folder' : folder
  const chosen = (workspaceId: string) => workspaceId || (workspaces?.[0]?.id ?? '')
  const form = useForm({
    draft: undefined,
    initial: { workspaceId: '' },
    fields: ['workspaceId'],
    send: ({ workspaceId }) =>
      (isFrom ? bring : take).mutateAsync({ params: { id }, body: { workspaceId: chosen(workspaceId), path: folder } }),
    onSent({ files }) {
      toast({ title: `${files} ${files === 1 ? 'file' : 'files'} copied` })
      onClose()
    },
  })
  const workspaceId = chosen(form.values.workspaceId)
  return (
    <FormDialog
      title={isFrom ? 'Copy files from a workspace' : 'Copy files to a workspace'}
      description={
        isFrom
          ? `Its files, as they are now, are copied into ${place}. Files with the same path are replaced.`
          : `The files of ${place} become one version of the workspace.`
      }
      form={form}
      action={isFrom ? 'Copy files' : 'Copy files'}
      ready={workspaceId !== ''}
      onClose={onClose}
    >
      {workspaces?.length === 0 && (
        <p className="text-dense text-muted">There is no workspace yet: create one first.</p>
      )}
      <Field label="Workspace" error={form.errorOf('workspaceId')}>
        <Select
          value={workspaceId}
          choices={(workspaces ?? []).map((one) => ({ value: one.id, label: one.name }))}
          onChange={(next) => form.set({ workspaceId: next })}
        />
      </Field>
    </FormDialog>
  )
}
