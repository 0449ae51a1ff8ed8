import { useSearch } from '@tanstack/react-router'
import { useModelList } from '../../data/model.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { ChatFrame } from './chat-frame.tsx'
import { NoModel } from './no-model.tsx'
import { StartChat } from './start-chat.tsx'
import { ThreadList } from './thread-list.tsx'

/** Where conversations begin; on narrow screens their list is below. */
export function ChatPage() {
  const { agent } = useSearch({ from: '/shell/team-places/threads' })
  const models = useModelList().data
  const roomy = useIsRoomy()
  usePageTitle('Chat')
  return (
    <ChatFrame>
      <div className="mx-auto flex w-full max-w-200 flex-col px-4 lg:flex-1 lg:justify-center lg:pb-24 max-lg:pt-6">
        <h1 className="mb-4 text-title font-semibold tracking-[-0.01em] lg:text-center">What should be done?</h1>
        {models?.defaultModel === null && <NoModel />}
        <StartChat key={agent} agent={agent} autoFocus={roomy} />
        <p className="mt-2 text-small text-muted max-md:hidden lg:text-center">
          Enter sends, Shift with Enter breaks the line. Everyone in the team can watch and join.
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
