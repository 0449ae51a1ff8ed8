import type { Message, Thread, Turn } from '@coherex/contract'
import { ArrowDown } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { AssistantMessage } from './message/assistant-message.tsx'
import { UserMessage } from './message/user-message.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'
import { useTail } from './use-tail.ts'

/** What a reader can do with a message. The same functions each time: a message is drawn again only when it changes. */
export interface MessageActions {
  edit: (message: Message, text: string) => Promise<boolean>
  show: (messageId: string) => void
  regenerate: (messageId: string) => void
  continue: (turnId: string) => void
}

interface MessageListProps {
  thread: Thread
  /** Of the thread, with the answer that is being written. */
  messages: readonly Message[]
  turns: readonly Turn[] | undefined
  isBusy: boolean
  isLocked: boolean
  actions: MessageActions
  /** Changes when the reader said something, which goes on at the end. */
  saidCount: number
  /** What comes after the last message. */
  children: ReactNode
}

const noTurns: readonly Turn[] = []

/** What was said, the end in sight unless the reader went up. */
export function MessageList(props: MessageListProps) {
  const { thread, messages, turns, isBusy, isLocked, actions, saidCount, children } = props
  const { frame, goToEnd, away } = useStickToEnd(messages, saidCount)
  const shown = useTail(messages, frame)
  const byAnswer = useMemo(() => Map.groupBy(turns ?? [], ({ answerId }) => answerId), [turns])
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={frame}
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div className="mx-auto flex w-full max-w-200 flex-col gap-5 px-4 py-6">
          {shown.length < messages.length && (
            <p className="text-center text-small text-muted">{messages.length - shown.length} earlier messages</p>
          )}
          {shown.map((message) => {
            const isLast = message === messages.at(-1)
            return (
              <div
                key={message.id}
                id={message.id}
                data-message
                // the browser skips what is out of sight; the last one grows, and is always drawn
                className={isLast ? '' : '[contain-intrinsic-size:auto_160px] [content-visibility:auto]'}
              >
                <OneMessage
                  message={message}
                  turns={byAnswer.get(message.id) ?? noTurns}
                  isLive={isBusy && isLast}
                  isLocked={isLocked}
                  threadId={thread.id}
                  workspaceId={thread.workspaceId}
                  actions={actions}
                />
              </div>
            )
          })}
          {children}
        </div>
      </div>
      {away !== 'here' && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="small"
            className="pointer-events-auto shadow-float"
            icon={<ArrowDown aria-hidden />}
            onClick={goToEnd}
          >
            {away === 'new' ? 'New text below' : 'Jump to latest'}
          </Button>
        </div>
      )}
    </div>
  )
}

interface OneMessageProps {
  threadId: string
  message: Message
  turns: readonly Turn[]
  isLive: boolean
  isLocked: boolean
  workspaceId: string | null
  actions: MessageActions
}

const OneMessage = memo(({ threadId, message, turns, isLive, isLocked, workspaceId, actions }: OneMessageProps) => {
  if (message.role === 'user') {
    const { edit, show } = actions
    return <UserMessage threadId={threadId} message={message} isLocked={isLocked} onEdit={edit} onShow={show} />
  }
  return (
    <AssistantMessage
      threadId={threadId}
      message={message}
      turns={turns}
      isLive={isLive}
      isLocked={isLocked}
      workspaceId={workspaceId}
      onShow={actions.show}
      onRegenerate={actions.regenerate}
      onContinue={actions.continue}
    />
  )
}, isSame)

/** Turns are gathered anew for each answer; the same ones make the same message. */
function isSame(before: OneMessageProps, now: OneMessageProps): boolean {
  const { turns, ...rest } = now
  return (
    turns.length === before.turns.length &&
    turns.every((turn, index) => turn === before.turns[index]) &&
    Object.entries(rest).every(([name, value]) => before[name as keyof OneMessageProps] === value)
  )
}
