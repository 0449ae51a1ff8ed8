import { isPlainPath } from '@coherex/contract'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'

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
  const ready = path !== '' && wrong === undefined && (path !== initial || initial === '')
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onPick(path)
        }}
      >
        <DialogBody>
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
          <FormError error={error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!ready} busy={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function whyNot(path: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(path)) return 'There is a file with this path'
  return isPlainPath(path) ? undefined : 'A relative path such as notes.md or src/main.py'
}
