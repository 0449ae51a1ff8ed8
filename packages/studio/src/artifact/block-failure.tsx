import type { RunError } from '@coherex/contract'
import { Server, Wrench } from 'lucide-react'
import { useThreadSay } from '../data/thread/thread-say.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast/toast.ts'

interface BlockFailureProps {
  threadId: string
  block: { name: string; title: string | null; language: string; code: string }
  error: RunError
  mayAct: boolean
  /** Why it may go well on the server. */
  needsServer: string | undefined
  /** What failed is still being saved. */
  isSaving: boolean
  onServer: () => void
}

/** What to do about a block that failed: run it on the server, or ask the agent. */
export function BlockFailure({ threadId, block, error, mayAct, needsServer, isSaving, onServer }: BlockFailureProps) {
  const say = useThreadSay()
  function ask() {
    const { name, title, language, code } = block
    const text = `The ${name} block${title ? ` “${title}”` : ''} failed${error.line ? ` in line ${error.line}` : ''}: ${error.message}\n\nPlease fix it:\n\n\`\`\`${language}\n${code}\n\`\`\``
    say.mutate(
      { params: { id: threadId }, query: { wait: 'false' }, body: { text } },
      { onError: (why) => toast({ title: 'Could not ask the agent', description: why.message, tone: 'error' }) },
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-1.5 text-dense text-muted">
      {needsServer !== undefined && (
        <>
          <span className="min-w-0 flex-1">{needsServer}</span>
          <Button size="small" icon={<Server aria-hidden />} disabled={!mayAct || isSaving} onClick={onServer}>
            Run on the server
          </Button>
        </>
      )}
      <Button
        size="small"
        look="quiet"
        icon={<Wrench aria-hidden />}
        disabled={!mayAct}
        busy={say.isPending}
        onClick={ask}
      >
        Ask the agent to fix it
      </Button>
    </div>
  )
}
