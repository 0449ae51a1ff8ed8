import { useState, type FormEvent } from 'react'
import { useTemplateBuild } from '../../../data/template.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Input } from '../../../ui/input.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toast.ts'
import { linesOf } from '../sandbox-words.ts'

const initial = { name: '', packages: '', start: '', allow: '', index: '' }

/** What a template is made of. Building it installs the packages, which takes its time. */
export function BuildTemplateForm({ onDone }: { onDone: () => void }) {
  const build = useTemplateBuild()
  const draft = useDraft('build-template', initial)
  const [files, setFiles] = useState<readonly File[]>([])
  const { name, packages, start, allow, index } = draft.value
  const set = (key: keyof typeof initial) => (event: { target: { value: string } }) =>
    draft.change({ [key]: event.target.value })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (build.isPending) return
    const texts = await Promise.all(files.map(async (file) => [file.name, await file.text()] as const))
    const prefixes = linesOf(allow)
    build.mutate(
      {
        body: {
          name: name.trim(),
          packages: linesOf(packages),
          ...(texts.length > 0 && { files: Object.fromEntries(texts) }),
          ...(start.trim() && { start: start.trim() }),
          ...(index.trim() && { index: index.trim() }),
          ...(prefixes.length > 0 && { network: { allow: prefixes } }),
        },
      },
      {
        onSuccess(made) {
          toast({ title: `${made.name} is built`, description: `Version ${made.version}` })
          draft.forget()
          onDone()
        },
      },
    )
  }
  const code = 'font-mono text-small!'
  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-col">
      <DialogBody>
        <Field label="Name" hint="Lower-case letters, digits and dashes. A name that is there gets its next version.">
          <Input autoFocus required maxLength={60} placeholder="geo" value={name} onChange={set('name')} />
        </Field>
        <Field label="Python packages" hint="One a line, as pip names them. What the machine has is taken as it is.">
          <TextArea rows={3} className={code} placeholder="shapely" value={packages} onChange={set('packages')} />
        </Field>
        <Field label="Network: addresses the build may reach" hint="One URL prefix a line. Empty: none.">
          <TextArea
            rows={2}
            className={code}
            placeholder={'https://pypi.org/\nhttps://files.pythonhosted.org/'}
            value={allow}
            onChange={set('allow')}
          />
        </Field>
        <Field label="Package index" hint="Other than PyPI, such as a mirror of yours.">
          <Input
            type="url"
            className={code}
            placeholder="https://pypi.org/simple/"
            value={index}
            onChange={set('index')}
          />
        </Field>
        <Field label="Files" hint="Text files, put into the home directory of each new sandbox.">
          <input
            type="file"
            multiple
            aria-label="Files of the template"
            className="text-dense text-muted file:mr-3 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-2 file:py-1 file:font-medium file:text-text"
            onChange={(event) => setFiles([...(event.target.files ?? [])])}
          />
        </Field>
        <Field label="Command" hint="Started in the background whenever a sandbox of it opens.">
          <Input className={code} placeholder="python3 -m http.server 8000" value={start} onChange={set('start')} />
        </Field>
        <FormError error={build.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={build.isPending}>
          {build.isPending ? 'Building…' : 'Build'}
        </Button>
      </DialogActions>
    </form>
  )
}
