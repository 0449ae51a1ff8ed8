import { formatBytes, type Sandbox, type SandboxVariable } from '@coherex/contract'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { useSandboxVariables } from '../../../data/sandbox.ts'
import { Select } from '../../../ui/field/select.tsx'
import { describeShape } from '../sandbox-words.ts'
import { VariableView } from './variable-view.tsx'

/** What the cells have made so far, and one of it in full. */
export function VariablesPanel({ sandbox, after }: { sandbox: Sandbox; after: string | undefined }) {
  const contexts = sandbox.sessions.map(({ context }) => context)
  const [picked, setPicked] = useState<string>()
  const [open, setOpen] = useState<string>()
  const context = contexts.find((one) => one === picked) ?? contexts[0]
  if (context === undefined) {
    return (
      <p className="px-4 py-6 text-center text-dense text-muted">
        Variables are listed here once a cell has made some.
      </p>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {contexts.length > 1 && (
        <div className="border-b border-line px-4 py-2">
          <Select
            label="Session"
            size="small"
            value={context}
            choices={contexts.map((value) => ({ value, label: value }))}
            onChange={(next) => {
              setPicked(next)
              setOpen(undefined)
            }}
          />
        </div>
      )}
      {open === undefined ? (
        <VariableList id={sandbox.id} context={context} after={after} onOpen={setOpen} />
      ) : (
        <VariableView
          key={open}
          id={sandbox.id}
          context={context}
          name={open}
          after={after}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface VariableListProps {
  id: string
  context: string
  after: string | undefined
  onOpen: (name: string) => void
}

function VariableList({ id, context, after, onOpen }: VariableListProps) {
  const { data, error } = useSandboxVariables(id, context, after)
  if (!data) return error ? <p className="px-4 py-6 text-center text-dense text-muted">{error.message}</p> : null
  if (data.items.length === 0) {
    return <p className="px-4 py-6 text-center text-dense text-muted">The session has no variables yet.</p>
  }
  return (
    <ul aria-label="Variables" className="min-h-0 flex-1 overflow-y-auto">
      {data.items.map((variable) => (
        <li key={variable.name} className="border-b border-line">
          <button
            type="button"
            onClick={() => onOpen(variable.name)}
            className="flex w-full items-baseline gap-3 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="flex min-w-0 shrink-0 items-center gap-1.5 font-mono text-small font-medium">
              {variable.shape && <Table2 aria-hidden className="size-3.5 text-muted" />}
              {variable.name}
            </span>
            <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">{variable.value}</span>
            <span className="shrink-0 text-small text-muted tabular">{describe(variable)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function describe({ type, shape, size }: SandboxVariable): string {
  return [type, describeShape(shape), size === undefined ? '' : formatBytes(size)].filter(Boolean).join(' · ')
}
