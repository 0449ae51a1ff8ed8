import { X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'

interface RejectFormProps {
  /** Who reads it. */
  hint: string
  busy: boolean
  onReject: (note: string) => void
  onBack: () => void
}

/** The answer no, with a word on why if there is one. */
export function RejectForm({ hint, busy, onReject, onBack }: RejectFormProps) {
  const [note, setNote] = useState('')
  return (
    <form
      className="flex flex-col gap-3"
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
      onSubmit={(event) => {
        event.preventDefault()
        onReject(note.trim())
      }}
    >
      <Field label="Why not (optional)" hint={hint}>
        <Input autoFocus maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" icon={<X aria-hidden />} busy={busy}>
          Reject
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}
