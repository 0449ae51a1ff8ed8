import { CoherexError, type Artifact, type FoundFence } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { artifactsQuery, useArtifactOpen, useArtifactSave } from '../data/artifact.ts'

export interface BlockPlace {
  threadId: string
  messageId: string
  index: number
}

export interface BlockProps {
  place: BlockPlace
  fence: FoundFence
  /** From its first edit or run. */
  artifact: Artifact | undefined
}

// a pause in typing
const saveAfterMs = 1_500

/** The text of a block: what the message says, or its newest version, or what is being typed. What is typed becomes a version by itself. */
export function useBlock({ place, fence, artifact }: BlockProps) {
  const queryClient = useQueryClient()
  const open = useArtifactOpen()
  const save = useArtifactSave()
  const [typed, setTyped] = useState<{ code: string; since: number }>()
  const [problem, setProblem] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stored = artifact?.code ?? fence.code
  const version = artifact?.version ?? 1
  const code = typed?.code ?? stored

  function keep(kept: Artifact) {
    queryClient.setQueryData(artifactsQuery(place.threadId).queryKey, (all = []) => [
      kept,
      ...all.filter(({ id }) => id !== kept.id),
    ])
    setTyped((now) => (now?.code === kept.code ? undefined : now && { ...now, since: kept.version }))
  }

  async function store(next: string, since: number): Promise<void> {
    clearTimeout(timer.current)
    const { threadId: id, messageId, index } = place
    try {
      const known = artifact ?? (await open.mutateAsync({ params: { id, messageId }, body: { index } }))
      keep(await save.mutateAsync({ params: { id: known.id }, body: { code: next, expectedVersion: since } }))
      setProblem(undefined)
    } catch (error) {
      const isConflict = error instanceof CoherexError && error.code === 'conflict'
      setProblem(isConflict ? `${(error as Error).message}.` : `Not saved: ${(error as Error).message}`)
    }
  }

  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    code,
    version,
    problem,
    isSaving: save.isPending || open.isPending,
    isTyped: typed !== undefined && typed.code !== stored,
    keep,
    type(next: string) {
      const since = typed?.since ?? version
      setTyped({ code: next, since })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void store(next, since), saveAfterMs)
    },
    /** Now: it is about to run, or the editor is closed. */
    async saveNow() {
      if (typed && typed.code !== stored) await store(typed.code, typed.since)
    },
    /** Writes mine over what somebody else made of it meanwhile. */
    keepMine: () => typed && store(typed.code, version),
    takeTheirs() {
      clearTimeout(timer.current)
      setTyped(undefined)
      setProblem(undefined)
    },
    restore: (text: string) => store(text, version),
  }
}
