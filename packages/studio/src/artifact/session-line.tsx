import type { Run } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { artifactsQuery } from '../data/artifact.ts'
import { useSandboxVariables } from '../data/sandbox.ts'

const SessionDialog = lazy(async () => ({ default: (await import('./session-dialog.tsx')).SessionDialog }))

interface SessionLineProps {
  threadId: string
  /** A run on the server that has ended. */
  run: Run & { sandboxId: string }
  /** Of the language. */
  name: string
  /** Why one may not reset it. */
  why: string | undefined
}

/** Languages whose variables go on to the next block. */
const kept: readonly string[] = ['python', 'javascript', 'typescript', 'bash', 'sql', 'r']

export function hasSession(run: Run): run is Run & { sandboxId: string } {
  return run.sandboxId !== undefined && run.endedAt !== null && kept.includes(run.language)
}

/** The session that a block ran in, and how much is in it. All blocks of the language in a conversation say the same. */
export function SessionLine({ threadId, run, name, why }: SessionLineProps) {
  const { data: artifacts = [] } = useQuery(artifactsQuery(threadId))
  const runs = artifacts.flatMap(({ language, runId }) => (language === run.language && runId !== null ? [runId] : []))
  const after = [...runs, run.id].toSorted().at(-1)
  const session = { id: run.sandboxId, context: run.language, after }
  const { data } = useSandboxVariables(session.id, session.context, after)
  const [isOpen, setOpen] = useState(false)
  const count = data?.items.length
  return (
    <div className="flex items-center border-t border-line px-1 py-0.5 text-small text-muted">
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="inline-flex items-center gap-1.5 rounded-sm px-2 py-0.5 hover:bg-hover hover:text-text"
      >
        <Braces aria-hidden className="size-3.5" />
        {name} session{count !== undefined && ` · ${count} ${count === 1 ? 'variable' : 'variables'}`}
      </button>
      {isOpen && (
        <Suspense>
          <SessionDialog session={session} name={name} why={why} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
