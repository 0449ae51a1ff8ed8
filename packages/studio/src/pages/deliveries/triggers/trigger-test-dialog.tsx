import type { Trigger } from '@coherex/contract'
import { Play } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { ownerOf } from '../../../data/library/trigger.ts'
import { Field } from '../../../ui/field/field.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'

interface TriggerTestDialogProps {
  trigger: Trigger
  busy: boolean
  onFire: (payload: string) => void
  onClose: () => void
}

/** Fires a trigger by hand with what a sender, or an event, would bring. */
export function TriggerTestDialog({ trigger, busy, onFire, onClose }: TriggerTestDialogProps) {
  const { name, event } = trigger
  const { kind, name: owner } = ownerOf(trigger)
  const [payload, setPayload] = useState(() => (event ? JSON.stringify(sampleOf(event), null, 2) : ''))
  function submit(submitted: FormEvent) {
    submitted.preventDefault()
    onFire(payload)
  }
  return (
    <FormDialog
      title={`Test ${name}`}
      description={`${kind === 'tool' ? 'Calls' : 'Starts'} ${owner} as if this had arrived.`}
      form={{ submit, busy, error: null }}
      action="Test"
      icon={<Play aria-hidden />}
      onClose={onClose}
    >
      <Field label="Payload" hint="As text, such as the JSON of a webhook. It needs no signature here.">
        <TextArea
          autoFocus
          className="font-mono"
          rows={8}
          spellCheck={false}
          maxLength={200_000}
          value={payload}
          onChange={({ target }) => setPayload(target.value)}
        />
      </Field>
    </FormDialog>
  )
}

function sampleOf({ name }: NonNullable<Trigger['event']>): object {
  return name === 'file-changed' ? { event: name, paths: ['notes.md'] } : { event: name }
}
