import { formatDuration, type Message, type Turn } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Pin } from 'lucide-react'
import { useState } from 'react'
import { useModelList } from '../../data/model.ts'
import { useRight } from '../../data/rights.ts'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { useThreadRegenerate } from '../../data/thread/thread-regenerate.ts'
import { useThreadSay } from '../../data/thread/thread-say.ts'
import { useTurnContinue } from '../../data/thread/turn-continue.ts'
import { turnsQuery } from '../../data/thread/turn-list.ts'
import { useTurnStop } from '../../data/thread/turn-stop.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { toast } from '../../ui/toast.ts'
import { formatCost, formatTokens } from '../../words/tokens.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { Composer, type Said } from './composer.tsx'
import { DraftPanel } from './draft-panel.tsx'
import { AssistantMessage } from './message/assistant-message.tsx'
import { latestDraft } from './message/tool-results.ts'
import { UserMessage } from './message/user-message.tsx'
import { ModelPicker } from './model-picker.tsx'
import { NoModel } from './no-model.tsx'
import { PendingApprovals } from './pending-approvals.tsx'
import { ThreadActions } from './thread-actions.tsx'
import { activityLine, threadTitle } from './thread-words.ts'
import { ThreadWorkspace } from './thread-workspace.tsx'
import { useLiveThread } from './use-live-thread.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

/** A conversation: what was said, what is being said, and where to say more. */
export function ThreadView({ id }: { id: string }) {
  const { query, thread, turnId, messages, retry, isLost } = useLiveThread(id)
  const turns = useQuery(turnsQuery(id)).data?.items
  const models = useModelList().data
  const right = useRight('editor', 'talk to agents')
  const say = useThreadSay()
  const regenerate = useThreadRegenerate()
  const goOn = useTurnContinue()
  const stop = useTurnStop()
  const change = useThreadChange()
  const roomy = useIsRoomy()
  const [saying, setSaying] = useState<string>()
  const { frame, goToEnd } = useStickToEnd([messages, saying, turnId])
  usePageTitle(thread ? threadTitle(thread) : 'Chat')

  if (query.error && !thread) {
    return <ErrorState doing="open the conversation" error={query.error} onRetry={() => void query.refetch()} />
  }
  if (!thread)
    return (
      <WaitingLines
        label="Loading the conversation"
        className="mx-auto max-w-200 gap-6 px-4 py-20"
        lines={['h-4 w-72', 'h-4 w-full', 'h-4 w-96', 'h-4 w-80']}
      />
    )

  const draft = thread.agent === 'builder' ? latestDraft(messages) : undefined
  const isBusy = turnId !== undefined
  const turn = turns?.find((one) => one.id === turnId)
  const isLocked = isBusy || !right.may
  const params = { id }
  const noWait = { wait: 'false' as const }
  const tellFailure = (title: string) => (error: Error) => toast({ title, description: error.message, tone: 'error' })

  async function speak({ text, files }: Said, parentId?: string | null): Promise<boolean> {
    setSaying(text)
    goToEnd()
    const body = { text, ...(files.length > 0 && { files }), ...(parentId !== undefined && { parentId }) }
    try {
      await say.mutateAsync({ params, query: noWait, body })
      return true
    } catch (error) {
      tellFailure('It was not said')(error as Error)
      return false
    } finally {
      setSaying(undefined)
    }
  }
  // images of a message stay with it when its words change
  const edit = (message: Message, text: string) => speak({ text, files: filesOf(message) }, message.parentId)
  const show = (head: string) =>
    change.mutate({ params, body: { head } }, { onError: tellFailure('The other version cannot be shown') })

  return (
    <SplitPane
      name="builder"
      direction="row"
      secondLabel="Definition"
      initial={0.42}
      second={draft && roomy && <DraftPanel draft={draft} />}
    >
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4">
        <Link
          to="/threads"
          aria-label="All conversations"
          className="rounded-md p-1 text-muted hover:bg-hover lg:hidden"
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="flex items-center gap-1.5 text-body font-semibold">
            {thread.pinned && <Pin aria-label="Pinned" className="size-3.5 shrink-0 text-muted" />}
            <span className="truncate">{threadTitle(thread)}</span>
          </h1>
          <p className="truncate text-small text-muted tabular">
            {thread.agent}
            {thread.workspaceId && <ThreadWorkspace id={thread.workspaceId} />}
            {` · ${formatTokens(thread.use.inputTokens + thread.use.outputTokens)} tokens`}
            {` · ${formatCost(thread.use.costUsd)} · ${formatDuration(thread.use.durationMs)}`}
          </p>
        </div>
        <ThreadActions thread={thread} headId={thread.messages.at(-1)?.id} />
      </header>
      <div
        ref={frame}
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div className="mx-auto flex w-full max-w-200 flex-col gap-5 px-4 py-6">
          {messages.length === 0 && saying === undefined && (
            <p className="py-10 text-center text-dense text-muted">Say what {thread.agent} should do.</p>
          )}
          {messages.map((message) =>
            message.role === 'user' ? (
              <UserMessage key={message.id} message={message} isLocked={isLocked} onEdit={edit} onShow={show} />
            ) : (
              <AssistantMessage
                key={message.id}
                message={message}
                turns={turnsOf(turns, message)}
                isLive={isBusy && message === messages.at(-1)}
                isLocked={isLocked}
                workspaceId={thread.workspaceId}
                onShow={show}
                onRegenerate={(messageId) => {
                  goToEnd()
                  regenerate.mutate(
                    { params: { id, messageId }, query: noWait, body: {} },
                    { onError: tellFailure('It cannot be answered again') },
                  )
                }}
                onContinue={(turn) => {
                  goToEnd()
                  goOn.mutate({ params: { id: turn }, query: noWait }, { onError: tellFailure('It cannot go on') })
                }}
              />
            ),
          )}
          {saying !== undefined && <p className="pl-10 whitespace-pre-wrap text-muted">{saying}</p>}
          {isBusy && <PendingApprovals threadId={id} />}
          {isBusy && (
            <p role="status" className="flex items-center gap-2 pl-10 text-dense text-muted">
              <ActivityIcon activity={thread.activity} />
              {isLost
                ? 'The line is lost. Trying again…'
                : retry
                  ? `${retry.reason}. Trying again, attempt ${retry.attempt + 1}…`
                  : `${activityLine(thread.activity, turn)}…`}
            </p>
          )}
        </div>
      </div>
      <div className="mx-auto w-full max-w-200 shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-2">
        {models && models.defaultModel === null && !thread.model && <NoModel />}
        <Composer
          key={id}
          draftName={id}
          label="Message"
          placeholder={right.why ?? `Ask ${thread.agent}`}
          why={right.why}
          busy={say.isPending}
          autoFocus={roomy}
          onStop={
            isBusy && right.may
              ? () => stop.mutate({ params: { id: turnId } }, { onError: tellFailure('It could not be stopped') })
              : undefined
          }
          onSend={(said) => speak(said)}
        >
          <ModelPicker
            value={thread.model}
            disabled={!right.may}
            onChange={(model) =>
              change.mutate({ params, body: { model } }, { onError: tellFailure('The model cannot be changed') })
            }
          />
        </Composer>
      </div>
    </SplitPane>
  )
}

function turnsOf(turns: readonly Turn[] | undefined, { id }: Message): readonly Turn[] {
  return turns?.filter(({ answerId }) => answerId === id) ?? []
}

function filesOf({ parts }: Message): Said['files'] {
  return parts.flatMap((part) => {
    const [, mediaType, base64] = /^data:(image\/\w+);base64,(.+)$/.exec(String(part['url'] ?? '')) ?? []
    return part.type === 'file' && mediaType && base64
      ? [{ name: String(part['filename'] ?? 'image'), mediaType, base64 }]
      : []
  })
}
