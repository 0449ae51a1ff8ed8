import type { Secret } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { useSecretPut } from '../../data/secret.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { secretNameProblem } from './secret-name.ts'

interface PutSecretDialogProps {
  /** The one to replace; without it a new one is stored. */
  secret?: Secret
  onClose: () => void
}

export function PutSecretDialog({ secret, onClose }: PutSecretDialogProps) {
  const put = useSecretPut()
  // only the name is kept as a draft: a value must not lie in the browser's storage
  const draft = useDraft('put-secret', { name: '' })
  const [value, setValue] = useState('')
  const name = secret?.name ?? draft.value.name
  const problem = name === '' ? undefined : secretNameProblem(name)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (problem) return
    put.mutate(
      { params: { name }, body: { value } },
      {
        onSuccess() {
          if (!secret) draft.forget()
          onClose()
          toast({ title: secret ? `${name} has a new value` : `${name} is stored` })
        },
      },
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={secret ? `Replace ${secret.name}` : 'Store secret'}
      description="The value is encrypted and never shown again, to anyone."
    >
      <form onSubmit={submit}>
        <DialogBody>
          {!secret && (
            <Field
              label="Name"
              hint="Capital letters, digits and _. An existing secret of that name is replaced."
              error={problem}
            >
              <Input
                required
                autoFocus
                maxLength={64}
                spellCheck={false}
                className="font-mono"
                placeholder="GITHUB_TOKEN"
                value={name}
                onChange={(event) => draft.change({ name: event.target.value.toUpperCase().replace(/[\s-]/g, '_') })}
              />
            </Field>
          )}
          <Field label={secret ? 'New value' : 'Value'}>
            <TextArea
              required
              autoFocus={Boolean(secret)}
              maxLength={65_536}
              rows={3}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          </Field>
          <FormError error={put.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name === '' || problem !== undefined || value === ''}
            busy={put.isPending}
          >
            {secret ? 'Replace value' : 'Store secret'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
