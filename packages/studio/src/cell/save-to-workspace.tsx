import { isPlainPath } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { fileListQuery, useFileWrite } from '../data/file.ts'
import { useWorkspaceList } from '../data/workspace.ts'
import { Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'
import { Select } from '../ui/field/select.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { toast } from '../ui/toast/toast.ts'

interface SaveToWorkspaceProps {
  /** The code, or whatever else it is. */
  content: string | (() => Promise<Blob>)
  /** What the file is called unless somebody says otherwise. */
  path: string
  title?: string
  /** Where it comes from: no place to save it in. */
  except?: string
  /** It is stored there. */
  onSaved?: (workspaceId: string, path: string) => void
  onClose: () => void
}

/** Saves code, or a file, as a file of a workspace. */
export function SaveToWorkspace(props: SaveToWorkspaceProps) {
  const { content, path, title = 'Save to workspace', except, onSaved, onClose } = props
  const { items } = useWorkspaceList({ archived: false })
  const workspaces = items?.filter(({ id }) => id !== except)
  // one's own is on top of the list; what is kept is rather for the team
  const first = (workspaces?.find(({ reach }) => reach === 'team') ?? workspaces?.[0])?.id ?? ''
  const write = useFileWrite()
  const form = useForm({
    draft: undefined,
    initial: { workspaceId: '', path },
    fields: ['path'],
    check: (values) => ({
      path: isPlainPath(values.path) ? undefined : 'A relative path such as load.py or lib/load.py',
    }),
    send: async (values) =>
      write.mutateAsync({
        params: { id: values.workspaceId || first, path: values.path },
        query: {},
        body: typeof content === 'string' ? content : await content(),
      }),
    onSent() {
      toast({ title: `Saved ${form.values.path}` })
      onSaved?.(workspaceId, form.values.path)
      onClose()
    },
  })
  const workspaceId = form.values.workspaceId || first
  const { data: files } = useQuery({ ...fileListQuery(workspaceId), enabled: workspaceId !== '' })
  const isThere = files?.items.some((file) => file.path === form.values.path) ?? false
  return (
    <FormDialog
      title={title}
      description="It becomes a file there, as a new version."
      form={form}
      action={isThere ? 'Replace file' : 'Save'}
      ready={workspaceId !== ''}
      onClose={onClose}
    >
      {workspaces?.length === 0 && (
        <p className="text-dense text-muted">There is no workspace yet: create one first.</p>
      )}
      <Field label="Workspace">
        <Select
          value={workspaceId}
          choices={(workspaces ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(next) => form.set({ workspaceId: next })}
        />
      </Field>
      <Field
        label="Path"
        error={form.errorOf('path')}
        hint={
          isThere ? 'There is a file with this path: it is replaced, and its history keeps what it was.' : undefined
        }
      >
        <Input className="font-mono" {...form.text('path')} />
      </Field>
    </FormDialog>
  )
}
