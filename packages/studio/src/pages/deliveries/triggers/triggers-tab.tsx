import { useQuery } from '@tanstack/react-query'
import { Plus, Zap } from 'lucide-react'
import { useState } from 'react'
import { triggersQuery, type TriggerOwner } from '../../../data/library/trigger.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { AddTriggerDialog } from './add-trigger-dialog.tsx'
import { addTrigger, changeTrigger, readTrigger, type TriggerEntry } from './edit-triggers.ts'
import { TriggerCard } from './trigger-card.tsx'
import { TriggerDeliveries } from './trigger-deliveries.tsx'

interface TriggersTabProps {
  of: TriggerOwner
  state: { source: string; change: (source: string) => void }
  canEdit: boolean
}

const words = {
  agent: {
    activate: 'Save the definition to activate it.',
    empty: 'Start the agent on a schedule, from a webhook, or when a file changes or a run fails.',
  },
  tool: {
    activate: 'Save and publish the next version to activate it.',
    empty: 'Call the tool on a schedule, from a webhook, or when a file changes or a run fails.',
  },
}

/** What starts an agent or calls a tool by itself, and what became of it. */
export function TriggersTab({ of, state, canEdit }: TriggersTabProps) {
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<string>()
  const triggers = useQuery(triggersQuery(of))
  if (!triggers.data) {
    if (triggers.error) {
      return <ErrorState doing="load the triggers" error={triggers.error} onRetry={() => void triggers.refetch()} />
    }
    return (
      <Waiting label="Loading">
        <Skeleton className="m-4 h-4" />
      </Waiting>
    )
  }
  const { items } = triggers.data
  const close = () => {
    setAdding(false)
    setEdited(undefined)
  }
  function change(what: string, make: () => string) {
    const before = state.source
    try {
      state.change(make())
      const title = `Trigger ${what} the definition`
      const undo = { label: 'Undo', run: () => state.change(before) }
      toast({ title, description: words[of.kind].activate, action: undo })
    } catch {
      const description = 'The definition is not valid YAML, or has this trigger no more.'
      toast({ title: 'The definition was not changed', description, tone: 'error' })
    }
    close()
  }
  const put = (trigger: TriggerEntry) =>
    edited === undefined
      ? change('added to', () => addTrigger(state.source, trigger))
      : change('changed in', () => changeTrigger(state.source, edited, trigger))
  const addButton = (
    <Button icon={<Plus aria-hidden />} disabled={!canEdit} onClick={() => setAdding(true)}>
      Add trigger
    </Button>
  )
  return (
    <>
      {items.length === 0 ? (
        <Empty icon={Zap} title="No triggers yet" action={addButton}>
          {words[of.kind].empty}
        </Empty>
      ) : (
        <div className="flex flex-col">
          <div className="flex justify-end border-b border-line px-4 py-2">{addButton}</div>
          <ul className="flex flex-col">
            {items.map((trigger) => (
              <TriggerCard
                key={trigger.id}
                trigger={trigger}
                {...(canEdit && {
                  onEdit: () => setEdited(trigger.name),
                  onRemove: () => change('removed from', () => changeTrigger(state.source, trigger.name, undefined)),
                })}
              />
            ))}
          </ul>
          <TriggerDeliveries of={of} />
        </div>
      )}
      {isAdding && <AddTriggerDialog of={of.kind} onAdd={put} onClose={close} />}
      {edited !== undefined && (
        <AddTriggerDialog of={of.kind} edited={readTrigger(state.source, edited)} onAdd={put} onClose={close} />
      )}
    </>
  )
}
