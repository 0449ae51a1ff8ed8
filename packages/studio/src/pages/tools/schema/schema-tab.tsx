import type { ToolDetails } from '@coherex/contract'
import { useState } from 'react'
import { Callout } from '../../../ui/callout.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { setValue } from '../edit-tool.ts'
import type { ToolDraft } from '../use-tool-draft.ts'
import type { Schema } from './edit-schema.ts'
import { Sample } from './sample.tsx'
import { WrittenSchema, type SchemaSide } from './written-schema.tsx'

interface SchemaTabProps {
  draft: ToolDraft
  /** The version whose code says what the schemas are, where tool.yaml does not. */
  stored: ToolDetails
  canEdit: boolean
}

/** What goes in and what comes out: read from the code, or written here as a form and as JSON. */
export function SchemaTab({ draft, stored, canEdit }: SchemaTabProps) {
  const [side, setSide] = useState<SchemaSide>('input')
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
