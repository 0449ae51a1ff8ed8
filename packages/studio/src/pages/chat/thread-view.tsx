import { CoherexError } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useModelList } from '../../data/library/model.ts'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { turnsQuery } from '../../data/thread/turn-list.ts'
import { useTurnStop } from '../../data/thread/turn-stop.ts'
import { NotFound } from '../../shell/not-found-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { useChatDock } from './chat-dock.ts'
import { Composer } from './composer/composer.tsx'
import { ThreadBench } from './dock/thread-bench.tsx'
import { ActivityLine } from './live/activity-line.tsx'
import { useLiveThread } from './live/use-live-thread.ts'
import { MessageList } from './message-list.tsx'
import { NoModel } from './no-model.tsx'
import { PendingApprovals } from './pending-approvals.tsx'
import { threadTitle } from './thread-words.ts'
import { tellFailure, useThreadActions } from './use-thread-actions.ts'

// one can read and write before there is a menu to choose from
const ModelPicker = lazy(async () => ({ default: (await import('./composer/model-picker.tsx')).ModelPicker }))
const WorkspacePicker = lazy(async () => ({
  default: (await import('./composer/workspace-picker.tsx')).WorkspacePicker,
}))

// most conversations have none
const QueuedMessages = lazy(async () => ({ default: (await import('./queued-messages.tsx')).QueuedMessages }))

interface ThreadViewProps {
  id: string
  /** What is said comes from elsewhere. */
  isWatched?: boolean
}

/** A conversation: what was said, what is being said, and where to say more. */
export function ThreadView({ id, isWatched = false }: ThreadViewProps) {
  const { query, thread, turnId, messages, retry, isLost } = useLiveThread(id)
  const turns = useQuery(turnsQuery(id)).data?.items
  const models = useModelList().data
  const right = useRight('editor', 'chat with agents')
  const { speak, saying, saidCount, isSaying, actions } = useThreadActions(id)
  const stop = useTurnStop()
  const change = useThreadChange()
  const roomy = useIsRoomy()
  const dock = useChatDock()
  usePageTitle(dock ? undefined : thread ? threadTitle(thread) : 'Chat')

  // also one that was on the screen a moment ago, and is private to someone else now
  if (query.error instanceof CoherexError && query.error.code === 'not_found') return <NotFound />
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

  const isBusy = turnId !== undefined
  const conversation = (
    <>
      <MessageList
        thread={thread}
        messages={messages}
        turns={turns}
        isBusy={isBusy}
        isLocked={isBusy || !right.may}
        actions={actions}
        saidCount={saidCount}
      >
        {messages.length === 0 && saying === undefined && (
          <p className="py-10 text-center text-dense text-muted">Send {thread.agent} its first message.</p>
        )}
        {saying !== undefined && <p className="pl-10 whitespace-pre-wrap text-muted">{saying}</p>}
        <PendingApprovals threadId={id} />
        {isBusy && (
          <ActivityLine
            thread={thread}
            turn={turns?.find((one) => one.id === turnId)}
            parts={messages.at(-1)?.parts ?? []}
            isLost={isLost}
            retry={retry}
          />
        )}
        {thread.queued.length > 0 && (
          <Suspense>
            <QueuedMessages threadId={id} activity={thread.activity} queued={thread.queued} />
          </Suspense>
        )}
      </MessageList>
      {!isWatched && (
        <div className="mx-auto w-full max-w-200 shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-2">
          {models && models.defaultModel === null && !thread.model && <NoModel />}
          <Composer
            key={id}
            draftName={id}
            label="Message"
            placeholder={right.why ?? `Ask ${thread.agent}`}
            why={right.why}
            busy={isSaying}
            workspaceId={thread.workspaceId}
            filePlace={thread.workspaceId === null ? 'to the sandbox' : 'to the workspace'}
            autoFocus={roomy && !dock}
            onStop={
              isBusy && right.may
                ? () => stop.mutate({ params: { id: turnId } }, { onError: tellFailure('Could not stop the agent') })
                : undefined
            }
            onSend={(said) => speak(said)}
          >
            <Suspense fallback={<span className="h-7" />}>
              {!dock && (
                <WorkspacePicker
                  value={thread.workspaceId}
                  disabled={!right.may}
                  onChange={(workspaceId) =>
                    change.mutate(
                      { params: { id }, body: { workspaceId } },
                      { onError: tellFailure('Could not change the workspace') },
                    )
                  }
                />
              )}
              <ModelPicker
                value={thread.model}
                disabled={!right.may}
                onChange={(model) =>
                  change.mutate(
                    { params: { id }, body: { model } },
                    { onError: tellFailure('Could not change the model') },
                  )
                }
              />
            </Suspense>
          </Composer>
        </div>
      )}
    </>
  )
  if (dock) return conversation
  return (
    <ThreadBench thread={thread} messages={messages} turns={turns} isBusy={isBusy}>
      {conversation}
    </ThreadBench>
  )
}
