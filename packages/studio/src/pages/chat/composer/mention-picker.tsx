import { useQuery } from '@tanstack/react-query'
import { FileCode2 } from 'lucide-react'
import { useEffect, useId, useImperativeHandle, useState, type KeyboardEvent, type Ref, type RefObject } from 'react'
import { fileListQuery } from '../../../data/file.ts'
import { matchPaths } from '../../../data/match-paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { findMentioned, mentionAt, mentionOf } from './mention.ts'

const mostShown = 8

export interface Mentions {
  /** Whether the key was for the list. */
  press(event: KeyboardEvent): boolean
  /** Files that the whole message names. */
  mentioned(): string[]
}

interface MentionPickerProps {
  ref: Ref<Mentions>
  workspaceId: string
  text: string
  area: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
}

/** Files of the workspace to choose from while `@` is typed, above the field. */
export function MentionPicker({ ref, workspaceId, text, area, onText }: MentionPickerProps) {
  const listId = useId()
  const cursor = useCursorIn(area)
  const [marked, setMarked] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const paths = useQuery(fileListQuery(workspaceId)).data?.items.map(({ path }) => path) ?? []
  const open = mentionAt(text, cursor)
  if (open === undefined && closedAt !== undefined) setClosedAt(undefined)
  const found = open && open.from !== closedAt ? matchPaths(paths, open.typed, mostShown) : []
  const current = Math.min(marked, found.length - 1)
  useComboboxOf(area, found.length > 0 ? { list: listId, option: `${listId}-${current}` } : undefined)

  function pick(path: string) {
    if (!open) return
    const before = `${text.slice(0, open.from)}${mentionOf(path)} `
    onText(before + text.slice(cursor).replace(/^ /, ''))
    setMarked(0)
    area.current?.focus()
    // once the text is in the field
    requestAnimationFrame(() => area.current?.setSelectionRange(before.length, before.length))
  }
  useImperativeHandle(ref, () => ({
    press(event) {
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
    mentioned: () => findMentioned(text, paths),
  }))

  if (found.length === 0) return null
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Files to mention"
      className="absolute bottom-full left-0 z-20 mb-1 max-h-72 w-full max-w-112 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
    >
      {found.map((path, index) => (
        <div
          key={path}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === current}
          onPointerMove={() => setMarked(index)}
          // the field keeps the focus
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(path)}
          className={classNames(
            'flex h-8 items-center gap-2 rounded-sm px-2 text-dense select-none max-md:h-11',
            index === current && 'bg-hover',
          )}
        >
          <FileCode2 aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="truncate">{path}</span>
        </div>
      ))}
    </div>
  )
}

function useCursorIn(area: RefObject<HTMLTextAreaElement | null>): number {
  const [cursor, setCursor] = useState(() => area.current?.selectionStart ?? 0)
  useEffect(() => {
    const field = area.current
    if (!field) return undefined
    const follow = () => setCursor(field.selectionStart)
    const events = ['input', 'select', 'keyup', 'click', 'focus']
    for (const name of events) field.addEventListener(name, follow)
    return () => {
      for (const name of events) field.removeEventListener(name, follow)
    }
  }, [area])
  return cursor
}

/** Says to those who hear the field that a list belongs to it. */
function useComboboxOf(
  area: RefObject<HTMLTextAreaElement | null>,
  open: { list: string; option: string } | undefined,
): void {
  const [list, option] = [open?.list, open?.option]
  useEffect(() => {
    const field = area.current
    if (!field || list === undefined || option === undefined) return undefined
    const said = { role: 'combobox', 'aria-expanded': 'true', 'aria-controls': list, 'aria-activedescendant': option }
    for (const [name, value] of Object.entries(said)) field.setAttribute(name, value)
    return () => {
      for (const name of Object.keys(said)) field.removeAttribute(name)
    }
  }, [area, list, option])
}
