import type { ToolDetails } from '@coherex/contract'
import { useState } from 'react'
import { Callout } from '../../../ui/callout.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { setValue } from '../edit-tool.ts'
import type { ToolDraft } from '../use-tool-draft.ts'
import { asSchema, type Schema } from './edit-schema.ts'
import { Sample } from './sample.tsx'
import { SchemaForm } from './schema-form.tsx'

interface SchemaTabProps {
  draft: ToolDraft
  /** The version whose code says what the schemas are, where tool.yaml does not. */
  stored: ToolDetails
  canEdit: boolean
}

type Side = 'input' | 'output'

/** What goes in and what comes out: read from the code, or written here as a form and as JSON. */
export function SchemaTab({ draft, stored, canEdit }: SchemaTabProps) {
  const [side, setSide] = useState<Side>('input')
  const written = draft.verdict?.definition?.[side]
  const isCode = (written ?? stored.definition[side]) === 'code'
  const set = (value: unknown) => draft.changeSource(setValue(draft.source, side, value))
  const isBroken = draft.verdict?.valid === false
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap gap-3">
        <Segmented
          label="Schema of"
          value={side}
          choices={[
            { value: 'input', label: 'Input' },
            { value: 'output', label: 'Output' },
          ]}
          onChange={setSide}
        />
        {canEdit && (
          <Segmented
            label="Where it is written"
            value={isCode ? 'code' : 'here'}
            choices={[
              { value: 'code', label: 'From the code' },
              { value: 'here', label: 'Written here' },
            ]}
            onChange={(next) => set(next === 'code' ? undefined : startOf(stored[side]))}
          />
        )}
      </div>
      {isBroken && <Problems draft={draft} />}
      {isCode ? (
        <>
          <p className="text-dense text-muted">
            Read from the code when version {stored.version} was saved: from Zod, Pydantic, types or type hints.
          </p>
          <div className="grid grid-cols-2 gap-4 max-lg:grid-cols-1">
            <Code label={`Schema of the ${side}`} text={JSON.stringify(stored[side], null, 2)} />
            <Sample schema={stored[side]} />
          </div>
        </>
      ) : (
        <WrittenSchema
          key={side}
          side={side}
          schema={(written ?? stored.definition[side]) as Schema | boolean}
          canEdit={canEdit}
          onChange={set}
        />
      )}
    </div>
  )
}

function Problems({ draft }: { draft: ToolDraft }) {
  return (
    <Callout tone="warning">
      <ul>
        {draft.verdict?.problems.map(({ path, message }, index) => (
          <li key={index}>
            {path} {message}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** What one begins to write with: the schema that the code has. */
function startOf(stored: ToolDetails['input']): Schema {
  return typeof stored === 'boolean' ? { type: 'object', properties: {} } : stored
}

interface WrittenSchemaProps {
  side: Side
  schema: Schema | boolean
  canEdit: boolean
  onChange: (schema: unknown) => void
}

function WrittenSchema({ side, schema: written, canEdit, onChange }: WrittenSchemaProps) {
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
    <div className="grid grid-cols-2 gap-4 max-lg:grid-cols-1">
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
