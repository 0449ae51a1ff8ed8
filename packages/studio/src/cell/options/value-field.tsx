import { Plus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Select } from '../../ui/field/select.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { asValues, emptyOf, parseTyped, whyNotField, withValue, type InputField } from './input-schema.ts'

interface ValueFieldProps {
  field: InputField
  value: unknown
  /** Undefined leaves it out. */
  onChange: (value: unknown) => void
}

/** One value of an input, as its schema describes it; objects and lists have fields of their own. */
export function ValueField({ field, value, onChange }: ValueFieldProps) {
  const { label, hint, kind, choices } = field
  const typed = (text: string | boolean) => onChange(parseTyped(kind, text))
  const shown = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  if (kind === 'object' && (value === undefined || asValues(value)))
    return <ObjectField {...{ field, value, onChange }} />
  if (kind === 'list' && (value === undefined || Array.isArray(value))) {
    return <ListField {...{ field, onChange }} value={value ?? []} />
  }
  if (kind === 'boolean') {
    return (
      <Checkbox checked={value === true} onChange={typed}>
        {label}
      </Checkbox>
    )
  }
  return (
    <Field label={label} hint={hint} error={whyNotField(field, value)}>
      {kind === 'choice' ? (
        <Select value={shown} choices={choices.map((one) => ({ value: one, label: one }))} onChange={typed} />
      ) : kind === 'text' || kind === 'number' ? (
        <Input
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          value={shown}
          onChange={(event) => typed(event.target.value)}
        />
      ) : (
        <TextArea
          rows={2}
          className="font-mono text-small!"
          value={shown}
          onChange={(event) => typed(event.target.value)}
        />
      )}
    </Field>
  )
}

const groupClass = 'col-span-full flex min-w-0 flex-col gap-3 border-l-2 border-line pl-3'

function ObjectField({ field: { label, hint, fields }, value, onChange }: ValueFieldProps) {
  const values = asValues(value) ?? {}
  return (
    <fieldset className={groupClass}>
      <legend className="mb-1 text-dense font-medium">{label}</legend>
      {hint && <p className="text-small text-muted">{hint}</p>}
      {fields.map((one) => (
        <ValueField
          key={one.name}
          field={one}
          value={values[one.name]}
          onChange={(next) => onChange(withValue(values, one.name, next))}
        />
      ))}
    </fieldset>
  )
}

function ListField({ field: { label, hint, item }, value, onChange }: ValueFieldProps & { value: readonly unknown[] }) {
  if (!item) return null
  const replace = (index: number, ...next: unknown[]) => onChange(value.toSpliced(index, 1, ...next))
  return (
    <fieldset className={groupClass}>
      <legend className="mb-1 text-dense font-medium">{label}</legend>
      {hint && <p className="text-small text-muted">{hint}</p>}
      {value.map((one, index) => (
        // entries have no name but their place
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <ValueField
              field={{ ...item, label: `${label} ${index + 1}` }}
              value={one}
              onChange={(next) => replace(index, next ?? emptyOf(item))}
            />
          </div>
          <IconButton
            label={`Remove ${label} ${index + 1}`}
            size="small"
            icon={<X aria-hidden />}
            onClick={() => replace(index)}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={<Plus aria-hidden />} onClick={() => onChange([...value, emptyOf(item)])}>
          Add to {label}
        </Button>
      </div>
    </fieldset>
  )
}
