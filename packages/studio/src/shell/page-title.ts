import { useEffect } from 'react'
import { announce } from './announce.ts'

let page = ''
let waiting = ''

/** Without a title, the page keeps that of the part around this one. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    page = title
    write()
    announce(title)
  }, [title])
}

/** How much waits, before the title of whatever page is open; empty for nothing. */
export function setTitleCount(count: string): void {
  if (count === waiting) return
  waiting = count
  write()
}

function write(): void {
  if (page) document.title = `${waiting && `(${waiting}) `}${page} · Coherex`
}
