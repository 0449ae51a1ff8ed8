import type { Message, Turn } from '@coherex/contract'
import { FileDiff } from 'lucide-react'
import { memo } from 'react'
import { Empty } from '../../../ui/empty.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { hasChanges } from '../message/tool/tool-results.ts'
import { TurnChanges } from '../message/turn/turn-changes.tsx'
import { UndoTurnButton } from '../message/turn/undo-turn-button.tsx'

interface ChangesPanelProps {
  /** Those that are done, oldest first. */
  messages: readonly Message[]
  turns: readonly Turn[]
}

/** The files that each answer changed, newest answer first. */
export function ChangesPanel({ messages, turns }: ChangesPanelProps) {
  const changed = messages.toReversed().flatMap(({ id, parts, createdAt }) => {
    const turn = hasChanges(parts) && turns.find(({ answerId }) => answerId === id)
    return turn ? [{ turnId: turn.id, at: createdAt }] : []
  })
  if (changed.length === 0) {
    return (
      <Empty icon={FileDiff} title="No changes yet">
        Files of a workspace that the agent changes appear here, with their lines and a way back.
      </Empty>
    )
  }
  return (
    <ol aria-label="Changes by answer" className="flex flex-col gap-4 p-3">
      {changed.map((one) => (
        <AnswerChanges key={one.turnId} {...one} />
      ))}
    </ol>
  )
}

// the panel is drawn again with each word that is written
const AnswerChanges = memo(({ turnId, at }: { turnId: string; at: string }) => (
  <li className="flex flex-col gap-1.5">
    <div className="flex min-h-7 items-center gap-2 text-dense">
      <h3 className="min-w-0 flex-1 font-medium">
        Answer{' '}
        <span className="font-normal text-muted">
          <Time at={at} />
        </span>
      </h3>
      <UndoTurnButton turnId={turnId} />
    </div>
    <TurnChanges turnId={turnId} startsOpen otherwise={<p className="text-dense text-muted">Loading the changes.</p>} />
  </li>
))
