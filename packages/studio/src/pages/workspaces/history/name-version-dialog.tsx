import { useState } from 'react'
import { useTagPut } from '../../../data/version.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Input } from '../../../ui/input.tsx'

const namePattern = /^[A-Za-z0-9][\w.-]{0,79}$/

export function NameVersionDialog({ id, number, onClose }: { id: string; number: number; onClose: () => void }) {
  const put = useTagPut()
  const [name, setName] = useState('')
  const fits = namePattern.test(name)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Name version ${number}`}
      description="A named version is kept for ever. A name that another version has moves here."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (fits) put.mutate({ params: { id, name }, body: { version: number } }, { onSuccess: onClose })
        }}
      >
        <DialogBody>
          <Field label="Name" error={name === '' || fits ? undefined : 'Letters, digits, “.”, “_” and “-”'}>
            <Input
              required
              autoFocus
              maxLength={80}
              placeholder="before-the-rewrite"
              value={name}
              onChange={(event) => setName(event.target.value.replaceAll(' ', '-'))}
            />
          </Field>
          <FormError error={put.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!fits} busy={put.isPending}>
            Name version
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
