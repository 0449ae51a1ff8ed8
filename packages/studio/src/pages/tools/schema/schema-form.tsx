import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field/checkbox.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import {
  asSchema,
  freeName,
  kindOf,
  propertiesOf,
  schemaKinds,
  setWord,
  toKind,
  withProperties,
  type Property,
  type Schema,
  type SchemaKind,
} from './edit-schema.ts'

interface SchemaFormProps {
  /** What it describes, such as `Input` or the path of a property. */
  label: string
  schema: Schema
  canEdit: boolean
  onChange: (schema: Schema) => void
}

const kindNames: Record<SchemaKind, string> = {
  text: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  choice: 'One of',
  object: 'Object',
  list: 'List',
  other: 'Other',
}

/** A JSON Schema as a form. It holds nothing itself: each change is a new schema, and the schema shows here. */
export function SchemaForm({ label, schema, canEdit, onChange }: SchemaFormProps) {
  return (
    <div className="flex flex-col gap-2">
      <KindSelect label={`Type of ${label}`} schema={schema} canEdit={canEdit} onChange={onChange} />
      <SchemaParts label={label} schema={schema} canEdit={canEdit} onChange={onChange} />
    </div>
  )
}

function KindSelect({ label, schema, canEdit, onChange }: SchemaFormProps) {
  return (
    <Select
      label={label}
      size="small"
      className="w-34!"
      disabled={!canEdit}
      value={kindOf(schema)}
      choices={schemaKinds.map((value) => ({ value, label: kindNames[value] }))}
      onChange={(kind) => onChange(toKind(schema, kind))}
    />
  )
}

/** The parts of a schema that has some: the properties of an object, the entries of a list, the words of a choice. */
function SchemaParts(props: SchemaFormProps) {
  const { label, schema, canEdit, onChange } = props
  switch (kindOf(schema)) {
    case 'object':
      return <Properties {...props} />
    case 'list':
      return (
        <div className="border-l-2 border-line pl-3">
          <SchemaForm
            label={`entries of ${label}`}
            schema={asSchema(schema['items'])}
            canEdit={canEdit}
            onChange={(items) => onChange({ ...schema, items })}
          />
        </div>
      )
    case 'choice':
      return (
        <Input
          aria-label={`Choices of ${label}`}
          key={String(schema['enum'])}
          readOnly={!canEdit}
          defaultValue={(schema['enum'] as string[]).join(', ')}
          onBlur={({ target }) => onChange({ ...schema, enum: wordsIn(target.value) })}
        />
      )
    case 'other':
      return <p className="text-small text-muted">Edit this part as JSON.</p>
    default:
      return null
  }
}

function wordsIn(text: string): string[] {
  const words = text.split(',').map((word) => word.trim())
  return [...new Set(words.filter(Boolean))]
}

function Properties({ schema, canEdit, onChange, label }: SchemaFormProps) {
  const properties = propertiesOf(schema)
  const set = (next: readonly Property[]) => onChange(withProperties(schema, next))
  return (
    <div className="flex flex-col gap-3 border-l-2 border-line pl-3">
      {properties.map((property, index) => (
        // a property keeps its place while its name is typed
        <PropertyRow
          key={index}
          property={property}
          taken={properties.filter((_, at) => at !== index).map(({ name }) => name)}
          canEdit={canEdit}
          onChange={(next) => set(properties.with(index, next))}
          onDelete={() => set(properties.toSpliced(index, 1))}
        />
      ))}
      {canEdit && (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden />}
            aria-label={`Add field to ${label}`}
            onClick={() =>
              set([...properties, { name: freeName(properties), schema: { type: 'string' }, isRequired: true }])
            }
          >
            Add field
          </Button>
        </div>
      )}
    </div>
  )
}

interface PropertyRowProps {
  property: Property
  taken: readonly string[]
  canEdit: boolean
  onChange: (property: Property) => void
  onDelete: () => void
}

function PropertyRow({ property, taken, canEdit, onChange, onDelete }: PropertyRowProps) {
  const { name, schema, isRequired } = property
  const change = (next: Schema) => onChange({ ...property, schema: next })
  return (
    <div role="group" aria-label={`Field ${name}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Input
          aria-label="Name of the field"
          className="h-7! w-36! font-mono text-small!"
          key={name}
          readOnly={!canEdit}
          defaultValue={name}
          onBlur={({ target }) => {
            const next = target.value.trim()
            if (next === '' || taken.includes(next)) target.value = name
            else if (next !== name) onChange({ ...property, name: next })
          }}
        />
        {canEdit && (
          <IconButton label={`Delete ${name}`} size="small" icon={<Trash2 aria-hidden />} onClick={onDelete} />
        )}
        <KindSelect label={`Type of ${name}`} schema={schema} canEdit={canEdit} onChange={change} />
        <Checkbox
          checked={isRequired}
          disabled={!canEdit}
          onChange={(next) => onChange({ ...property, isRequired: next })}
        >
          Needed
        </Checkbox>
      </div>
      <Input
        aria-label={`Description of ${name}`}
        className="h-7! text-small!"
        placeholder="What it is, for whoever calls the tool"
        readOnly={!canEdit}
        value={typeof schema['description'] === 'string' ? schema['description'] : ''}
        onChange={({ target }) => change(setWord(schema, 'description', target.value))}
      />
      <SchemaParts label={name} schema={schema} canEdit={canEdit} onChange={change} />
    </div>
  )
}
