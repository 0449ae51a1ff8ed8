import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { newestInboxQuery } from '../data/inbox.ts'

/** Tells of what is new in the inbox while nobody looks at this window: its title, nothing of what it is about. */
export function InboxWatch() {
  const { data } = useQuery(newestInboxQuery)
  const navigate = useNavigate()
  /** When the newest came that was here; by the server's clock, as this one may be wrong. */
  const newest = useRef<string>(undefined)
  useEffect(() => {
    if (!data) return
    const before = newest.current
    const [first] = data.items
    newest.current = first && first.at > (before ?? '') ? first.at : (before ?? '')
    if (before === undefined || !document.hidden) return
    for (const { id, title, at } of data.items) {
      if (at <= before) continue
      // several windows tell of one thing once
      const told = new Notification(title, { tag: id, icon: '/favicon.svg' })
      told.addEventListener('click', () => {
        window.focus()
        void navigate({ to: '/inbox/$id', params: { id } })
        told.close()
      })
    }
  }, [data, navigate])
  return null
}
