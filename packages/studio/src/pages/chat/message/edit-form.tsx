import { useState, type KeyboardEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'

interface EditFormProps {
  text: string
  label: string
  /** What its button says. */
  action: string
  onSave: (text: string) => Promise<unknown>
  onCancel: () => void
}

/** Words of a message, to be changed: Enter saves, Escape leaves them as they were. */
export function EditForm({ text, label, action, onSave, onCancel }: EditFormProps) {
  const [next, setNext] = useState(text)
  const [busy, setBusy] = useState(false)
  async function save() {
    if (next.trim() === '' || busy) return
    setBusy(true)
    await onSave(next)
    setBusy(false)
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        aria-label={label}
        autoFocus
        rows={Math.min(12, next.split('\n').length + 1)}
        value={next}
        onChange={(event) => setNext(event.target.value)}
        onKeyDown={press}
      />
      <div className="flex gap-2">
        <Button look="primary" size="small" busy={busy} disabled={next.trim() === ''} onClick={() => void save()}>
          {action}
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
