import { useSearch } from '@tanstack/react-router'
import { useModelList } from '../../data/library/model.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { ChatFrame } from './chat-frame.tsx'
import { ThreadList } from './list/thread-list.tsx'
import { NoModel } from './no-model.tsx'
import { StartChat } from './start-chat.tsx'

/** Where conversations begin; on narrow screens their list is below. */
export function ChatPage() {
  const { agent } = useSearch({ from: '/shell/team-places/threads' })
  const models = useModelList().data
  const roomy = useIsRoomy()
  usePageTitle('Chat')
  return (
    <ChatFrame>
      <div className="mx-auto flex w-full max-w-200 flex-col px-4 lg:flex-1 lg:justify-center lg:pb-24 max-lg:pt-6">
        <h1 className="mb-4 text-title font-semibold tracking-[-0.01em] lg:text-center">What should an agent do?</h1>
        {models?.defaultModel === null && <NoModel />}
        <StartChat key={agent} agent={agent} autoFocus={roomy} />
        <p className="mt-2 text-small text-muted max-md:hidden lg:text-center">
          Enter sends, Shift Enter starts a new line. Only you see the conversation until you share it with the team.
        </p>
      </div>
      {!roomy && (
        <div className="mt-6 flex min-h-0 flex-1 flex-col border-t border-line">
          <ThreadList />
        </div>
      )}
    </ChatFrame>
  )
}
