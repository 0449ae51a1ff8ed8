import type { MessagePart, SaidData } from '@coherex/contract'
import { Avatar } from '../../../ui/avatar.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { messageText } from './message-text.ts'

/** What a person said while the agent worked, where it read it. */
export function SaidBetween({ part }: { part: MessagePart }) {
  const { createdBy, parts } = (part['data'] ?? {}) as Partial<SaidData>
  // what comes from an imported file may have any form
  if (typeof createdBy?.name !== 'string' || !Array.isArray(parts)) return null
  return (
    <div
      role="note"
      aria-label={`${createdBy.name} said meanwhile`}
      className="flex gap-2 rounded-md border-l-2 border-accent bg-sunken px-3 py-2"
    >
      <Avatar name={createdBy.name} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 self-center">
        <AttachedFiles parts={parts} />
        <p className="break-words whitespace-pre-wrap">{messageText({ parts })}</p>
      </div>
    </div>
  )
}
