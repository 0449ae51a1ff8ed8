import { useState } from 'react'
import { useTemplateBuild } from '../../../data/template.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { linesOf } from '../sandbox-words.ts'

const initial = { name: '', packages: '', start: '', index: '' }

/** What a template is made of. Building it resolves and fetches the packages, which takes its time. */
export function BuildTemplateForm({ onDone }: { onDone: () => void }) {
  const build = useTemplateBuild()
  const [files, setFiles] = useState<readonly File[]>([])
  const form = useForm({
    draft: 'build-template',
    initial,
    fields: ['name', 'start', 'index'],
    async send({ name, packages, start, index }) {
      const texts = await Promise.all(files.map(async (file) => [file.name, await file.text()] as const))
      return build.mutateAsync({
        body: {
          name: name.trim(),
          packages: linesOf(packages),
          ...(texts.length > 0 && { files: Object.fromEntries(texts) }),
          ...(start.trim() && { start: start.trim() }),
          ...(index.trim() && { index: index.trim() }),
        },
      })
    },
    onSent(made) {
      toast({ title: `${made.name} is built`, description: `Version ${made.version}` })
      onDone()
    },
  })
  const code = 'font-mono text-small!'
  return (
    <form onSubmit={form.submit} className="flex min-h-0 flex-col">
      <DialogBody>
        <Field
          label="Name"
          hint="Lower-case letters, digits and dashes. A name that is there gets its next version."
          error={form.errorOf('name')}
        >
          <Input autoFocus required maxLength={60} placeholder="geo" {...form.text('name')} />
        </Field>
        <Field
          label="Packages"
          hint="One a line, as pip names them; those of npm begin with npm:. The build locks their versions."
        >
          <TextArea rows={3} className={code} placeholder={'shapely>=2\nnpm:es-toolkit@1'} {...form.text('packages')} />
        </Field>
        <Field
          label="Package index"
          hint="For Python packages, instead of the server’s own."
          error={form.errorOf('index')}
        >
          <Input
            type="url"
            className={code}
            placeholder="https://packages.example.com/simple/"
            {...form.text('index')}
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
        <Field
          label="Command"
          hint="Started in the background whenever a sandbox of it opens."
          error={form.errorOf('start')}
        >
          <Input className={code} placeholder="python3 -m http.server 8000" {...form.text('start')} />
        </Field>
        <FormError error={form.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={form.busy}>
          {form.busy ? 'Building…' : 'Build'}
        </Button>
      </DialogActions>
    </form>
  )
}
