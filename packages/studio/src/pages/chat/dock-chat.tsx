import type { ThreadSummary } from '@coherex/contract'
import { ExternalLink, MessageSquarePlus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useModelList } from '../../data/library/model.ts'
import { useThreadList } from '../../data/thread/thread-list.ts'
import type { SelectedLines } from '../../editor/code-editor.tsx'
import { Select } from '../../ui/field/select.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { ChatDockContext, subjectKey, type ChatSubject } from './chat-dock.ts'
import { NoModel } from './no-model.tsx'
import { StartChat } from './start-chat.tsx'
import { ThreadView } from './thread-view.tsx'
import { threadTitle } from './thread-words.ts'

const newChat = 'new'

interface DockChatProps {
  about: ChatSubject
  openFile?: string | undefined
  selected?: SelectedLines | undefined
  /** Shown until something is said. */
  children: ReactNode
}

/** A conversation beside the work it is about, with those before it to choose from. */
export function DockChat({ about, openFile, selected, children }: DockChatProps) {
  const key = `draft.thread.${subjectKey(about)}`
  const [threadId, setThread] = useState(() => readOwn(key))
  const [leftOut, setLeftOut] = useState<string>()
  const [leftOutLines, setLeftOutLines] = useState<SelectedLines>()
  const models = useModelList().data
  const threads = useThreadList(narrowTo(about)).items?.filter((thread) => isAbout(thread, about)) ?? []

  function show(id: string | undefined) {
    setThread(id)
    writeOwn(key, id)
  }
  const choices = threads.map((thread) => ({ value: thread.id as string, label: labelOf(thread, about) }))
  const isListed = threadId === undefined || choices.some(({ value }) => value === threadId)
  return (
    <ChatDockContext
      value={{
        about,
        onBegun: show,
        openFile: openFile === leftOut ? undefined : openFile,
        onLeaveOut: () => setLeftOut(openFile),
        selected: openFile === leftOut || selected === leftOutLines ? undefined : selected,
        onLeaveOutLines: () => setLeftOutLines(selected),
      }}
    >
      <div className="flex shrink-0 items-center gap-1 border-b border-line bg-canvas px-2 py-1">
        <Select
          label="Conversation"
          size="small"
          className="min-w-0 flex-1"
          value={threadId ?? newChat}
          choices={[
            { value: newChat, label: 'New chat' },
            ...(isListed ? [] : [{ value: threadId, label: 'This conversation' }]),
            ...choices,
          ]}
          onChange={(next) => show(next === newChat ? undefined : next)}
        />
        <IconButton
          label="New chat"
          size="small"
          className="w-7!"
          icon={<MessageSquarePlus aria-hidden />}
          onClick={() => show(undefined)}
        />
        {threadId && (
          <Tooltip text="Open in Chat">
            <LinkButton to="/threads/$id" params={{ id: threadId }} look="quiet" aria-label="Open in Chat">
              <ExternalLink aria-hidden />
            </LinkButton>
          </Tooltip>
        )}
      </div>
      {threadId ? (
        <ThreadView key={threadId} id={threadId} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-end gap-3 overflow-y-auto p-3">
          <div className="my-auto px-4 text-center text-dense text-pretty text-muted">{children}</div>
          {models?.defaultModel === null && <NoModel />}
          <StartChat agent={'agent' in about ? about.agent : undefined} />
        </div>
      )}
    </ChatDockContext>
  )
}

/** Asked of the server, so that older conversations are found too. */
const narrowTo = (about: ChatSubject) =>
  'agent' in about ? { agent: about.agent } : 'workspaceId' in about ? { workspaceId: about.workspaceId } : {}

function isAbout({ agent, skill, workspaceId, triesDefinition }: ThreadSummary, about: ChatSubject): boolean {
  if ('agent' in about) return agent === about.agent && triesDefinition === (about.definition !== undefined)
  return 'skill' in about ? skill?.name === about.skill.name : workspaceId === about.workspaceId
}

function labelOf(thread: ThreadSummary, about: ChatSubject): string {
  const title = threadTitle(thread)
  return 'skill' in about && thread.skill ? `${title} · version ${thread.skill.version}` : title
}
