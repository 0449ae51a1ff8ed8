import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { fieldsOf, valuesOf, withValue, type InputSchema } from './input-schema.ts'
import { ValueField } from './value-field.tsx'

interface InputFieldsProps {
  schema: InputSchema | undefined
  hint?: string | undefined
  /** The input as JSON. */
  text: string
  error: string | undefined
  onChange: (text: string) => void
}

/** The input of a run: a form where its schema is known, and JSON everywhere. */
export function InputFields({ schema, hint, text, error, onChange }: InputFieldsProps) {
  const [asJson, setAsJson] = useState(false)
  const fields = fieldsOf(schema)
  const values = valuesOf(text)
  if (!fields || !values || asJson) {
    const back = fields && values && <FormSwitch label="As a form" onPress={() => setAsJson(false)} />
    return (
      <Field label="Input as JSON" hint={hint} error={error} aside={back}>
        <TextArea
          rows={Math.min(16, Math.max(3, text.split('\n').length))}
          className="font-mono text-small!"
          placeholder='{ "n": 21 }'
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    )
  }
  const set = (name: string, value: unknown) => {
    const next = withValue(values, name, value)
    onChange(Object.keys(next).length === 0 ? '' : JSON.stringify(next, null, 2))
  }
  return (
    <fieldset className="col-span-full grid grid-cols-2 gap-x-4 gap-y-3 @max-[520px]:grid-cols-1">
      <legend className="contents">
        <span className="col-span-full flex items-baseline justify-between text-dense font-medium">
          Input <FormSwitch label="As JSON" onPress={() => setAsJson(true)} />
        </span>
      </legend>
      {fields.map((field) => (
        <ValueField
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </fieldset>
  )
}

function FormSwitch({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button size="small" look="quiet" onClick={onPress}>
      {label}
    </Button>
  )
}
