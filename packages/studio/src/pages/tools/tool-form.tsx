import { languages, packageLanguageOf } from '@coherex/contract'
import { LazyPackagesField } from '../../cell/options/packages/lazy-packages-field.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { setField } from '../definitions/edit-yaml.ts'
import { readToolFields, setValue, setWords, type ToolFields } from './edit-tool.ts'

interface ToolFormProps {
  /** The tool.yaml. */
  source: string
  canEdit: boolean
  onChange: (source: string) => void
}

type Event = { target: { value: string } }

/** A tool.yaml as a form. It holds nothing itself: each change edits the text, and the text shows here. */
export function ToolForm({ source, canEdit, onChange }: ToolFormProps) {
  const fields = readToolFields(source)
  if (!fields) {
    return (
      <div className="p-4">
        <Callout tone="warning">The form cannot read tool.yaml. Fix the text to use the form.</Callout>
      </div>
    )
  }
  const language = languages.find((one) => one === fields.language)
  const packagesOf = language && packageLanguageOf(language)
  const shows = (field: Exclude<keyof ToolFields, 'packages'>) => ({ readOnly: !canEdit, value: fields[field] })
  const text = (field: 'description' | 'entry' | 'licence') => ({
    ...shows(field),
    onChange: ({ target }: Event) => onChange(setField(source, [field], target.value || undefined)),
  })
  const words = (field: 'tags' | 'variables') => ({
    defaultValue: fields[field],
    readOnly: !canEdit,
    // read when it is left: while one types, a comma is no word yet
    onBlur: ({ target }: Event) => target.value !== fields[field] && onChange(setWords(source, field, target.value)),
  })
  const limit = (field: 'timeoutMs' | 'memoryMb') => ({
    ...shows(field),
    type: 'number',
    min: 0,
    onChange: ({ target }: Event) =>
      onChange(setField(source, ['limits', field], target.value === '' ? undefined : Number(target.value))),
  })
  return (
    <div className="flex flex-col gap-4 p-4">
      <Field label="Description" hint="What it does and when to use it. Models read this to decide whether to call it.">
        <TextArea rows={3} maxLength={4_000} {...text('description')} />
      </Field>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Field label="Licence" hint="Needed to publish it, such as MIT">
          <Input maxLength={100} {...text('licence')} />
        </Field>
        <Field label="Entry file" hint="The file that is run">
          <Input className="font-mono" maxLength={200} {...text('entry')} />
        </Field>
        <Field label="Tags" hint="With commas between">
          <Input key={fields.tags} {...words('tags')} />
        </Field>
        <Field label="Variables and secrets" hint="Names of those it gets">
          <Input key={fields.variables} {...words('variables')} />
        </Field>
        <Field label="Time in ms" hint="The longest a call may take">
          <Input {...limit('timeoutMs')} />
        </Field>
        <Field label="Memory in MB">
          <Input {...limit('memoryMb')} />
        </Field>
      </div>
      {canEdit && packagesOf ? (
        <LazyPackagesField
          language={packagesOf}
          requirements={fields.packages}
          onChange={(packages) => onChange(setValue(source, 'packages', packages.length > 0 ? packages : undefined))}
          hint="They are locked when a version is saved"
        />
      ) : (
        <Field label="Packages">
          <TextArea rows={2} className="font-mono text-small!" readOnly value={fields.packages.join('\n')} />
        </Field>
      )}
    </div>
  )
}
