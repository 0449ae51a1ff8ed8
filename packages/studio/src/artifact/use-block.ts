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
  /** Shows it beside its message, where there is room. */
  onBeside?: (() => void) | undefined
}

/** What was typed, and the text it was typed over. */
interface Typed {
  code: string
  base: string
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
  const saving = useRef(Promise.resolve(true))
  const stored = artifact?.code ?? fence.code
  const version = artifact?.version ?? 1
  const code = typed?.code ?? stored

  function setTyped(next: Typed | undefined) {
    const before = latest.current
    latest.current = next
    setShown(next)
    if (next) layDraft(draft, next)
    // the block may be on the page again, with more typed in it
    else if (readTyped(draft)?.code === before?.code) forgetDraft(draft)
  }

  function keep(kept: Artifact) {
    queryClient.setQueryData(artifactsQuery(place.threadId).queryKey, (all = []) => [
      kept,
      ...all.filter(({ id }) => id !== kept.id),
    ])
  }

  async function storeLatest(): Promise<boolean> {
    const next = latest.current
    if (!next) return true
    const { threadId: id, messageId, index } = place
    try {
      const known = artifact ?? (await open.mutateAsync({ params: { id, messageId }, body: { index } }))
      const body = { code: next.code, base: next.base, expectedVersion: known.version }
      keep(await save.mutateAsync({ params: { id: known.id }, body }))
      // what was typed meanwhile was typed over what was sent
      const now = latest.current
      setTyped(now && now.code !== next.code ? { code: now.code, base: next.code } : undefined)
      setProblem(undefined)
      return true
    } catch (error) {
      const isConflict = error instanceof CoherexError && error.code === 'conflict'
      setProblem(isConflict ? `${(error as Error).message}.` : `Not saved: ${(error as Error).message}`)
      return false
    }
  }

  /** One after the other: each is typed over what the one before it sent. */
  function store(): Promise<boolean> {
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
      setTyped({ code: next, base: latest.current?.base ?? stored })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void store(), saveAfterMs)
    },
    /** Now: it is about to run, or the editor is closed. Answers whether all of it is stored. */
    saveNow: async (): Promise<boolean> => (typed && typed.code !== stored ? store() : true),
    /** Writes mine over what somebody else made of it meanwhile. */
    keepMine() {
      if (typed) setTyped({ ...typed, base: stored })
      return store()
    },
    takeTheirs() {
      clearTimeout(timer.current)
      setTyped(undefined)
      setProblem(undefined)
    },
    restore(text: string) {
      setTyped({ code: text, base: stored })
      return store()
    },
  }
}

function readTyped(draft: string): Typed | undefined {
  const found: Partial<Typed> = findDraft(draft)
  return typeof found.code === 'string' && typeof found.base === 'string'
    ? { code: found.code, base: found.base }
    : undefined
}
