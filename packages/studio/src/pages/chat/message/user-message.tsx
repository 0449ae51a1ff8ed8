import type { Message } from '@coherex/contract'
import { Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { EditForm } from './edit-form.tsx'
import { messageText } from './message-text.ts'

// most of what people say has nothing to run
const SaidBlocks = lazy(async () => (await import('../../../artifact/load-blocks.ts')).loadSaidBlocks())

interface UserMessageProps {
  threadId: string
  message: Message
  /** A turn is under way, or one may not speak here. */
  isLocked: boolean
  onEdit: (message: Message, text: string) => Promise<boolean>
  onShow: (messageId: string) => void
}

export function UserMessage({ threadId, message, isLocked, onEdit, onShow }: UserMessageProps) {
  const [editing, setEditing] = useState(false)
  const text = messageText(message)
  const images = message.parts.filter(({ type }) => type === 'file')
  return (
    <article aria-label={`Message of ${message.createdBy.name}`} className="group/message flex gap-3">
      <Avatar name={message.createdBy.name} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <header className="flex h-7 items-center gap-2 text-dense">
          <span className="font-medium">{message.createdBy.name}</span>
          <span className="text-small text-muted">
            <Time at={message.createdAt} />
          </span>
          {!editing && (
            <span className="flex opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 max-md:opacity-100">
              <CopyButton text={text} />
              {!isLocked && (
                <IconButton
                  label="Edit and ask again"
                  size="small"
                  icon={<Pencil aria-hidden />}
                  onClick={() => setEditing(true)}
                />
              )}
            </span>
          )}
        </header>
        {images.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {images.map((part, index) => (
              <li key={index}>
                <img
                  src={String(part['url'])}
                  alt={String(part['filename'] ?? 'Attached image')}
                  className="max-h-60 max-w-full rounded-md border border-line"
                />
              </li>
            ))}
          </ul>
        )}
        <AttachedFiles parts={message.parts} />
        {editing ? (
          <EditForm
            text={text}
            label="Edit message"
            action="Ask again"
            onCancel={() => setEditing(false)}
            onSave={async (next) => (await onEdit(message, next)) && setEditing(false)}
          />
        ) : text.includes('```') ? (
          <Suspense fallback={<Said text={text} />}>
            <SaidBlocks threadId={threadId} message={message} />
          </Suspense>
        ) : (
          <Said text={text} />
        )}
        {!editing && message.siblings.length > 1 && (
          <footer className="-ml-1.5">
            <BranchSwitch message={message} disabled={isLocked} onShow={onShow} />
          </footer>
        )}
      </div>
    </article>
  )
}

function Said({ text }: { text: string }) {
  return <p className="text-body leading-[22px] break-words whitespace-pre-wrap">{text}</p>
}
