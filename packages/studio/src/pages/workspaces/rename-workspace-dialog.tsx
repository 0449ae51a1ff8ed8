import type { Workspace } from '@coherex/contract'
import { useState } from 'react'
import { useWorkspaceUpdate } from '../../data/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'

export function RenameWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const update = useWorkspaceUpdate()
  const [name, setName] = useState(workspace.name)
  return (
    <Dialog open onClose={onClose} title={`Rename ${workspace.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ params: { id: workspace.id }, body: { name } }, { onSuccess: onClose })
        }}
      >
        <DialogBody>
          <Field label="Name">
            <Input required autoFocus maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <FormError error={update.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ''} busy={update.isPending}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
