import { isPlainPath } from '@coherex/contract'
import { useState, type FormEvent } from 'react'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'

interface AddFileDialogProps {
  taken: readonly string[]
  /** Those that are no text, and so have no tab. */
  binary: readonly string[]
  onAdd: (path: string) => void
  onClose: () => void
}

export function AddFileDialog({ taken, binary, onAdd, onClose }: AddFileDialogProps) {
  const [path, setPath] = useState('')
  const wrong = path === '' ? undefined : whyNot(path, taken, binary)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (path && !wrong) onAdd(path)
  }
  return (
    <FormDialog
      title="Add file"
      description="The code imports or opens it by this path."
      form={{ submit, busy: false, error: null }}
      action="Add file"
      ready={path !== '' && wrong === undefined}
      onClose={onClose}
    >
      <Field label="Path" error={wrong}>
        <Input autoFocus placeholder="lib/sum.ts" value={path} onChange={(event) => setPath(event.target.value)} />
      </Field>
    </FormDialog>
  )
}

function whyNot(path: string, texts: readonly string[], binary: readonly string[]): string | undefined {
  if (texts.includes(path)) return 'There is a file with this path'
  if (binary.includes(path)) return 'There is a file with this path that is not text'
  const taken = [...texts, ...binary]
  const within = taken.find((one) => one.startsWith(`${path}/`))
  if (within !== undefined) return `${path} is a folder already, with ${within} in it`
  const above = taken.find((one) => path.startsWith(`${one}/`))
  if (above !== undefined) return `${above} is a file already, and no folder`
  return isPlainPath(path) ? undefined : 'A relative path such as data.json or lib/sum.ts'
}
