import type { Message, MessagePart, Turn } from '@coherex/contract'
import { Bot, Ellipsis, RefreshCw, Undo2 } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import { Markdown } from '../../../markdown/markdown.tsx'
import { BesideContext, useBeside } from '../../../ui/beside/beside.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { messageText } from './message-text.ts'
import { SaidBetween } from './said-between.tsx'
import { speaksForItself } from './tool/speaks-for-itself.ts'
import { ToolCall } from './tool/tool-call.tsx'
import { isToolPart } from './tool/tool-words.ts'
import { ChangedFiles } from './turn/changed-files.tsx'
import { TurnEnd } from './turn/turn-end.tsx'
import { TurnUse } from './turn/turn-use.tsx'

// most answers have nothing to run
const MessageBlocks = lazy(async () => (await import('../../../artifact/load-blocks.ts')).loadBlocks())

const UndoTurnDialog = lazy(async () => ({ default: (await import('./turn/undo-turn-dialog.tsx')).UndoTurnDialog }))

interface AssistantMessageProps {
  threadId: string
  message: Message
  /** Turns that wrote it, newest first. */
  turns: readonly Turn[]
  /** It is being written. */
  isLive: boolean
  isLocked: boolean
  /** Where its proposals wait. */
  workspaceId: string | null
  onRegenerate: (messageId: string) => void
  onContinue: (turnId: string) => void
  onShow: (messageId: string) => void
}

export function AssistantMessage(props: AssistantMessageProps) {
  const { threadId, message, turns, isLive, isLocked, workspaceId, onRegenerate, onContinue, onShow } = props
  const durations = new Map(turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(durationOf))))
  const [last] = turns
  const [isUndoing, setUndoing] = useState(false)
  const beside = useBeside()
  const text = messageText(message)
  const parts = message.parts.map((part, index) => (
    <PartView
      key={index}
      part={part}
      index={index}
      threadId={threadId}
      messageId={message.id}
      isLive={isLive}
      workspaceId={workspaceId}
      durationMs={durations.get(String(part['toolCallId'] ?? ''))}
    />
  ))
  return (
    <article aria-label={`Answer of ${message.createdBy.name}`} className="group/message flex gap-3">
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-md bg-accent-soft text-accent-text"
      >
        <Bot className="size-4" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <header className="flex h-7 items-center gap-2 text-dense">
          <span className="font-medium">{message.createdBy.name}</span>
          <span className="text-small text-muted">
            <Time at={message.createdAt} />
          </span>
        </header>
        {!isLive && text.includes('```') ? (
          // code that grows, or is about to become a block, is opened beside once it is that
          <Suspense fallback={<BesideContext value={undefined}>{parts}</BesideContext>}>
            <MessageBlocks threadId={threadId} message={message}>
              {parts}
            </MessageBlocks>
          </Suspense>
        ) : (
          // the same element when the answer is done: its calls keep what was opened in them
          <BesideContext value={isLive ? undefined : beside}>{parts}</BesideContext>
        )}
        <ChangedFiles parts={message.parts} workspaceId={workspaceId} turnId={isLive ? undefined : last?.id} />
        {!isLive && last?.ending && !speaksForItself(last, message.parts) && (
          <TurnEnd ending={last.ending} isLocked={isLocked} onContinue={() => onContinue(last.id)} />
        )}
        {!isLive && (
          <footer className="-ml-1.5 flex min-h-7 flex-wrap items-start gap-x-0.5">
            <BranchSwitch message={message} disabled={isLocked} onShow={onShow} />
            <CopyButton text={text} />
            {!isLocked && (
              <Menu
                align="start"
                trigger={<IconButton label="More for this answer" size="small" icon={<Ellipsis aria-hidden />} />}
              >
                <MenuItem
                  icon={<RefreshCw aria-hidden />}
                  hint="As another version. It may repeat everything it did."
                  onSelect={() => onRegenerate(message.id)}
                >
                  Answer again
                </MenuItem>
                {last && (
                  <MenuItem
                    icon={<Undo2 aria-hidden />}
                    hint="Restores the files and returns to before the question."
                    onSelect={() => setUndoing(true)}
                  >
                    Undo this answer
                  </MenuItem>
                )}
              </Menu>
            )}
            {turns.length > 0 && <TurnUse turns={turns} />}
          </footer>
        )}
        {isUndoing && last && (
          <Suspense>
            <UndoTurnDialog turnId={last.id} onClose={() => setUndoing(false)} onShow={() => onShow(message.id)} />
          </Suspense>
        )}
      </div>
    </article>
  )
}

function durationOf({ id, durationMs }: Turn['steps'][number]['calls'][number]) {
  return [id, durationMs] as const
}

interface PartViewProps {
  part: MessagePart
  /** Among the parts of the message. */
  index: number
  threadId: string
  messageId: string
  isLive: boolean
  workspaceId: string | null
  durationMs: number | null | undefined
}

// parts that are done keep their identity while the rest of the answer grows
const PartView = memo(({ part, index, ...call }: PartViewProps) => {
  if (part.type === 'text') return <Markdown text={String(part['text'])} part={index} />
  if (part.type === 'reasoning') return <Reasoning text={String(part['text'])} />
  if (part.type === 'data-said') return <SaidBetween part={part} />
  if (isToolPart(part)) return <ToolCall part={part} {...call} />
  if (part.type === 'file' && /^data:image\/(?:png|jpeg|gif|webp);/.test(String(part['url']))) {
    return <img src={String(part['url'])} alt="Made by the agent" className="max-h-160 max-w-full rounded-md" />
  }
  return null
})

function Reasoning({ text }: { text: string }) {
  if (text.trim() === '') return null
  return (
    <details className="text-dense text-muted">
      <summary className="w-fit cursor-pointer rounded-sm">Thoughts</summary>
      <p className="mt-1 border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap">{text}</p>
    </details>
  )
}
