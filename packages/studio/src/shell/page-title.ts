import { useEffect } from 'react'
import { announce } from './announce.ts'

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Coherex`
    announce(title)
  }, [title])
}
