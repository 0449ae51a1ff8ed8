import { CoherexError, type Artifact, type FoundFence } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { artifactsQuery, useArtifactOpen, useArtifactSave } from '../data/artifact.ts'
import type { LiveBlock } from '../live/live-block.ts'
import { rebaseChange } from '../live/rebase-change.ts'
import { changeText, replaceText } from '../live/replace-text.ts'
import { findDraft, forgetDraft, layDraft } from '../ui/state/draft.ts'
import { editorPath } from './editor-path.ts'
import { useLiveBlock, useTypedText } from './use-live-block.ts'

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

/**
 * The text of a block: what the message says, or its newest version, or what is being typed. What is typed becomes a version
 * by itself; until then it is a draft of this browser. While its editor is open all who type in it have one text; where there
 * is no line to the server, versions are merged.
 */
export function useBlock({ place, fence, artifact }: BlockProps, { isEditing }: { isEditing: boolean }) {
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
  const underWay = useRef(0)
  // what was changed by the save before: the text of all says the same a moment later
  const changed = useRef<string>(undefined)
  const stored = artifact?.code ?? fence.code
  const version = artifact?.version ?? 1
  const [bound, setBound] = useState<LiveBlock>()
  // what is typed before React has shown the text of all
  const boundNow = useRef<LiveBlock>(undefined)
  const lostNow = useRef<LiveBlock>(undefined)
  const path = editorPath(fence.language)
  const opened = useLiveBlock({
    id: isEditing ? artifact?.id : undefined,
    path,
    onChange(block) {
      if (block !== boundNow.current) return join(block)
      if (block.isStored) forgetDraft(draft)
      else layDraft(draft, { code: block.text.toString(), base: stored })
    },
    onLost(block) {
      if (block === boundNow.current) {
        lostNow.current = block
        bind(undefined)
      }
      if (block !== lostNow.current) return
      if (!block.isStored) type(block.text.toString())
    },
    onLeft: () => queryClient.refetchQueries(artifactsQuery(place.threadId)),
  })
  const live = bound === opened ? bound : undefined
  const liveCode = useTypedText(live)
  const code = liveCode ?? typed?.code ?? stored

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
      const kept = await save.mutateAsync({ params: { id: known.id }, body })
      changed.current = kept.code === next.base ? undefined : next.base
      keep(kept)
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
    underWay.current++
    return (saving.current = saving.current.then(storeLatest).finally(() => underWay.current--))
  }

  function bind(block: LiveBlock | undefined) {
    boundNow.current = block
    setBound(block)
  }

  function type(next: string) {
    const text = boundNow.current?.text
    if (text) return replaceText(text, next, draft)
    setTyped({ code: next, base: latest.current?.base ?? stored })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void store(), saveAfterMs)
    // who else opens it meets what is typed from the first letter on
    if (!artifact && isEditing && !open.isPending) openNow()
    return undefined
  }

  function openNow() {
    const { threadId: id, messageId, index } = place
    // saving asks again
    open.mutateAsync({ params: { id, messageId }, body: { index } }).then(keep, () => undefined)
  }

  /** What was typed before the text of all was here goes into it; where somebody changed the same place, it is saved first, and merged or asked about. */
  function join(block: LiveBlock): void {
    // what is on its way comes into the text of all as a version: typed in it too it would be there twice
    if (block === boundNow.current || underWay.current > 0) return
    if (block.text.toString() === changed.current) return
    changed.current = undefined
    const mine = latest.current
    const change = mine && rebaseChange({ ...mine, mine: mine.code, theirs: block.text.toString() })
    if (mine && !change) return
    clearTimeout(timer.current)
    setTyped(undefined)
    bind(block)
    if (change) changeText(block.text, change, draft)
  }
  const joinNow = useEffectEvent(join)
  useEffect(() => {
    if (opened) joinNow(opened)
    else if (boundNow.current) bind(undefined)
  }, [opened, typed, problem])

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
    isTyped: (live !== undefined || typed !== undefined) && code !== stored,
    live,
    path,
    keep,
    type,
    /** Now: it is about to run, or the editor is closed. Answers whether all of it is stored. */
    async saveNow(): Promise<boolean> {
      if (!live) return typed && typed.code !== stored ? store() : true
      const isStored = await live.store()
      setProblem(isStored ? undefined : 'Not saved: the server did not answer')
      return isStored
    },
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
    async restore(text: string): Promise<boolean> {
      if (live) {
        replaceText(live.text, text, draft)
        return live.store()
      }
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
