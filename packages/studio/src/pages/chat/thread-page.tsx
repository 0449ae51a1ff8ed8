import { useParams } from '@tanstack/react-router'
import { ChatFrame } from './chat-frame.tsx'
import { ThreadView } from './thread-view.tsx'

export function ThreadPage() {
  const { id } = useParams({ from: '/shell/team-places/threads/$id' })
  return (
    <ChatFrame>
      <ThreadView key={id} id={id} />
    </ChatFrame>
  )
}
