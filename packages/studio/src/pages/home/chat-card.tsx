import { Cpu, FolderGit2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useModelList } from '../../data/model.ts'
import { useRight } from '../../data/rights.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

// what writes a message is not part of the first load
const StartChat = lazy(async () => ({ default: (await import('../chat/start-chat.tsx')).StartChat }))

/** With a model one chats at once; without one the first steps lead elsewhere, and say how to get one. */
export function ChatCard() {
  const models = useModelList()
  const mayAdd = useRight('admin', 'add models').may
  // what cannot be known does not stand in the way: sending will say what is wrong
  if (!models.data && !models.error) return <Skeleton className="h-28" />
  if (models.data?.defaultModel === null) {
    return (
      <Card
        title="Start with the sample workspace"
        description="Files, notes and programs to read, run and change. It works without a model."
      >
        <div className="flex flex-col items-start gap-4">
          <LinkButton to="/workspaces" look="primary">
            <FolderGit2 aria-hidden /> Open workspaces
          </LinkButton>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-4 text-dense text-muted">
            <span className="min-w-60 flex-1">
              To talk to agents, add a model:{' '}
              {mayAdd
                ? 'store a key of Anthropic, OpenAI, Google or a server of your own, or start Ollama on this machine.'
                : 'ask an admin of the team, or start Ollama on this machine.'}
            </span>
            {mayAdd && (
              <LinkButton to="/settings/models">
                <Cpu aria-hidden /> Add a model
              </LinkButton>
            )}
          </div>
        </div>
      </Card>
    )
  }
  return (
    <Suspense fallback={<Skeleton className="h-24" />}>
      <StartChat />
    </Suspense>
  )
}
