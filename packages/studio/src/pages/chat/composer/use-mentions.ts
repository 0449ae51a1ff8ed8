import { useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { fileListQuery } from '../../../data/file.ts'
import { matchPaths } from '../../workspaces/match-paths.ts'
import { findMentioned, mentionAt, mentionOf } from './mention.ts'

const mostShown = 8

interface MentionsOptions {
  workspaceId: string | null | undefined
  text: string
  area: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
}

export type Mentions = ReturnType<typeof useMentions>

/** Files of the workspace that a message names: those to choose from while `@` is typed. */
export function useMentions({ workspaceId, text, area, onText }: MentionsOptions) {
  const listId = useId()
  const [cursor, setCursor] = useState(0)
  const [marked, setMarked] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const files = useQuery({
    ...fileListQuery(workspaceId ?? ''),
    enabled: Boolean(workspaceId) && text.includes('@'),
  }).data
  const paths = workspaceId ? (files?.items.map(({ path }) => path) ?? []) : []
  const open = mentionAt(text, cursor)
  const found = open && open.from !== closedAt ? matchPaths(paths, open.typed, mostShown) : []
  const current = Math.min(marked, found.length - 1)

  function pick(path: string) {
    if (!open) return
    const before = `${text.slice(0, open.from)}${mentionOf(path)} `
    onText(before + text.slice(cursor).replace(/^ /, ''))
    setCursor(before.length)
    area.current?.focus()
    // once the text is in the field
    requestAnimationFrame(() => area.current?.setSelectionRange(before.length, before.length))
  }
  return {
    listId,
    found,
    current,
    pick,
    mark: setMarked,
    /** The cursor is elsewhere, or something was typed. */
    follow({ selectionStart }: HTMLTextAreaElement) {
      if (selectionStart === cursor) return
      setCursor(selectionStart)
      setMarked(0)
      if (closedAt !== undefined && mentionAt(text, selectionStart)?.from !== closedAt) setClosedAt(undefined)
    },
    /** Whether the key was for the list. */
    press(event: KeyboardEvent): boolean {
      if (found.length === 0) return false
      const path = found[current]
      if (event.key === 'ArrowDown') setMarked((current + 1) % found.length)
      else if (event.key === 'ArrowUp') setMarked((current - 1 + found.length) % found.length)
      else if (event.key === 'Escape') setClosedAt(open?.from)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && path !== undefined) pick(path)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    /** What the whole message names. */
    mentioned: () => findMentioned(text, paths),
  }
}
