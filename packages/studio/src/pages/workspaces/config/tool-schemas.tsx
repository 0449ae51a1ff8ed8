import type { WorkspaceFile } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { fileTextQuery } from '../../../data/file.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { replaceText } from '../../../live/replace-text.ts'
import { useLiveText } from '../../../live/use-live-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { readSchema, setValue } from '../../tools/edit-tool.ts'
import { WrittenSchema, type SchemaSide } from '../../tools/schema/written-schema.tsx'

interface ToolSchemasProps {
  id: string
  /** The tool.yaml. */
  file: WorkspaceFile
  live: LiveWorkspace | undefined
  mayWrite: Right
  onOpen: (path: string) => void
}

const firstSchema = { type: 'object', properties: {}, additionalProperties: false }

/** The schemas of a tool.yaml; what is written here is typed into the file, where others see it. */
export function ToolSchemas({ id, file, live, mayWrite, onOpen }: ToolSchemasProps) {
  const [side, setSide] = useState<SchemaSide>('input')
  const stored = useQuery({ ...fileTextQuery(id, file), enabled: live === undefined })
  const typed = useLiveText(live, file.path)
  const source = typed ?? stored.data?.text
  if (source === undefined) return null
  const schema = readSchema(source, side)
  const canEdit = mayWrite.may && typed !== undefined
  function set(value: unknown) {
    const found = live?.textAt(file.path)
    if (found) replaceText(found.text, setValue(found.text.toString(), side, value), 'config')
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Segmented
          label="Schema of"
          value={side}
          choices={[
            { value: 'input', label: 'Input' },
            { value: 'output', label: 'Output' },
          ]}
          onChange={setSide}
        />
        {canEdit && schema !== undefined && (
          <Segmented
            label="Where it is written"
            value={schema === 'code' ? 'code' : 'here'}
            choices={[
              { value: 'code', label: 'From the code' },
              { value: 'here', label: 'Written here' },
            ]}
            onChange={(next) => set(next === 'code' ? undefined : firstSchema)}
          />
        )}
      </div>
      {schema === undefined ? (
        <Callout tone="warning">{file.path} cannot be read. Fix its text to see the schemas.</Callout>
      ) : schema === 'code' ? (
        <p className="text-dense text-muted">Read from the code: from Zod, Pydantic, types or type hints.</p>
      ) : (
        <WrittenSchema key={side} side={side} schema={schema} canEdit={canEdit} onChange={set} />
      )}
      <div className="-ml-2">
        <Button size="small" look="quiet" onClick={() => onOpen(file.path)}>
          {file.path}
        </Button>
      </div>
    </div>
  )
}
