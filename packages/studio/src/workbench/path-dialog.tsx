import { isPlainPath } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

interface PathDialogProps {
  title: string
  description: string
  confirm: string
  initial: string
  taken: ReadonlySet<string>
  busy: boolean
  error: Error | null
  onPick: (path: string) => void
  onClose: () => void
}

/** Asks for the path of a file or a folder. */
export function PathDialog(props: PathDialogProps) {
  const { title, description, confirm, initial, taken, busy, error, onPick, onClose } = props
  const [path, setPath] = useState(initial)
  const wrong = path === '' || path === initial ? undefined : whyNot(path, taken)
  const ready = path !== '' && wrong === undefined && path !== initial
  function submit(event: FormEvent) {
    event.preventDefault()
    if (ready && !busy) onPick(path)
  }
  return (
    <FormDialog
      title={title}
      description={description}
      form={{ submit, busy, error }}
      action={confirm}
      ready={ready}
      onClose={onClose}
    >
      <Field label="Path" error={wrong}>
        <Input
          autoFocus
          spellCheck={false}
          className="font-mono"
          placeholder="src/main.py"
          maxLength={1024}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}

function whyNot(path: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(path)) return 'There is a file with this path'
  return isPlainPath(path) ? undefined : 'A relative path such as notes.md or src/main.py'
}
