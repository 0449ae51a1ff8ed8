import type { ThreadSummary } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'

export function RenameThreadDialog({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const change = useThreadChange()
  const [title, setTitle] = useState(thread.title)
  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate({ params: { id: thread.id }, body: { title: title.trim() } }, { onSuccess: onClose })
  }
  return (
    <Dialog open onClose={onClose} title="Rename conversation">
      <form onSubmit={submit}>
        <DialogBody>
          <Field label="Title">
            <Input
              autoFocus
              required
              maxLength={200}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </Field>
          <FormError error={change.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={title.trim() === ''} busy={change.isPending}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
