import type { Variable } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, ShieldOff, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { type VariableOwner, useVariableDelete, useVariablePut, variablesQuery } from '../../data/variable.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { PutVariableDialog } from './put-variable-dialog.tsx'

const whatFor: Record<VariableOwner['kind'], string> = {
  workspace:
    'Everything that runs with this workspace finds them in its environment. An agent’s own variables take precedence.',
  agent: 'Code that this agent runs finds them in its environment. They take precedence over those of the workspace.',
  tool: 'Calls of this tool find those that its version names in their environment.',
}

const inShort: Record<VariableOwner['kind'], string> = {
  workspace: 'For everything that runs with it.',
  agent: 'For the code it runs, over those of the workspace.',
  tool: 'For calls of the versions that name them.',
}

/** Environment variables of a workspace, an agent or a tool. */
export function VariablesPanel({ owner }: { owner: VariableOwner }) {
  const right = useRight('editor', 'see and set variables')
  if (right.may) return <VariableList owner={owner} />
  return (
    <Empty icon={ShieldOff} title="Not for your role">
      {right.why}
    </Empty>
  )
}

function VariableList({ owner }: { owner: VariableOwner }) {
  const { data, error, refetch } = useQuery(variablesQuery(owner))
  const remove = useVariableDelete(owner)
  const put = useVariablePut(owner)
  const [dialog, setDialog] = useState<{ variable?: Variable }>()

  if (!data) {
    if (error) return <ErrorState doing="load the variables" error={error} onRetry={() => void refetch()} />
    return (
      <Waiting label="Loading">
        <Skeleton className="m-4 h-4" />
      </Waiting>
    )
  }

  const tellFailure = (failure: Error) => toast({ title: failure.message, tone: 'error' })
  const drop = (variable: Variable) =>
    remove(variable.name, {
      onSuccess: () =>
        toast({
          title: `${variable.name} is deleted`,
          action: { label: 'Undo', run: () => void put(variable).catch(tellFailure) },
        }),
      onError: tellFailure,
    })

  const add = (
    <Button size="small" icon={<Plus aria-hidden />} onClick={() => setDialog({})}>
      Add variable
    </Button>
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {data.items.length === 0 ? (
        <Empty icon={SlidersHorizontal} title="No variables yet" action={add}>
          {whatFor[owner.kind]}
        </Empty>
      ) : (
        <>
          <div className="flex items-center justify-between gap-3 px-4 py-2.5">
            <p className="text-small text-pretty text-muted">{inShort[owner.kind]}</p>
            {add}
          </div>
          <ul aria-label="Variables" className="border-t border-line">
            {data.items.map((variable) => (
              <Row
                key={variable.name}
                variable={variable}
                onChange={() => setDialog({ variable })}
                onDelete={() => drop(variable)}
              />
            ))}
          </ul>
        </>
      )}
      {dialog && (
        <PutVariableDialog owner={owner} taken={data.items} onClose={() => setDialog(undefined)} {...dialog} />
      )}
    </div>
  )
}

interface RowProps {
  variable: Variable
  onChange: () => void
  onDelete: () => void
}

function Row({ variable: { name, value, updatedAt, updatedBy }, onChange, onDelete }: RowProps) {
  return (
    <li className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="truncate font-mono text-small" title={`${name}=${value}`}>
          <span className="font-medium">{name}</span>
          <span className="text-muted">{value === '' ? ' is empty' : `=${value}`}</span>
        </p>
        <p className="truncate text-small text-muted">
          <Time at={updatedAt} /> by {updatedBy}
        </p>
      </div>
      <IconButton label={`Change ${name}`} size="small" icon={<Pencil aria-hidden />} onClick={onChange} />
      <IconButton label={`Delete ${name}`} size="small" icon={<Trash2 aria-hidden />} onClick={onDelete} />
    </li>
  )
}
