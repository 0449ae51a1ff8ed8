import type { Trigger } from '@coherex/contract'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface TriggerTestDialogProps {
  trigger: Trigger
  busy: boolean
  onFire: (payload: string) => void
  onClose: () => void
}

/** Fires a trigger by hand with what a sender, or an event, would bring. */
export function TriggerTestDialog({ trigger: { name, agent, event }, busy, onFire, onClose }: TriggerTestDialogProps) {
  const [payload, setPayload] = useState(() => (event ? JSON.stringify(sampleOf(event), null, 2) : ''))
  return (
    <Dialog open onClose={onClose} title={`Test ${name}`} description={`Starts ${agent} as if this had come.`}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault()
          onFire(payload)
        }}
      >
        <DialogBody>
          <Field label="What is sent" hint="As text, such as the JSON of a webhook. It needs no signature here.">
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
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" icon={<Play aria-hidden />} busy={busy}>
            Fire
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function sampleOf({ name }: NonNullable<Trigger['event']>): object {
  return name === 'file-changed' ? { event: name, paths: ['notes.md'] } : { event: name }
}
