import type { Run } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { artifactsQuery } from '../data/artifact.ts'
import { useSandboxVariables, type VariableReader } from '../data/sandbox.ts'

const SessionDialog = lazy(async () => ({ default: (await import('./session-dialog.tsx')).SessionDialog }))

/** Languages whose variables go on to the next block. */
const kept: readonly string[] = ['python', 'javascript', 'typescript', 'bash', 'sql', 'r']

export function hasSession(run: Run): run is Run & { sandboxId: string } {
  return run.sandboxId !== undefined && run.endedAt !== null && kept.includes(run.language)
}

interface SessionLineProps {
  threadId: string
  /** A run on the server that has ended. */
  run: Run & { sandboxId: string }
  /** Of the language. */
  name: string
  /** Why one may not reset it. */
  why: string | undefined
}

/** The session that a block ran in, and how much is in it. All blocks of the language in a conversation say the same. */
export function SessionLine({ threadId, run, name, why }: SessionLineProps) {
  const { data: artifacts = [] } = useQuery(artifactsQuery(threadId))
  const runs = artifacts.flatMap(({ language, runId }) => (language === run.language && runId !== null ? [runId] : []))
  const after = [...runs, run.id].toSorted().at(-1)
  return <Line session={{ id: run.sandboxId, context: run.language, after }} name={name} why={why} />
}

interface BrowserSessionLineProps {
  threadId: string
  /** A run in this browser that has ended. */
  run: Run
  name: string
  onForget: () => Promise<void>
}

/** The session of a language in this browser. */
export function BrowserSessionLine({ threadId, run: { language, endedAt }, name, onForget }: BrowserSessionLineProps) {
  const reader = useMemo(() => readBrowser(threadId, language), [threadId, language])
  const session = { id: `browser ${threadId}`, context: language, after: endedAt ?? '', reader }
  return <Line session={session} name={name} why={undefined} onForget={onForget} />
}

export interface Session {
  id: string
  context: string
  after: string | undefined
  reader?: VariableReader
}

interface LineProps {
  session: Session
  name: string
  why: string | undefined
  onForget?: () => Promise<void>
}

function Line({ session, name, why, onForget }: LineProps) {
  const { data } = useSandboxVariables(session.id, session.context, session.after, session.reader)
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
          <SessionDialog session={session} name={name} why={why} onForget={onForget} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** A session that is gone has no variables. */
function readBrowser(threadId: string, language: string): VariableReader {
  const find = async () => (await import('../runtimes/browser-sessions.ts')).openSessionOf(threadId, language)
  return {
    list: async () => (await (await find())?.variables()) ?? [],
    async one(name, rows) {
      const found = await (await find())?.variable(name, rows)
      if (!found) throw new Error('The session has this variable no more, or is busy.')
      return found
    },
  }
}
