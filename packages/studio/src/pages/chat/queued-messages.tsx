import type { Activity, QueuedMessage } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Clock, Pencil, RotateCw, TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { meQuery } from '../../data/access/me.ts'
import { useQueuedChange, useQueuedRemove } from '../../data/thread/queued-message.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { EditForm } from './message/edit-form.tsx'
import { tellFailure } from './use-thread-actions.ts'

interface QueuedMessagesProps {
  threadId: string
  activity: Activity
  queued: readonly QueuedMessage[]
}

/** What was said while the agent works, until it takes it up. */
export function QueuedMessages({ threadId, activity, queued }: QueuedMessagesProps) {
  return (
    <section aria-label="Queued messages" className="flex flex-col gap-2 pl-10 max-md:pl-0">
      <p className="text-small text-muted">
        {activity === 'waiting' || activity === 'sleeping'
          ? 'Queued. The agent reads it when it goes on.'
          : 'Queued. The agent reads it before its next step.'}
      </p>
      {queued.map((message) => (
        <QueuedOne key={message.id} threadId={threadId} message={message} />
      ))}
    </section>
  )
}

function QueuedOne({ threadId, message }: { threadId: string; message: QueuedMessage }) {
  const { id: messageId, text, files, createdBy, problem } = message
  const isOwn = useQuery(meQuery).data?.person.id === createdBy.id
  const change = useQueuedChange()
  const remove = useQueuedRemove()
  const [editing, setEditing] = useState(false)
  const params = { id: threadId, messageId }
  const onError = tellFailure('The queued message was not changed')
  const save = (next: string) =>
    change.mutateAsync({ params, body: { text: next } }).then(() => setEditing(false), onError)

  if (editing)
    return (
      <EditForm
        text={text}
        label="Edit queued message"
        action="Save"
        onCancel={() => setEditing(false)}
        onSave={save}
      />
    )
  return (
    <article
      aria-label={`Queued message of ${createdBy.name}`}
      className="flex items-start gap-2 rounded-md border border-dashed border-line-strong bg-surface px-3 py-2 text-body"
    >
      {problem ? (
        <TriangleAlert aria-label="Not sent" className="mt-0.5 size-4 shrink-0 text-red" />
      ) : (
        <Clock aria-label="Queued" className="mt-0.5 size-4 shrink-0 text-muted" />
      )}
      <div className="min-w-0 flex-1">
        {!isOwn && <p className="text-small font-medium">{createdBy.name}</p>}
        <p className="break-words whitespace-pre-wrap">{text}</p>
        {files.length > 0 && <p className="text-small text-muted">{files.join(', ')}</p>}
        {problem && <p className="text-small text-red">Not sent: {problem}</p>}
      </div>
      {isOwn && (
        <span className="flex shrink-0">
          {problem && (
            <IconButton
              label="Try again"
              size="small"
              icon={<RotateCw aria-hidden />}
              busy={change.isPending}
              onClick={() => change.mutate({ params, body: { text } }, { onError })}
            />
          )}
          <IconButton label="Edit" size="small" icon={<Pencil aria-hidden />} onClick={() => setEditing(true)} />
          <IconButton
            label="Remove"
            size="small"
            icon={<X aria-hidden />}
            busy={remove.isPending}
            onClick={() => remove.mutate({ params }, { onError })}
          />
        </span>
      )}
    </article>
  )
}
