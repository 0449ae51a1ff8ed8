import { CoherexError, type Artifact, type FoundFence } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { artifactsQuery, useArtifactOpen, useArtifactSave } from '../data/artifact.ts'
import { findDraft, forgetDraft, layDraft } from '../ui/state/draft.ts'

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

/** What was typed, and the version it was typed over. */
interface Typed {
  code: string
  since: number
}

// a pause in typing
const saveAfterMs = 1_500

/** The text of a block: what the message says, or its newest version, or what is being typed. What is typed becomes a version by itself; until then it is a draft of this browser. */
export function useBlock({ place, fence, artifact }: BlockProps) {
  const queryClient = useQueryClient()
  const open = useArtifactOpen()
  const save = useArtifactSave()
  const draft = `block.${place.messageId}.${place.index}`
  const [typed, setShown] = useState<Typed | undefined>(() => readTyped(draft))
  // a save may end after the block is gone
  const latest = useRef(typed)
  const [problem, setProblem] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saving = useRef(Promise.resolve())
  const stored = artifact?.code ?? fence.code
  const version = artifact?.version ?? 1
  const code = typed?.code ?? stored

  function setTyped(next: Typed | undefined) {
    latest.current = next
    setShown(next)
    if (next) layDraft(draft, next)
    else forgetDraft(draft)
  }

  function keep(kept: Artifact) {
    queryClient.setQueryData(artifactsQuery(place.threadId).queryKey, (all = []) => [
      kept,
      ...all.filter(({ id }) => id !== kept.id),
    ])
    const now = latest.current
    if (now) setTyped(now.code === kept.code ? undefined : { ...now, since: kept.version })
  }

  async function storeLatest(): Promise<void> {
    const next = latest.current
    if (!next) return
    const { threadId: id, messageId, index } = place
    try {
      const known = artifact ?? (await open.mutateAsync({ params: { id, messageId }, body: { index } }))
      const body = { code: next.code, expectedVersion: next.since }
      keep(await save.mutateAsync({ params: { id: known.id }, body }))
      setProblem(undefined)
    } catch (error) {
      const isConflict = error instanceof CoherexError && error.code === 'conflict'
      setProblem(isConflict ? `${(error as Error).message}.` : `Not saved: ${(error as Error).message}`)
    }
  }

  /** One after the other: each is typed over the version that the one before it made. */
  function store(): Promise<void> {
    clearTimeout(timer.current)
    return (saving.current = saving.current.then(storeLatest))
  }

  const saveLatest = useEffectEvent(() => {
    if (latest.current?.code === stored) setTyped(undefined)
    else void store()
  })
  // a draft that a reload left is saved, and so is what is typed when the block goes
  useEffect(() => {
    saveLatest()
    return () => saveLatest()
  }, [])

  return {
    code,
    version,
    problem,
    isSaving: save.isPending || open.isPending,
    isTyped: typed !== undefined && typed.code !== stored,
    keep,
    type(next: string) {
      setTyped({ code: next, since: latest.current?.since ?? version })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void store(), saveAfterMs)
    },
    /** Now: it is about to run, or the editor is closed. */
    async saveNow() {
      if (typed && typed.code !== stored) await store()
    },
    /** Writes mine over what somebody else made of it meanwhile. */
    keepMine() {
      if (typed) setTyped({ ...typed, since: version })
      return store()
    },
    takeTheirs() {
      clearTimeout(timer.current)
      setTyped(undefined)
      setProblem(undefined)
    },
    restore(text: string) {
      setTyped({ code: text, since: version })
      return store()
    },
  }
}

function readTyped(draft: string): Typed | undefined {
  const found: Partial<Typed> = findDraft(draft)
  return typeof found.code === 'string' && typeof found.since === 'number'
    ? { code: found.code, since: found.since }
    : undefined
}
