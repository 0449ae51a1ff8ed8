import { useState } from 'react'
import { Field } from '../../../ui/field/field.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { asSchema, type Schema } from './edit-schema.ts'
import { Sample } from './sample.tsx'
import { SchemaForm } from './schema-form.tsx'

export type SchemaSide = 'input' | 'output'

interface WrittenSchemaProps {
  side: SchemaSide
  schema: Schema | boolean
  canEdit: boolean
  onChange: (schema: unknown) => void
}

/** A schema as a form and as JSON, side by side where there is room, with a sample of it. */
export function WrittenSchema({ side, schema: written, canEdit, onChange }: WrittenSchemaProps) {
  // what was done last is shown at once: the server's word on it comes later
  const [latest, setLatest] = useState<{ from: string; schema: unknown; text?: string }>()
  const from = JSON.stringify(written)
  const own = latest && (latest.from === from || JSON.stringify(latest.schema) === from) ? latest : undefined
  const schema = own ? own.schema : written
  const text = own?.text ?? JSON.stringify(schema, null, 2)
  const change = (next: unknown, typed?: string) => {
    setLatest({ from, schema: next, ...(typed !== undefined && { text: typed }) })
    onChange(next)
  }
  function type(typed: string) {
    const parsed = parse(typed)
    if (parsed === undefined) setLatest({ from, schema, text: typed })
    else change(parsed, typed)
  }
  const isRead = own?.text === undefined || parse(own.text) !== undefined
  return (
    <div className="@container">
      <div className="grid grid-cols-2 gap-4 @max-[640px]:grid-cols-1">
        <section aria-label={`Fields of the ${side}`} className="flex min-w-0 flex-col gap-3">
          <h3 className="text-dense font-medium">Form</h3>
          <SchemaForm
            label={side}
            schema={asSchema(schema)}
            canEdit={canEdit && isRead}
            onChange={(next) => change(next)}
          />
        </section>
        <div className="flex min-w-0 flex-col gap-4">
          <Field label="JSON Schema" error={isRead ? undefined : 'Not JSON: the form waits until it is'}>
            <TextArea
              rows={Math.min(28, Math.max(8, text.split('\n').length + 1))}
              className="font-mono text-small!"
              readOnly={!canEdit}
              value={text}
              onChange={({ target }) => type(target.value)}
            />
          </Field>
          <Sample schema={schema} />
        </div>
      </div>
    </div>
  )
}

function parse(text: string): Schema | boolean | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'boolean') return value
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined
  } catch {
    return undefined
  }
}
