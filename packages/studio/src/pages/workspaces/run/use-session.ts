import { CoherexError, type Language, type Run, type Workspace } from '@coherex/contract'
import { useEffect, useRef, useState } from 'react'
import type { RequestPart } from '../../../cell/options/typed-options.ts'
import { useRunCreate } from '../../../data/run/run-create.ts'
import { useSandboxFromWorkspace } from '../../../data/sandbox.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { readOwn, writeOwn } from '../../../ui/state/stored.ts'
import { useWorkspaceSandbox } from './use-workspace-sandbox.ts'

interface SessionOptions {
  workspace: Workspace
  live: LiveWorkspace | undefined
  sandboxId: string | undefined
  onSandbox: (id: string) => void
}

export interface SessionCell {
  language: Language
  code: string
  /** Of the options of a file, those that a cell can have. */
  part?: RequestPart
}

export interface StartedCell {
  id: string
  /** The run with all it printed, once it has ended. */
  end: () => Promise<Run>
}

/** How long a cell may take that asks for no other time. */
const usualMs = 120_000

export type Session = ReturnType<typeof useSession>

/** The sandbox of a workspace, in which the cells of its files share variables: one session for each language. */
export function useSession({ workspace, live, sandboxId, onSandbox }: SessionOptions) {
  const sandbox = useWorkspaceSandbox({ workspace, live, onSandbox })
  const bring = useSandboxFromWorkspace()
  const create = useRunCreate()
  const [starting, setStarting] = useState(0)
  const [ended, setEnded] = useState(0)
  // cells that are started together find one sandbox, and the files that the one before them brought
  const turn = useRef<Promise<string | undefined>>(Promise.resolve(undefined))
  const latest = useRef(sandboxId)
  useEffect(() => void (latest.current = sandboxId), [sandboxId])
  const copyKey = `draft.copied.${workspace.id}`

  /** A sandbox whose files are those of the workspace as it is typed. */
  async function prepare(known: string | undefined): Promise<string> {
    await live?.stored()
    const id = known ?? (await sandbox.make())
    try {
      const [of, version] = readOwn(copyKey)?.split(' ') ?? []
      const since = of === id ? { since: Number(version) } : {}
      const copied = await bring.mutateAsync({ params: { id }, body: { workspaceId: workspace.id, ...since } })
      writeOwn(copyKey, `${id} ${copied.version}`)
      return id
    } catch (error) {
      const isGone = error instanceof CoherexError && (error.code === 'not_found' || error.code === 'conflict')
      if (!isGone || known === undefined) throw error
      return prepare(undefined)
    }
  }
  return {
    sandboxId,
    isStarting: starting > 0,
    /** Which packages are being fetched for its sandbox. */
    progress: sandbox.progress,
    /** How many cells of notebooks have ended: what looks at the session looks again. */
    ended,
    tellEnd: () => setEnded((count) => count + 1),
    /** Starts a cell, with the files as they are; cells of one language run one after the other. */
    async run({ language, code, part = {} }: SessionCell): Promise<StartedCell> {
      const { limits: { memoryMb: _ofTheSandbox, ...limits } = {}, input, stdin } = part
      setStarting((count) => count + 1)
      try {
        const next = turn.current.then(
          (made) => prepare(latest.current ?? made),
          () => prepare(latest.current),
        )
        turn.current = next
        const { id } = await create.mutateAsync({
          query: { wait: 'false' },
          body: {
            ...{ sandboxId: await next, language, code, interactive: true },
            ...(input === undefined ? {} : { input }),
            ...(stdin === undefined ? {} : { stdin }),
            limits: { timeoutMs: usualMs, ...limits },
          },
        })
        // the page is here before anything runs in it
        return { id, end: async () => (await import('../../../data/run/await-run.ts')).awaitRun(id) }
      } finally {
        setStarting((count) => count - 1)
      }
    },
  }
}
