import { LazyPackagesField } from '../../cell/options/packages/lazy-packages-field.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { ModelPicker } from '../chat/composer/model-picker.tsx'
import { setField } from '../definitions/edit-yaml.ts'
import { byLanguage, readFields, setPackages, type LimitName } from './edit-definition.ts'
import { ToolTicks } from './tool-ticks.tsx'

interface DefinitionFormProps {
  source: string
  canEdit: boolean
  onChange: (source: string) => void
}

const limits: { name: LimitName; label: string; hint: string; isNumber: boolean }[] = [
  { name: 'steps', label: 'Steps', hint: 'Most model calls in one turn; 20 by default', isNumber: true },
  { name: 'costUsd', label: 'Cost in USD', hint: 'The most one turn may cost', isNumber: true },
  { name: 'time', label: 'Time', hint: 'The longest a turn may take, such as 10m', isNumber: false },
]

const packageLabels = { python: 'Python packages', javascript: 'npm packages' }

/** A definition as a form. It holds nothing itself: each change edits the text, and the text shows here. */
export function DefinitionForm({ source, canEdit, onChange }: DefinitionFormProps) {
  const fields = readFields(source)
  if (!fields) {
    return (
      <div className="p-4">
        <Callout tone="warning">The form cannot read this YAML. Fix the text to use the form.</Callout>
      </div>
    )
  }
  const set = (path: readonly string[], value: string | number | undefined) => onChange(setField(source, path, value))
  return (
    <>
      <div className="flex flex-col gap-4 p-4 pb-0">
        <Field label="Description">
          <Input
            maxLength={500}
            readOnly={!canEdit}
            value={fields.description}
            onChange={({ target }) => set(['description'], target.value)}
          />
        </Field>
        <Field label="Instructions">
          <TextArea
            rows={10}
            maxLength={50_000}
            readOnly={!canEdit}
            value={fields.instructions}
            onChange={({ target }) => set(['instructions'], target.value)}
          />
        </Field>
        <div className="flex flex-col gap-1.5">
          <span className="text-dense font-medium">Model</span>
          <ModelPicker
            className="w-full"
            disabled={!canEdit}
            value={fields.model === '' ? null : fields.model}
            onChange={(model) => set(['model'], model ?? undefined)}
          />
        </div>
        <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
          {limits.map(({ name, label, hint, isNumber }) => (
            <Field key={name} label={label} hint={hint}>
              <Input
                type={isNumber ? 'number' : 'text'}
                min={0}
                step="any"
                readOnly={!canEdit}
                value={fields.limits[name] ?? ''}
                onChange={({ target: { value } }) =>
                  set(['limits', name], value === '' ? undefined : isNumber ? Number(value) : value)
                }
              />
            </Field>
          ))}
        </div>
        {canEdit &&
          (['python', 'javascript'] as const).map((language) => (
            <LazyPackagesField
              key={language}
              language={language}
              label={packageLabels[language]}
              hint="The sandbox of its threads has them"
              requirements={byLanguage(fields.packages)[language]}
              onChange={(chosen) => onChange(setPackages(source, language, chosen))}
            />
          ))}
        {!canEdit && fields.packages.length > 0 && (
          <Field label="Packages">
            <Input readOnly className="font-mono" value={fields.packages.join(' ')} />
          </Field>
        )}
      </div>
      <ToolTicks source={source} canEdit={canEdit} onChange={onChange} />
    </>
  )
}
