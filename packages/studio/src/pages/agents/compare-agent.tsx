import type { Agent } from '@coherex/contract'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useThreadCreate } from '../../data/thread/thread-create.ts'
import { useThreadSay } from '../../data/thread/thread-say.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { ChatDockContext } from '../chat/chat-dock.ts'
import { Composer, type Said } from '../chat/composer/composer.tsx'
import { ThreadView } from '../chat/thread-view.tsx'
import type { EditorState } from './agent-editor.tsx'

interface Pair {
  saved: string
  unsaved: string
}

/** The same question to the saved definition and to the one that is being written, side by side. */
export function CompareAgent({ agent, state }: { agent: Agent; state: EditorState }) {
  const { name, version, isBuiltIn } = agent
  const right = useRight('editor', 'chat with agents')
  const create = useThreadCreate()
  const say = useThreadSay()
  const [pair, setPair] = useState<Pair>()
  const why = right.why ?? whyNot(state)

  async function ask(said: Said): Promise<boolean> {
    const { attachments = [], ...message } = said
    // an uploaded file belongs to one message
    if (attachments.length > 0) {
      toast({ title: 'Only text and images can be asked of both', tone: 'error' })
      return false
    }
    try {
      if (pair) {
        await Promise.all(
          [pair.saved, pair.unsaved].map((id) =>
            say.mutateAsync({ params: { id }, query: { wait: 'false' }, body: message }),
          ),
        )
        return true
      }
      const [saved, unsaved] = await Promise.all([
        create.mutateAsync({ body: { agent: name, message } }),
        create.mutateAsync({ body: { definition: state.source, message } }),
      ])
      setPair({ saved: saved.id, unsaved: unsaved.id })
      return true
    } catch (error) {
      toast({ title: 'Could not ask both', description: (error as Error).message, tone: 'error' })
      return false
    }
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="grid min-h-0 flex-1 grid-cols-2 divide-x divide-line max-md:grid-cols-1 max-md:divide-x-0 max-md:overflow-y-auto">
        <Side title={isBuiltIn ? 'Built in' : `Version ${version}`} agent={name} threadId={pair?.saved} />
        <Side title="Unsaved changes" agent={name} threadId={pair?.unsaved} />
      </div>
      <div className="mx-auto w-full max-w-200 shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-2">
        <Composer
          draftName={`compare.${name}`}
          label="Message to both"
          placeholder={why ?? 'Ask both the same question'}
          why={why}
          busy={create.isPending || say.isPending}
          onSend={ask}
        >
          {pair && (
            <Button look="quiet" size="small" icon={<RotateCcw aria-hidden />} onClick={() => setPair(undefined)}>
              Start again with the changes of now
            </Button>
          )}
        </Composer>
      </div>
    </div>
  )
}

function whyNot({ isChanged, isValid }: EditorState): string | undefined {
  if (!isChanged) return 'Change the definition to compare it with the saved one'
  return isValid ? undefined : 'Fix the definition first: it is not valid'
}

interface SideProps {
  title: string
  agent: string
  threadId: string | undefined
}

function Side({ title, agent, threadId }: SideProps) {
  return (
    <section aria-label={title} className="flex min-h-0 flex-col max-md:min-h-80">
      <h3 className="shrink-0 border-b border-line px-4 py-2 text-dense font-medium">{title}</h3>
      {threadId ? (
        <ChatDockContext
          value={{ about: { agent }, onBegun: () => undefined, openFile: undefined, onLeaveOut: () => undefined }}
        >
          <ThreadView key={threadId} id={threadId} isWatched />
        </ChatDockContext>
      ) : (
        <p className="m-auto px-4 text-center text-dense text-pretty text-muted">Its answer stands here.</p>
      )}
    </section>
  )
}
